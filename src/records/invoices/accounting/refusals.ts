import { defineRefusals } from '../../../platform/errors/refusal_text.ts'

/** Refusals of batches for accounting programs. */
export const refusals = defineRefusals('invoices.accounting', {
  nothingNew: {
    agent: 'there is nothing new to export for these days, and nothing already exported has changed',
    en: 'There is nothing new to export for these days, and nothing you already exported has changed.',
    es: 'No hay nada nuevo para su contabilidad en estos días, y nada de lo exportado ha cambiado.',
  },
  unknownFormat: {
    agent: "must be {formats} (got ''{format}'')",
    en: 'Choose which program the file is for.',
    es: 'Elija para qué programa es el archivo.',
  },
  notInBooks: {
    agent: 'batch {number} is not in the books, so there is nothing to undo',
    en: 'Batch {number} isn’t in your books, so there is nothing to undo.',
    es: 'El lote {number} no está en su contabilidad, así que no hay nada que anular.',
  },
  notNewest: {
    agent: "batch {number} can't be undone yet; undo the newest one first, batch {newest}",
    en: 'Undo batch {newest} first. It is the newest one.',
    es: 'Anule primero el lote {newest}, que es el más reciente.',
  },
})
