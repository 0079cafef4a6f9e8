import { explainConstraints } from '../../platform/db/refusals.ts'
import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('people', {
  alreadyMember: {
    agent: '{email} is already a member',
    en: '{email} is already a member of this company.',
    es: '{email} ya es miembro de esta empresa.',
  },
  lastOwner: {
    agent: 'a company needs an owner; make another member an owner first',
    en: 'A company needs at least one owner. Make another member an owner first.',
    es: 'Una empresa necesita al menos un propietario. Primero haga propietario a otro miembro.',
  },
  unknown: {
    agent: "must be an email address or an id (got ''{given}'')",
    en: 'Choose a member.',
    es: 'Elija un miembro.',
  },
  canSignIn: {
    agent: '{email} already has a password or another way to sign in; leave the password out',
    en: '{email} can already sign in. Leave the password empty.',
    es: '{email} ya puede iniciar sesión. Deje la contraseña vacía.',
  },
  otherCompany: {
    agent: "the account of {email} belongs to another company, and its address isn't confirmed; send the person a link",
    en:
      'The account of {email} belongs to another company, and its address isn’t confirmed. ' +
      'Send this person a link to join.',
    es:
      'La cuenta de {email} es de otra empresa y su dirección no está confirmada. ' +
      'Envíe a esta persona un enlace para unirse.',
  },
  notAlone: {
    agent: "This account isn't your company's alone. This service's administrator can help.",
    en: 'This account isn’t your company’s alone. This service’s administrator can help.',
    es: 'Esta cuenta no es solo de su empresa. El administrador de este servicio puede ayudar.',
  },
  language: {
    agent: "must be one of {languages}, or empty (got ''{given}'')",
    en: 'Choose a language from the list.',
    es: 'Elija un idioma de la lista.',
  },
})

explainConstraints({
  users_email: {
    en: 'Another account has this email address. Enter a different one.',
    es: 'Otra cuenta ya tiene este correo. Escriba otro.',
  },
})
