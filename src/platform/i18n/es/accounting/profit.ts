import type { Texts } from '../../texts.ts'

/** Texts of profit and labor rates. */
export const profit: Texts = {
  'A part without a cost or a member without a rate counts as nothing.':
    'Una pieza sin costo o un miembro sin tarifa cuenta como cero.',
  'By job': 'Por trabajo',
  'Cost of an hour': 'Costo por hora',
  'Cost of an hour ({0})': 'Costo por hora ({0})',
  'Finished jobs: invoices without tax, less parts and labor. Only owners see this.':
    'Trabajos terminados: facturas sin impuestos, menos piezas y mano de obra. Solo lo ven los propietarios.',
  'From day': 'Desde el día',
  'Had their labor rate changed': 'Se cambió su tarifa de mano de obra',
  'Labor rates': 'Costo de mano de obra',
  'Labor: {0}': 'Mano de obra: {0}',
  Margin: 'Margen',
  'No finished jobs in this period': 'No hay trabajos terminados en este período',
  'Not billed yet': 'Sin facturar',
  'One job has a part without a cost or a member without a rate.':
    'Un trabajo tiene una pieza sin costo o un miembro sin tarifa.',
  '{0} jobs have a part without a cost or a member without a rate.':
    '{0} trabajos tienen una pieza sin costo o un miembro sin tarifa.',
  'One job isn’t billed yet.': 'Un trabajo aún no se ha facturado.',
  '{0} jobs aren’t billed yet.': '{0} trabajos aún no se han facturado.',
  Parts: 'Refacciones',
  Profit: 'Ganancia',
  'Rates so far': 'Tarifas hasta ahora',
  'Set rate': 'Fijar tarifa',
  'The profit isn’t complete': 'La ganancia no está completa',
  'There are more jobs than this report reads. Choose fewer days.':
    'Hay más trabajos de los que lee este informe. Elija menos días.',
  'What an hour costs you, taxes and benefits included. Only owners see it.':
    'Lo que le cuesta una hora, con impuestos y prestaciones. Solo lo ven los propietarios.',
  '{0} without a rate': '{0} sin tarifa',
}
