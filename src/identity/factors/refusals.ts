import { explainConstraints } from '../../platform/db/refusals.ts'
import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('factors', {
  lastSignIn: {
    agent: 'This is your last way to sign in. Set a password or add another passkey first.',
    en: 'This is your last way to sign in. Set a password or add another passkey first.',
    es: 'Es su última manera de iniciar sesión. Primero cree una contraseña o agregue otra llave de acceso.',
  },
  noneOfOwn: {
    agent: 'You have no second factor yourself. Set up a passkey or an authenticator app first.',
    en: 'You have no second factor yourself. Set up a passkey or an authenticator app first.',
    es: 'Usted no tiene un segundo factor. Configure primero una llave de acceso o una aplicación de autenticación.',
  },
  tooManyPasskeys: {
    agent: "You already have {max} passkeys. Remove one that you don't use.",
    en: 'You already have {max} passkeys, which is the limit. Remove one you don’t use.',
    es: 'Ya tiene {max} llaves de acceso, que es el máximo. Quite una que no use.',
  },
  passkeyRegistered: {
    agent: 'This passkey is already registered.',
    en: 'This passkey is already registered.',
    es: 'Esta llave de acceso ya está registrada.',
  },
  appExists: {
    agent: 'You already have an authenticator app. Remove it first.',
    en: 'You already have an authenticator app. Remove it first.',
    es: 'Ya tiene una aplicación de autenticación. Quítela primero.',
  },
  tooManyTries: {
    agent: 'Too many attempts. Wait 15 minutes, then try again.',
    en: 'Too many attempts. Wait 15 minutes, then try again.',
    es: 'Demasiados intentos. Espere 15 minutos e inténtelo de nuevo.',
  },
  noSetup: {
    agent: 'No authenticator app is being set up. Start again.',
    en: 'No authenticator app is being set up. Start again.',
    es: 'No se está configurando ninguna aplicación de autenticación. Empiece de nuevo.',
  },
  wrongCode: {
    agent: "This isn't the code that the app shows now. Check that your phone's clock is right.",
    en: 'This isn’t the code that the app shows now. Check that your phone’s clock is right.',
    es: 'Este no es el código que la aplicación muestra ahora. Revise que el reloj de su teléfono esté bien.',
  },
  noAppForCodes: {
    agent: 'Recovery codes come with an authenticator app. Set one up first.',
    en: 'Recovery codes come with an authenticator app. Set one up first.',
    es: 'Los códigos de recuperación vienen con una aplicación de autenticación. Configure una primero.',
  },
})

explainConstraints({
  passkeys_pkey: {
    en: 'This passkey is already set up for an account.',
    es: 'Esta llave de acceso ya está registrada en una cuenta.',
  },
})
