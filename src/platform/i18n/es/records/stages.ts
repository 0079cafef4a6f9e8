import type { Texts } from '../../texts.ts'

/** Texts of billing a quote in stages. */
export const stages: Texts = {
  'Bill a stage': 'Facturar una etapa',
  Stage: 'Etapa',
  'Stage: {0}': 'Etapa: {0}',
  'Stage {0}': 'Etapa {0}',
  'Such as: rough-in done': 'Por ejemplo: preinstalación (rough-in) terminada',
  'Amount in': 'Importe en',
  'The stage is drafted as an invoice. Check and send it below.':
    'La etapa quedó como borrador de factura. Revíselo y envíelo abajo.',
  'A deposit or partial bill, up to the amount left to bill. The final invoice deducts it and includes the tax.':
    'Un anticipo o una parte de lo que queda por facturar. La factura final lo descuenta y lleva el impuesto.',
  'This is a stage, billed on account': 'Esta es una etapa, facturada a cuenta',
  Billed: 'Facturado',
  'Billed beyond the job': 'Facturado por encima del trabajo',
  'Total of the job': 'Total del trabajo',
  'Billed beyond the quote': 'Facturado por encima de la cotización',
  'Total of the quote': 'Total de la cotización',
  'Left to bill': 'Queda por facturar',
  'The final invoice deducts what was billed on account.': 'La factura final descuenta lo facturado a cuenta.',
  '{0} billed a stage': '{0} facturó una etapa',
}
