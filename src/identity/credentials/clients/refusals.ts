import { defineRefusals } from '../../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('clients', {
  unknownScope: {
    agent: "''{scope}'' is not a scope",
    en: 'Choose what the client can do from the list.',
    es: 'Elija de la lista lo que puede hacer el cliente.',
  },
  policy: {
    agent: "The company's app rules don't let this app do more than it does now. Ask an owner.",
    en: 'Your company’s app rules don’t let this app do more than it does now. Ask an owner.',
    es:
      'Las reglas de la empresa sobre aplicaciones no permiten que esta haga más que ahora. ' +
      'Pregunte a un propietario.',
  },
  uriCount: {
    agent: 'must have 1 to {max} entries (got {count})',
    en: 'Enter 1 to {max} redirect URIs.',
    es: 'Escriba de 1 a {max} URI de redirección.',
  },
  uriTooLong: {
    agent: "at most {max} characters each (got ''{uri}'')",
    en: 'Enter redirect URIs of at most {max, number} characters each.',
    es: 'Escriba URI de redirección de {max, number} caracteres como máximo cada uno.',
  },
  uriCharacters: {
    agent: "only the characters of a URI (got ''{uri}'')",
    en: 'A redirect URI has a character that isn’t allowed. Check that it is written exactly as the client sends it.',
    es:
      'Un URI de redirección tiene un carácter que no se permite. ' +
      'Revise que esté escrito tal como lo envía el cliente.',
  },
  uriRelative: {
    agent: "each must be an absolute URI (got ''{uri}'')",
    en: 'Enter each redirect URI in full, such as https://app.example.com/callback.',
    es: 'Escriba cada URI de redirección completo, como https://app.example.com/callback.',
  },
  uriFragment: {
    agent: "a fragment is not allowed (got ''{uri}'')",
    en: 'Remove the # and what follows it from the redirect URI.',
    es: 'Quite el # y lo que le sigue del URI de redirección.',
  },
  uriScheme: {
    agent: "the scheme {scheme} is not allowed (got ''{uri}'')",
    en: 'Redirect URIs can’t begin with {scheme}:. Use https.',
    es: 'Los URI de redirección no pueden empezar con {scheme}:. Use https.',
  },
  uriUser: {
    agent: "user information is not allowed (got ''{uri}'')",
    en: 'Remove the user name and password from the redirect URI.',
    es: 'Quite el nombre de usuario y la contraseña del URI de redirección.',
  },
  uriWildcard: {
    agent: "wildcards are not allowed (got ''{uri}'')",
    en: 'Enter each redirect URI in full, without *.',
    es: 'Escriba cada URI de redirección completo, sin *.',
  },
  uriPlainHttp: {
    agent: "plain http only on localhost, 127.0.0.1 or [::1] (got ''{uri}'')",
    en: 'Use https in the redirect URI. Plain http works only for localhost, 127.0.0.1 and [::1].',
    es: 'Use https en el URI de redirección. El http simple solo sirve para localhost, 127.0.0.1 y [::1].',
  },
  uriDotSegments: {
    agent: "the path must be written without dot segments (got ''{uri}'')",
    en: 'Remove the . and .. steps from the path of the redirect URI.',
    es: 'Quite los pasos . y .. de la ruta del URI de redirección.',
  },
})
