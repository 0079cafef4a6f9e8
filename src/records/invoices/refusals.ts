import { defineRefusals, defineWarnings } from '../../platform/errors/refusal_text.ts'

/** Refusals of new and changed invoices. */
export const refusals = defineRefusals('invoices', {
  twoSources: {
    agent: "and {quote} can't be combined; send one of them",
    en: 'Copy from a job or from a quote, not from both.',
    es: 'Copie de un trabajo o de una cotización, no de ambos.',
  },
  linesBesideJob: {
    agent: "can't be combined with {job}, which copies the job's",
    en: 'The lines are copied from the job. Don’t enter others.',
    es: 'Las líneas se copian del trabajo. No escriba otras.',
  },
  linesBesideQuote: {
    agent: "can't be combined with {quote}, which copies the quote's",
    en: 'The lines are copied from the quote. Don’t enter others.',
    es: 'Las líneas se copian de la cotización. No escriba otras.',
  },
  otherQuote: {
    agent: 'must be the same as {quote}',
    en: 'Choose the quote that the lines are copied from.',
    es: 'Elija la cotización de la que se copian las líneas.',
  },
  unknownJob: {
    agent: 'is not a job of this customer; find its id with jobs_list',
    en: 'Choose a job of this customer.',
    es: 'Elija un trabajo de este cliente.',
  },
  dueBeforeIssue: {
    agent: 'must be on or after {issue_date} {issued} (got {due}); send null for the default terms',
    en: 'The due date can’t be before the invoice date.',
    es: 'La fecha de vencimiento no puede ser anterior a la fecha de la factura.',
  },
  voided: {
    agent: '{number} is void, which is final; create a new invoice with invoices_create',
    en: 'Invoice {number} is void, so it can’t be changed. Create a new invoice instead.',
    es: 'La factura {number} está anulada y no se puede cambiar. Cree una factura nueva.',
  },
  sent: {
    agent:
      '{number} is sent, and {fields} can be changed only in draft; ' +
      'set status to draft first, in a separate call, ' +
      'which unmarks it as sent until it is sent again; or add a note to it (notes_create), which undoes nothing',
    en: 'Invoice {number} was already sent. Move it back to draft to change it, or add a note to it.',
    es: 'La factura {number} ya se envió. Vuelva a ponerla en borrador para cambiarla, o agréguele una nota.',
  },
  groupedRemoved: {
    agent: "can't be combined with include_removed: removed records are in no group; leave one out",
    en: 'Deleted records can’t be added up. Remove one of the two filters.',
    es: 'Los registros eliminados no se pueden sumar. Quite uno de los dos filtros.',
  },
  settled: {
    agent:
      '{number} is {status}, and {fields} can be changed only in draft; ' +
      'leave it {status} and add a note to it (notes_create), which undoes nothing: ' +
      'status draft would undo that it is {status}',
    en:
      'Invoice {number} is {status, select, paid {paid} other {marked as uncollectible}}, ' +
      'so it can’t be changed. Add a note to it instead.',
    es:
      'La factura {number} está {status, select, ' +
      'paid {pagada} other {marcada como incobrable}} y no se puede cambiar. Agréguele una nota.',
  },
})

export const warnings = defineWarnings('invoices', {
  paidVoided: {
    agent:
      '{number} is void, and {amount} was paid on it: that payment stays recorded and is not refunded. ' +
      'Tell a person, who can refund it or bill the work again',
    en: '{number} is void, and {amount} was paid on it. Refund it, or bill the work again.',
    es: '{number} está anulada y ya se habían pagado {amount}. Devuelva el pago o facture el trabajo de nuevo.',
  },
  untaxed: {
    agent:
      '{number} has no tax: the company has no tax rate yet and has not confirmed that it charges no tax. ' +
      'Ask a person; create a rate with tax_rates_create, or an owner can confirm at {url} that there is no tax',
    en: 'This invoice has no tax: your company has no tax rate yet.',
    es: 'Esta factura no lleva impuesto: su empresa todavía no tiene una tasa de impuesto.',
  },
  billedTwice: {
    agent: '{what} is already billed by {by} ({status}); ask whether both are intended',
    en: '{what} is already billed by invoice {by}. Check that you need both.',
    es: '{what} ya se cobra en la factura {by}. Revise si hacen falta las dos.',
  },
  billedElsewhere: {
    agent: '{what} is already billed by another invoice; ask whether both are intended',
    en: '{what} is already billed by another invoice. Check that you need both.',
    es: '{what} ya se cobra en otra factura. Revise si hacen falta las dos.',
  },
  nothingCopied: {
    agent: 'there were no line items to copy, so this invoice has a total of 0; add line_items with invoices_update',
    en: 'There was no work and no parts to copy, so this invoice is empty. Add what you want to bill.',
    es: 'No había trabajo ni piezas que copiar, así que la factura está vacía. Agregue lo que quiera cobrar.',
  },
  quoteWithoutLines: {
    agent:
      'quote_id copies no line items, so this invoice has a total of 0; ' +
      'add line_items with invoices_update, or create it with from_quote_id',
    en: 'Nothing was copied from the quote, so this invoice is empty. Add what you want to bill.',
    es: 'No se copió nada de la cotización, así que la factura está vacía. Agregue lo que quiera cobrar.',
  },
})
