import type { Texts } from '../texts.ts'

/** Texts of report dates, superseded messages, and text message length. */
export const reading: Texts = {
  'End recurring job': 'Finalizar trabajo recurrente',
  'Recurring job': 'Trabajo recurrente',
  'recurring job': 'trabajo recurrente',
  'Other dates': 'Otras fechas',
  'The invoice was paid, changed or voided before it was sent': 'La factura se pagó, cambió o anuló antes de enviarla',
  'The quote was answered or changed before it was sent': 'La cotización se respondió o cambió antes de enviarla',
  'The visit moved or ended before it was sent': 'La visita se movió o terminó antes de enviarlo',
  'The plan changed before it was sent': 'El plan cambió antes de enviarlo',
  'Anything above the limit is sent the next day. A long text counts as several.':
    'Lo que pasa del límite sale al día siguiente. Un mensaje de texto largo cuenta como varios.',
  'Counts as one text.': 'Cuenta como un mensaje de texto.',
  '“{0}” is added, because it is the first text to this number.': 'Se agrega «{0}», por ser el primero a este número.',
  'Counts as {0} texts.': 'Cuenta como {0} mensajes de texto.',
  'It would be fewer without: {0}': 'Serían menos sin: {0}',
  Size: 'Tamaño',
  'It was too late to send it': 'Ya era tarde para enviarlo',
}
