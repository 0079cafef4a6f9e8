import { defineRefusals } from '../platform/errors/refusal_text.ts'

/** Refusals of links for customers. */
export const refusals = defineRefusals('customer_portal', {
  badDays: {
    agent: 'must be a whole number from 1 to {max} (got {days})',
    en: 'Enter a number of days from 1 to {max}.',
    es: 'Escriba un número de días de 1 a {max}.',
  },
})
