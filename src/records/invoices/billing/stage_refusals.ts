import { defineRefusals } from '../../../platform/errors/refusal_text.ts'

/** Refusals of stages that are billed on account. */
export const stageRefusals = defineRefusals('invoices.stages', {
  notAccepted: {
    agent: '{number} is not accepted, so no stage of it is billed',
    en: 'Quote {number} isn’t accepted, so there is nothing to bill of it.',
    es: 'La cotización {number} no está aceptada, así que no hay nada que facturar de ella.',
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
  aboveQuote: {
    agent: 'bill {over} more than is left of the quote',
    en: 'This bills {over} more than is left of the quote. Lower the amount.',
    es: 'Esto factura {over} más de lo que queda de la cotización. Baje el importe.',
  },
})
