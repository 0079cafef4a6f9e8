import { defineRefusals } from '../../../platform/errors/refusal_text.ts'

/** Refusals of stages billed on account. */
export const stageRefusals = defineRefusals('invoices.stages', {
  notAccepted: {
    agent: '{number} is not accepted, so no stage of it is billed',
    en: 'Quote {number} isn’t accepted, so there is nothing to bill of it.',
    es: 'La cotización {number} no está aceptada, así que no hay nada que facturar de ella.',
  },
  notOpen: {
    agent: '{number} is canceled or came from a quote, so no stage of it is billed',
    en: 'Job {number} is canceled, or its quote is billed in stages instead.',
    es: 'El trabajo {number} está cancelado, o se factura por etapas su cotización.',
  },
  nothing: {
    agent: 'comes to nothing',
    en: 'Enter an amount or a percentage above zero.',
    es: 'Escriba un importe o un porcentaje mayor que cero.',
  },
  aboveLeft: {
    agent: 'must be at most what is left to bill, {left}',
    en: 'At most {left} is left to bill. Enter that or less.',
    es: 'Quedan {left} por facturar como máximo. Escriba eso o menos.',
  },
  aboveJob: {
    agent: 'bill {over} more than is left of the job',
    en: 'This bills {over} more than is left of the job. Lower the amount.',
    es: 'Esto factura {over} más de lo que queda del trabajo. Baje el importe.',
  },
  aboveQuote: {
    agent: 'bill {over} more than is left of the quote',
    en: 'This bills {over} more than is left of the quote. Lower the amount.',
    es: 'Esto factura {over} más de lo que queda de la cotización. Baje el importe.',
  },
})
