import { defineRefusals } from '../platform/errors/refusal_text.ts'

/** Refusals of single values of companies and people. `field` is the wire name, which selects the texts for people. */
export const refusals = defineRefusals('identity', {
  missing: {
    agent: "{problem} (got ''{given}'')",
    en:
      '{field, select, name {Enter a name.} subject {Enter a subject.} body {Enter a message.} reason {Enter a ' +
      'reason.} client_id {Enter the client ID.} other {Fill in this field.}}',
    es:
      '{field, select, name {Escriba un nombre.} subject {Escriba un asunto.} body {Escriba un mensaje.} reason ' +
      '{Escriba un motivo.} client_id {Escriba el id. de cliente.} other {Complete este campo.}}',
  },
  tooLong: {
    agent: "must be at most {max} characters (got ''{given}'')",
    en:
      '{field, select, name {The name is} subject {The subject is} body {The message is} reason {The reason is} ' +
      'note {The note is} address {The address is} phone {The phone number is} website {The website is} ' +
      'license_number {The license number is} document_footer {The footer is} how_to_pay {The text on how to pay is} ' +
      'invoice_prefix {The invoice prefix is} client_id {The client ID is} other {This text is}} too long. ' +
      'Use at most {max, plural, one {# character} other {# characters}}.',
    es:
      '{field, select, name {El nombre es demasiado largo} subject {El asunto es demasiado largo} body {El ' +
      'mensaje es demasiado largo} reason {El motivo es demasiado largo} note {La nota es demasiado larga} address ' +
      '{La dirección es demasiado larga} phone {El teléfono es demasiado largo} website {La dirección del sitio web ' +
      'es demasiado larga} license_number {El número de licencia es demasiado largo} document_footer {El pie de ' +
      'página es demasiado largo} how_to_pay {El texto sobre cómo pagar es demasiado largo} invoice_prefix {El ' +
      'prefijo de las facturas es demasiado largo} client_id {El id. de cliente es demasiado largo} other {Este ' +
      'texto es demasiado largo}}. Use como máximo {max, plural, one {# carácter} other {# caracteres}}.',
  },
  invalid: {
    agent: "{problem} (got ''{given}'')",
    en: 'Remove unusual or invisible characters from this text.',
    es: 'Quite de este texto los caracteres extraños o invisibles.',
  },
  email: {
    agent: "{problem} (got ''{given}'')",
    en: 'Enter an email address, such as ana@example.com.',
    es: 'Escriba una dirección de correo, como ana@example.com.',
  },
  country: {
    agent: "{problem} (got ''{given}'')",
    en: 'Enter a country code of two letters, such as US.',
    es: 'Escriba un código de país de dos letras, como US.',
  },
  currency: {
    agent: "must be a currency code such as USD (ISO 4217) (got ''{given}'')",
    en: 'Enter a currency code, such as USD.',
    es: 'Escriba un código de moneda, como USD.',
  },
  timezone: {
    agent: "must be a time zone such as America/New_York (tz database) (got ''{given}'')",
    en: 'Choose a time zone, such as America/New_York.',
    es: 'Elija una zona horaria, como America/New_York.',
  },
})
