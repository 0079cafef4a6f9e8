import type { Texts } from '../texts.ts'

/** Texts of shortcuts, of billing and sending in one step, of a recurring job's frequency, and of permanent ends. */
export const trade: Texts = {
  "Create and send writes to its contact at once, in your company's words. To look at the message first, create it and press Send.":
    'Crear y enviar escribe a su contacto al momento, con la plantilla de su empresa. ' +
    'Para ver antes el mensaje, cree el documento y presione Enviar.',
  'Bill and send': 'Facturar y enviar',
  'Done, bill and send': 'Terminar, facturar y enviar',
  Daily: 'Cada día',
  'Every {0} days': 'Cada {0} días',
  'Every {0} weeks': 'Cada {0} semanas',
  'Every {0} months': 'Cada {0} meses',
  'Every {0} years': 'Cada {0} años',
  '{0} on {1}': '{0}: {1}',
  '{0} on {1}|phone': '{0} en {1}',
  'every day': 'todos los días',
  'every weekday': 'de lunes a viernes',
  'the first {0}': 'el primer {0}',
  'the second {0}': 'el segundo {0}',
  'the third {0}': 'el tercer {0}',
  'the fourth {0}': 'el cuarto {0}',
  'the fifth {0}': 'el quinto {0}',
  'the last {0}': 'el último {0}',
  'day {0}': 'día {0}',
  'the last day': 'el último día',
  '{0}, until {1}': '{0}, hasta el {1}',
  '{0}, in {1}': '{0}, en {1}',
  '{0}, from {1} to {2}': '{0}, de {1} a {2}',
  '{0}, at {1}': '{0}, {1}',
  '{0}, only if it is {1}': '{0}, solo si es {1}',
  '{0} if it is {1}': '{0} si es {1}',
  '{0} among {1}': '{0} entre {1}',
  '{0}, counted across {1}': '{0}, contado entre {1}',
  '{0} of the year': '{0} del año',
  '{0} of every month': '{0} de cada mes',
  'every {0}': 'cada {0}',
  weekday: 'día de entre semana',
  'a weekday': 'un día de entre semana',
  'weekend day': 'día de fin de semana',
  '{0} number {1}': '{0} número {1}',
  '{0} number {1} from the end': '{0} número {1} desde el final',
  'the second to last {0}': 'el penúltimo {0}',
  'day {0} from the end': 'día {0} desde el final',
  '{1}, once': '{1}, una vez',
  '{1}, {0} times': '{1}, {0} veces',
  "It can't be used on anything new. Quotes, jobs and invoices keep what they copied from it. This can't be undone.":
    'No se puede usar en nada nuevo. Las cotizaciones, ' +
    'los trabajos y las facturas conservan lo que copiaron de él. Esto no se puede deshacer.',
  'It creates no more invoices, and its visits are canceled. Its invoices stay; nothing is refunded.':
    'No crea más facturas y sus visitas se cancelan. Sus facturas quedan; no se reembolsa nada.',
  'It ends on {0}': 'Termina el {0}',
  'Renew it, or let it end. Tell the customer either way.':
    'Renuévelo o deje que termine. Avise al cliente en los dos casos.',
  'A plan with visits is one agreement: both are renewed and ended together.':
    'Un plan con visitas es un solo acuerdo: los dos se renuevan y terminan juntos.',
  'Visits left': 'Visitas restantes',
  'Without an end': 'Sin fecha de fin',
  'One visit': 'Una visita',
  '{0} months': '{0} meses',
  'Add visits': 'Agregar visitas',
  'The visits are booked.': 'Las visitas están programadas.',
  'They are booked at the plan’s address and until its last day.':
    'Se programan en la dirección del plan y hasta su último día.',
  Renew: 'Renovar',
  'The plan and its visits continue at the same prices.': 'El plan y sus visitas continúan con los mismos precios.',
  'For another': 'Por otros',
  'Plans that end soon': 'Planes que terminan pronto',
  'Renew or end': 'Renovar o terminar',
  '{0} added visits to the plan': '{0} agregó visitas al plan',
  '{0} renewed it': '{0} lo renovó',
  "Its visits after the last day are canceled, and it can't be resumed. Earlier visits stay as they are.":
    'Sus visitas después del último día se cancelan, y no se puede reanudar. Las visitas anteriores quedan como están.',
  'The percentage can’t change, because earlier invoices used it. Create a new rate and archive this one instead.':
    'El porcentaje no puede cambiar, porque lo usan facturas anteriores. Cree una tasa nueva y archive esta.',
}
