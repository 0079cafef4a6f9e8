import { defineRefusals, defineWarnings } from '../../platform/errors/refusal_text.ts'

const MISSING = {
  en: '{kind, select, choice {Choose {aField}.} other {Enter {aField}.}}',
  es:
    '{named, select, yes {{kind, select, choice {Elija una opción: {field}.} other {Complete este campo: ' +
    '{field}.}}} other {{kind, select, choice {Elija una opción.} other {Falta completar un campo.}}}}',
} as const

/** Refusals of arguments by their shape; `rule` is the schema's text for agents. */
export const refusals = defineRefusals('arguments', {
  missing: { agent: 'is required', ...MISSING },

  number: { agent: '{rule}', en: 'Enter a number.', es: 'Escriba un número.' },
  text: { agent: '{rule}', ...MISSING },
  yesOrNo: { agent: '{rule}', en: 'Choose yes or no.', es: 'Elija sí o no.' },
  unreadable: {
    agent: '{rule}',
    en: 'This value can’t be read. Enter it again.',
    es: 'Este valor no se puede leer. Escríbalo de nuevo.',
  },
  option: { agent: '{rule}', en: 'Choose one of the options.', es: 'Elija una de las opciones.' },
  tooFew: {
    agent: 'must have at least {min}',
    en: '{min, plural, =1 {Add at least one.} other {Add at least #.}}',
    es: '{min, plural, =1 {Agregue al menos uno.} other {Agregue al menos #.}}',
  },
  tooMany: {
    agent: 'must have at most {max}',
    en: 'Keep at most {max}. Remove the rest.',
    es: 'Deje como máximo {max}. Quite los demás.',
  },
  tooManyKeys: {
    agent: 'must have at most {max} keys',
    en: 'Keep at most {max} fields. Remove the rest.',
    es: 'Deje como máximo {max} campos. Quite los demás.',
  },
  tooSmall: { agent: 'must be at least {min}', en: 'Enter {min} or more.', es: 'Escriba {min} o más.' },
  tooBig: { agent: 'must be at most {max}', en: 'Enter {max} or less.', es: 'Escriba {max} o menos.' },
  displayNumber: {
    agent: 'must be a whole number from 1 to {max}, or a display number such as INV-1002',
    en: 'Enter a number, such as 1002 or INV-1002.',
    es: 'Escriba un número, como 1002 o INV-1002.',
  },
  fixed: {
    agent: 'cannot be changed (it is {before}, got {given}); leave it out',
    en: 'This can’t be changed anymore.',
    es: 'Esto ya no se puede cambiar.',
  },
  changed: {
    agent:
      'the record changed: its updated_at is {now}, and expected_updated_at was {expected}; ' +
      'get it again and decide whether to retry',
    en: 'Someone changed this in the meantime. Check the latest version and try again.',
    es: 'Alguien cambió esto mientras tanto. Revise la versión más reciente e inténtelo de nuevo.',
  },
  keyOfOther: {
    agent: "''{key}'' was used with other arguments; send a new key for a new record",
    en: 'This was already saved with other details. Reload the page before you save again.',
    es: 'Esto ya se guardó con otros datos. Vuelva a cargar la página antes de guardar de nuevo.',
  },
  keyInUse: {
    agent: 'is in use by a call that is still running; try again',
    en: 'This is still being saved. Try again in a moment.',
    es: 'Esto todavía se está guardando. Inténtelo de nuevo en un momento.',
  },
  noScope: {
    agent: '{tool} needs {scope}',
    en: 'Your role doesn’t allow this. Ask an owner of the company.',
    es: 'Su rol no permite esto. Pida ayuda al propietario de la empresa.',
  },
  noPerson: {
    agent: '{tool} needs a user, which a tenant key lacks; use a user key or sign in',
    en: 'Sign in to do this.',
    es: 'Inicie sesión para hacer esto.',
  },
  sinceMissing: {
    agent: 'requires updated_since; send both or neither',
    en: 'Choose the date from which to list deleted records.',
    es: 'Elija desde qué fecha mostrar los registros eliminados.',
  },
  unknownName: {
    agent: '{what} {name} not found',
    en: '{name} isn’t here. Check the name or choose from the list.',
    es: 'No se encontró {name}. Revise el nombre o elija de la lista.',
  },
  ambiguous: {
    agent: 'must be an id: {name}',
    en: 'There is more than one {name}. Choose from the list.',
    es: 'Hay más de un registro llamado {name}. Elija de la lista.',
  },
  key: {
    agent: 'has a key that {rule}',
    en: 'One of the names can’t be used. Enter another name.',
    es: 'Uno de los nombres no se puede usar. Escriba otro nombre.',
  },
})

export const warnings = defineWarnings('arguments', {
  notMailed: {
    agent: '{number} is recorded as sent, but nothing was emailed. A person can email it at {url}',
    en: '{number} is only marked as sent. The customer gets no email.',
    es: '{number} solo se marca como enviada. El cliente no recibe ningún correo.',
  },
})
