import { defineRefusals } from '../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('customer_portal', {
  draft: {
    agent: 'a draft has no link: send it, or mark it as sent, then create the link',
    en: 'A draft is not for the customer yet. Send it, or mark it as sent, then create the link.',
    es: 'Un borrador todavía no es para el cliente. Envíelo o márquelo como enviado y después cree el enlace.',
  },
  badDays: {
    agent: 'must be a whole number from 1 to {max} (got {days})',
    en: 'Enter a number of days from 1 to {max}.',
    es: 'Escriba un número de días de 1 a {max}.',
  },
})
