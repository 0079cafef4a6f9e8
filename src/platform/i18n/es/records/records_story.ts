import type { Texts } from '../../texts.ts'

/** Texts of a record's page as a story: what comes next, what happened, what is written in place. */
export const records_story: Texts = {
  Activity: 'Actividad',
  'All fields': 'Todos los campos',
  'All records': 'Todos los registros',
  'Booked {0} for {1}': 'Se agendó {0} para el {1}',
  'Jobs ({0} open)': 'Trabajos ({0} abiertos)',
  Newest: 'Lo más reciente',
  'Nothing here yet.': 'Todavía no hay nada aquí.',
  'One unpaid invoice': 'Una factura sin pagar',
  '{0} unpaid invoices': '{0} facturas sin pagar',
  'One unread message': 'Un mensaje sin leer',
  '{0} unread messages': '{0} mensajes sin leer',
  'Paid so far': 'Pagado hasta hoy',
  'Pinned notes': 'Notas fijadas',
  'Save note': 'Guardar nota',
  'Write a message': 'Escriba un mensaje',
  'Write a note': 'Escriba una nota',
  'next {0}': 'próxima: {0}',
  '1 more file': '1 archivo más',
  '{0} more files': '{0} archivos más',
  '{0}: {1} overdue': '{0}: {1} vencidos',
  '{0}, waits for an answer until {1}': '{0}, espera respuesta hasta el {1}',
}
