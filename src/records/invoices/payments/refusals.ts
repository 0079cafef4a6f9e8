import { defineRefusals } from '../../../platform/errors/refusal_text.ts'

/** Refusals of recorded payments and their reversals. */
export const refusals = defineRefusals('invoices.payments', {
  nothingOwedOnVoid: {
    agent: '{number} is void, so nothing is owed on it',
    en: 'Invoice {number} is void, so nothing is owed on it.',
    es: 'La factura {number} está anulada, así que no se debe nada.',
  },
  paid: {
    agent: '{number} is already paid',
    en: 'Invoice {number} is already paid.',
    es: 'La factura {number} ya está pagada.',
  },
  nothingOwed: {
    agent: 'nothing is owed on {number}',
    en: 'Nothing is owed on invoice {number}.',
    es: 'No se debe nada en la factura {number}.',
  },
  amount: {
    agent: 'must be a whole number from {min} to {max}',
    en: 'Enter an amount above 0, such as 125.00.',
    es: 'Escriba un importe mayor que 0, como 125.00.',
  },
  alone: {
    agent: "can't be sent with other fields",
    en: 'Change the invoice and charge it in two steps.',
    es: 'Cambie la factura y cóbrela en dos pasos.',
  },
  aboveBalance: {
    agent: 'must be at most {balance}, the amount still owed',
    en: 'Enter at most {balance}, the amount that is still owed.',
    es: 'Escriba como máximo {balance}, que es lo que falta por pagar.',
  },
  tooLate: {
    agent: "can't be after {last} (got {given})",
    en: 'The payment date can’t be after {lastDay}.',
    es: 'La fecha del pago no puede ser posterior al {lastDay}.',
  },
  tooEarly: {
    agent: "can't be before {first} (got {given})",
    en: 'The payment date can’t be before {firstDay}.',
    es: 'La fecha del pago no puede ser anterior al {firstDay}.',
  },
  voided: {
    agent: '{number} is void, which is final',
    en: 'Invoice {number} is void, so its payments can’t be changed.',
    es: 'La factura {number} está anulada y sus pagos no se pueden cambiar.',
  },
  markedByHand: {
    agent:
      'this is not a payment: the invoice was marked as paid; undo that by setting another status with invoices_update',
    en: 'This invoice was marked as paid without a payment. Change its status instead.',
    es: 'Esta factura se marcó como pagada sin registrar un pago. Cambie su estado.',
  },
  isReversal: {
    agent: 'this entry reverses a payment; record a new payment instead',
    en: 'This entry takes a payment back. Record a new payment instead.',
    es: 'Este movimiento anula un pago. Registre un pago nuevo.',
  },
  paidOnline: {
    agent: 'this payment came from the payments provider; refund it there, and the refund is recorded here',
    en: 'This payment was made online. Refund it with the payment provider, and the refund will show up here.',
    es: 'Este pago se hizo en línea. Reembólselo con el proveedor de pagos y el reembolso aparecerá aquí.',
  },
  takenBack: {
    agent: 'this payment was already reversed',
    en: 'This payment was already undone.',
    es: 'Este pago ya se anuló.',
  },
})
