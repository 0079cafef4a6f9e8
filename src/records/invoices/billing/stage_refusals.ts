import { defineRefusals } from '../../../platform/errors/refusal_text.ts'

/** Refusals of stages billed on account. */
export const stageRefusals = defineRefusals('invoices.stages', {
  notAccepted: {
    agent: "{number} is not accepted, so it can't be billed in stages",
    en: 'Quote {number} isn’t accepted, so it can’t be billed in stages.',
    es: 'La cotización {number} no está aceptada, así que no se puede facturar por etapas.',
  },
  notOpen: {
    agent: "{number} is cancelled or came from a quote, so it can't be billed in stages",
    en: 'Job {number} is canceled, or its quote is billed in stages instead.',
    es: 'El trabajo {number} está cancelado, o se factura por etapas su cotización.',
  },
  nothing: {
    agent: 'must come to more than 0',
    en: 'Enter an amount or a percentage above zero.',
    es: 'Escriba un importe o un porcentaje mayor que cero.',
  },
  aboveLeft: {
    agent: 'must be at most {left}, the amount left to bill',
    en: 'Enter at most {left}, the amount left to bill.',
    es: 'Quedan {left} por facturar como máximo. Escriba eso o menos.',
  },
  aboveJob: {
    agent: 'bill {over} more than is left on the job',
    en: 'This bills {over} more than is left on the job. Lower the amount.',
    es: 'Esto factura {over} más de lo que queda del trabajo. Baje el importe.',
  },
  aboveQuote: {
    agent: 'bill {over} more than is left on the quote',
    en: 'This bills {over} more than is left on the quote. Lower the amount.',
    es: 'Esto factura {over} más de lo que queda de la cotización. Baje el importe.',
  },
})
