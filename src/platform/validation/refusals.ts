import { defineRefusals } from '../errors/refusal_text.ts'

/** Refusals of single values. */
export const refusals = defineRefusals('values', {
  id: { agent: 'must be a UUID', en: 'Choose from the list.', es: 'Elija de la lista.' },
  cursor: {
    agent: 'must be the nextCursor of an earlier response, unchanged',
    en: 'This page of the list no longer exists. Start again from the first.',
    es: 'Esta página de la lista ya no existe. Empiece de nuevo por la primera.',
  },
  wholeNumber: {
    agent: 'must be a whole number from {min} to {max}',
    en: 'Enter a whole number from {min} to {max}.',
    es: 'Escriba un número entero entre {min} y {max}.',
  },
  oneOf: { agent: 'must be one of {names}', en: 'Choose one of the options.', es: 'Elija una de las opciones.' },
  date: {
    agent: 'must be a date, year-month-day, such as 2027-03-31',
    en: 'Enter a date, such as 3/31/2027.',
    es: 'Escriba una fecha, como 31/3/2027.',
  },
  instant: {
    agent: 'must be an instant such as 2027-03-31T09:00:00Z, or local time such as 2027-03-31T09:00',
    en: 'Enter a date and time.',
    es: 'Escriba una fecha y una hora.',
  },
  dateOrInstant: {
    agent: 'must be a date, year-month-day, such as 2027-03-31, or an instant such as 2027-03-31T09:00:00Z',
    en: 'Enter a date.',
    es: 'Escriba una fecha.',
  },
  country: {
    agent: 'must be a two-letter country code such as US (ISO 3166-1)',
    en: 'Choose a country.',
    es: 'Elija un país.',
  },
  email: {
    agent: 'must be an email address such as ana@example.com',
    en: 'Enter an email address, such as ana@example.com.',
    es: 'Escriba un correo electrónico, como ana@example.com.',
  },
  languageTag: {
    agent: 'must be a language tag such as en-US (BCP 47)',
    en: 'Choose a language.',
    es: 'Elija un idioma.',
  },
  degrees: {
    agent: 'must be from -{max} to {max}',
    en: 'Enter a number from -{max} to {max}.',
    es: 'Escriba un número entre -{max} y {max}.',
  },
  sixDecimals: {
    agent: 'must have at most 6 decimals',
    en: 'Enter at most 6 decimals.',
    es: 'Escriba como máximo 6 decimales.',
  },
  customValue: {
    agent: 'must be text of at most 500 characters without control characters, a number, true, false or null',
    en: 'Enter text of up to 500 characters, a number, or yes or no.',
    es: 'Escriba un texto de hasta 500 caracteres, un número, o sí o no.',
  },
  tooManyFields: {
    agent: 'must have at most {max} keys',
    en: 'Add at most {max} fields.',
    es: 'Agregue como máximo {max} campos.',
  },
  fieldList: {
    agent: "must be an object of names and values, or a list of '{'name, value'}'",
    en: 'Enter a name and a value for each field.',
    es: 'Escriba un nombre y un valor para cada campo.',
  },
  phone: {
    agent: "must be a phone number with area code, or with country code such as +44 20 7946 0958 (got ''{given}'')",
    en: 'Enter a phone number with its area code.',
    es: 'Escriba un número de teléfono con su código de área.',
  },
  extension: {
    agent: "must have an extension of at most {max} digits (got ''{given}'')",
    en: 'Enter an extension of up to {max} digits.',
    es: 'Escriba una extensión de hasta {max} dígitos.',
  },
  tooLong: {
    agent: 'must be at most {max} characters',
    en: 'Enter at most {max} characters.',
    es: 'Escriba como máximo {max} caracteres.',
  },
  invisible: {
    agent: 'must have a visible character',
    en: 'Enter text with visible characters.',
    es: 'Escriba un texto que se pueda ver.',
  },
  notUnicode: {
    agent: 'must be well-formed Unicode',
    en: 'This text has characters that can’t be read. Type it again.',
    es: 'Este texto tiene caracteres que no se pueden leer. Escríbalo de nuevo.',
  },
  controlCharacters: {
    agent: 'must not contain control characters other than line feed and tab',
    en: 'This text has hidden characters. Type it again.',
    es: 'Este texto tiene caracteres ocultos. Escríbalo de nuevo.',
  },
  number: { agent: 'must be a number', en: 'Enter a number.', es: 'Escriba un número.' },
  decimal: {
    agent: 'must be a number or its decimal text, such as 2.5',
    en: 'Enter a number, such as 2.5.',
    es: 'Escriba un número, como 2.5.',
  },
  cursorFilters: {
    agent: 'belongs to a list with other filters; start again without it',
    en: 'The filters of this list have changed. Start again from the first page.',
    es: 'Los filtros de esta lista han cambiado. Empiece de nuevo por la primera página.',
  },
  empty: {
    agent: 'must not be empty',
    en: '{kind, select, choice {Choose {aField}.} other {Enter {aField}.}}',
    es:
      '{named, select, yes {{kind, select, choice {Elija una opción: {field}.} other {Complete este campo: ' +
      '{field}.}}} other {{kind, select, choice {Elija una opción.} other {Falta completar un campo.}}}}',
  },
  color: { agent: 'must be a color such as #1E90FF', en: 'Choose a color.', es: 'Elija un color.' },
  marksInARow: {
    agent: 'must not have more than 30 combining marks in a row',
    en: 'This text has too many accents in a row. Type it again.',
    es: 'Este texto tiene demasiados acentos seguidos. Escríbalo de nuevo.',
  },
  controlCharactersInLine: {
    agent: 'must not contain control characters',
    en: 'This text has hidden characters. Type it again on one line.',
    es: 'Este texto tiene caracteres ocultos. Escríbalo de nuevo en una sola línea.',
  },
  turningCharacters: {
    agent: 'must not contain characters that change the text direction',
    en: 'This text has hidden characters. Type it again.',
    es: 'Este texto tiene caracteres ocultos. Escríbalo de nuevo.',
  },
  reservedName: {
    agent: "can''t have a field named {name}; give it another name",
    en: 'A field can’t be named {name}. Give it another name.',
    es: 'Un campo no puede llamarse {name}. Póngale otro nombre.',
  },
  sameName: {
    agent: "has two fields named ''{name}'', which are the same without surrounding white space",
    en: 'Two fields are named {name}. Give each field its own name.',
    es: 'Hay dos campos llamados {name}. Póngale a cada uno su propio nombre.',
  },
  signature: {
    agent: 'must be path data of a drawn signature',
    en: 'Draw the signature again.',
    es: 'Dibuje la firma de nuevo.',
  },
})
