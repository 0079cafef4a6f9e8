import type { Texts } from '../../texts.ts'

export const books: Texts = {
  'A spreadsheet': 'Una hoja de cálculo',
  Batch: 'Lote',
  'Batch {0}': 'Lote {0}',
  'Batch {0} is ready.': 'El lote {0} está listo.',
  'Batch {0} was undone.': 'Se anuló el lote {0}.',
  Batches: 'Lotes',
  'Journal entries': 'Asientos contables',
  'Each batch has what isn’t in your books yet, and corrects what changed since.':
    'Cada lote contiene lo que aún no está en su contabilidad y corrige lo que cambió después.',
  'File for': 'Archivo para',
  'For the next batch': 'Para el próximo lote',
  'In the books': 'En la contabilidad',
  'It stays in the books': 'Sigue en la contabilidad',
  'Create batch': 'Crear lote',
  "Create the file's accounts in your books first, as ordinary accounts. Neither program accepts entries on its own receivables or tax accounts.":
    'Cree antes en su contabilidad las cuentas del archivo, como cuentas normales: ' +
    'ningún programa admite asientos en sus propias cuentas por cobrar o de impuestos.',
  'No batch was created': 'No se creó ningún lote',
  'No batches yet': 'Todavía no hay lotes',
  'QuickBooks Online': 'QuickBooks Online',
  'Undo batch': 'Anular el lote',
  'Undo batch {0}': 'Anular el lote {0}',
  'Undo batch {0}?': '¿Anular el lote {0}?',
  'The next batch includes its entries again. Remove them from your books yourself, or they count twice.':
    'El próximo lote contendrá de nuevo sus asientos. Quítelos usted de su contabilidad o contarán dos veces.',
  Xero: 'Xero',
  'Your books have everything from these days.': 'Su contabilidad tiene todo lo de estos días.',
  'one entry': 'un asiento',
  'one of them a correction': 'uno de ellos una corrección',
  '{0} entries': '{0} asientos',
  '{0} of them corrections': '{0} de ellos correcciones',
}
