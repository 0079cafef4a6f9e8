import { defineRefusals } from '../../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('recovery', {
  confirmed: {
    agent: '{email} is already confirmed',
    en: '{email} is already confirmed.',
    es: 'La dirección {email} ya está confirmada.',
  },
  sameAddress: {
    agent: 'must differ from your current address',
    en: 'Enter an address that is different from your current one.',
    es: 'Escriba una dirección distinta de la actual.',
  },
  otherAccount: {
    agent: 'sign in with the account that asked for this link, then open it again',
    en: 'Sign in with the account that asked for this link, then open it again.',
    es: 'Inicie sesión con la cuenta que pidió este enlace y vuelva a abrirlo.',
  },
  addressTaken: {
    agent: '{address} already belongs to another account',
    en: '{address} already belongs to another account.',
    es: '{address} ya pertenece a otra cuenta.',
  },
  tooManyMails: {
    agent: '{max} emails went to {to} today; look for one of them, or try again tomorrow',
    en:
      '{max, plural, one {One email} other {# emails}} went to {to} today, which is the limit. ' +
      'Look for one of them, or try again tomorrow.',
    es:
      'Hoy ya {max, plural, one {se envió un correo} other {se enviaron # correos}} a {to}, que es el máximo. ' +
      'Busque uno de ellos o inténtelo mañana.',
  },
  tooManyTries: {
    agent: 'too many attempts; wait {minutes} min and try again',
    en: 'Too many attempts. Wait {minutes, plural, one {# minute} other {# minutes}}, then try again.',
    es: 'Demasiados intentos. Espere {minutes, plural, one {# minuto} other {# minutos}} e inténtelo de nuevo.',
  },
  wrongPassword: {
    agent: 'is not the password of this account',
    en: 'This isn’t the password of this account.',
    es: 'Esta no es la contraseña de esta cuenta.',
  },
  wrongCurrent: {
    agent: 'is not your password',
    en: 'This isn’t your current password.',
    es: 'Esta no es su contraseña actual.',
  },
  samePassword: {
    agent: 'must differ from your current password',
    en: 'Choose a password that is different from your current one.',
    es: 'Elija una contraseña distinta de la actual.',
  },
  signedOut: {
    agent: 'your new password is set, but you were signed out in the meantime; sign in with the new password',
    en: 'Your new password is set, but you were signed out in the meantime. Sign in with the new password.',
    es: 'Su contraseña nueva se guardó, pero mientras tanto se cerró su sesión. Inicie sesión con la contraseña nueva.',
  },
  changedElsewhere: {
    agent: 'the password was changed somewhere else in the meantime; try again',
    en: 'The password was changed somewhere else in the meantime. Try again.',
    es: 'Mientras tanto se cambió la contraseña en otro lugar. Inténtelo de nuevo.',
  },
  ownPassword: {
    agent: 'change your own password in your personal settings',
    en: 'Change your own password in your personal settings.',
    es: 'Cambie su propia contraseña en su configuración personal.',
  },
  notAlone: {
    agent:
      "this account isn't your company's alone; " +
      "the person can ask for a link themselves, or this service's administrator can help",
    en:
      'This account isn’t your company’s alone. ' +
      'The person can ask for a link themselves, or this service’s administrator can help.',
    es:
      'Esta cuenta no es solo de su empresa. ' +
      'La persona puede pedir un enlace por su cuenta, o el administrador de este servicio puede ayudar.',
  },
})
