import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('keys', {
  expiry: {
    agent: "{problem} (got ''{given}'')",
    en: 'Enter the date on which the key expires.',
    es: 'Escriba la fecha en que vence la clave.',
  },
  expiryPast: {
    agent: "must be in the future (got ''{given}'')",
    en: 'Enter a future date on which the key expires.',
    es: 'Escriba una fecha futura en que venza la clave.',
  },
})
