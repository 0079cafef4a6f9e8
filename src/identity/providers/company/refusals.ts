import { defineRefusals } from '../../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('company_provider', {
  tooManyDomains: {
    agent: 'must have at most {max} domains',
    en: 'Enter at most {max} domains.',
    es: 'Escriba {max} dominios como máximo.',
  },
  domain: {
    agent: "must be domains such as example.com (got ''{given}'')",
    en: 'Enter domains such as example.com, separated by commas.',
    es: 'Escriba dominios como example.com, separados por comas.',
  },
  issuer: {
    agent: "must be an https address such as https://login.example.com (got ''{given}'')",
    en: 'Enter the issuer’s https address, such as https://login.example.com.',
    es: 'Escriba la dirección https del emisor, como https://login.example.com.',
  },
  directory: {
    agent: "must be the directory (tenant) ID of Microsoft Entra (got ''{given}'')",
    en: 'Enter the directory (tenant) ID from Microsoft Entra, such as 72f988bf-86f1-41af-91ab-2d7cd011db47.',
    es: 'Escriba el ID de directorio (inquilino) de Microsoft Entra, como 72f988bf-86f1-41af-91ab-2d7cd011db47.',
  },
  oktaDomain: {
    agent: "must be an Okta domain such as example.okta.com (got ''{given}'')",
    en: 'Enter your Okta domain, such as example.okta.com.',
    es: 'Escriba su dominio de Okta, como example.okta.com.',
  },
  secretTooLong: {
    agent: 'must have at most {max} characters',
    en: 'The client secret is too long. Use at most {max, number} characters.',
    es: 'El secreto del cliente es demasiado largo. Use {max, number} caracteres como máximo.',
  },
  untried: {
    agent: 'Try the provider first, then turn it on.',
    en: 'Try the provider first, then turn it on.',
    es: 'Pruebe primero el proveedor y después actívelo.',
  },
  otherCompany: {
    agent: 'this invitation is from another company',
    en: 'This invitation is from another company.',
    es: 'Esta invitación es de otra empresa.',
  },
  linkedElsewhere: {
    agent: 'this account at the provider is already linked to another member',
    en: 'That account is already linked to another member. Sign in to the provider with your own.',
    es: 'Esa cuenta ya está vinculada a otro miembro. Entre en el proveedor con la suya.',
  },
  turnedOff: {
    agent: 'the company turned its provider off; accept the invitation without it',
    en: 'Your company turned this sign-in off. Accept the invitation without it.',
    es: 'Su empresa desactivó este inicio de sesión. Acepte la invitación sin él.',
  },
  off: { agent: 'Turn the provider on first.', en: 'Turn the provider on first.', es: 'Active primero el proveedor.' },
  noFactorOfOwn: {
    agent:
      'You have no second factor yourself, so you could not sign in if the provider stopped working. ' +
      'Set up a passkey or an authenticator app first.',
    en:
      'You have no second factor yourself, so you could not sign in if the provider stopped working. ' +
      'Set up a passkey or an authenticator app first.',
    es:
      'Usted no tiene un segundo factor y no podría entrar si el proveedor fallara. ' +
      'Configure primero una llave de acceso o una aplicación de autenticación.',
  },
})
