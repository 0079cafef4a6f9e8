import type { Texts } from '../texts.ts'

/** Holds the words of reports' dates, and of messages that were overtaken. */
export const reading: Texts = {
  'Other dates': 'Otras fechas',
  'The invoice was paid, changed or voided before it went': 'La factura se pagó, cambió o anuló antes de enviarlo',
  'The quote was answered or changed before it went': 'El presupuesto se respondió o cambió antes de enviarlo',
  'The visit moved or ended before it went': 'La visita se movió o terminó antes de enviarlo',
  'The plan changed before it went': 'El plan cambió antes de enviarlo',
  'It was too late for it to be of use': 'Ya era tarde para que sirviera',
}
