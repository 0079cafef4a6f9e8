import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withReader } from '../../../platform/i18n/reader.ts'
import { exampleSubjectRecord } from '../examples.ts'
import { MESSAGE_KINDS, type MessageKind } from '../kinds.ts'
import { placeholderValues } from '../placeholder_values.ts'
import { fillPlaceholders } from '../placeholders.ts'
import { es } from './es.ts'

const COMPANY = { name: 'Aire Austin', timezone: 'America/Chicago', country: 'US', currency: 'USD' }

/** Returns the subject, mail and text of a kind as a customer reads them, for a crew of two. */
function textsOf(kind: MessageKind): [string, string, string] {
  const record = withReader({ language: 'es', country: 'US' }, () => exampleSubjectRecord(kind, COMPANY))
  const values = placeholderValues(
    {
      ...record,
      day: '2026-03-16',
      starts_at: '2026-03-03T15:00:00Z',
      crew: [...record.crew, { user_id: '', name: 'Ana Paz' }],
    },
    { link: 'https://c.example/1', minutes: 30 },
  )
  const fill = (text: string): string => fillPlaceholders(text, values).replaceAll(/[\u00a0\u202f]/g, ' ')
  const { email, sms } = es[kind]
  return [fill(email.subject), fill(email.body).replaceAll('\n\n', ' ¶ ').replaceAll('\n', ' '), fill(sms.body)]
}

const SENTENCES: Readonly<Record<MessageKind, [string, string, string]>> = {
  quote_sent: [
    'Cotización Q-1042 de Aire Austin',
    'Hola Ana: ¶ Gracias por consultarnos. Esta es nuestra cotización Q-1042 para Cambio del calentador de agua: $1,845.00, válida hasta el 16 de marzo de 2026. ¶ Puede verla y responder aquí: https://c.example/1 ¶ ¿Tiene preguntas? Responda a este correo. ¶ Aire Austin',
    'Hola Ana, somos Aire Austin. Ya puede ver su presupuesto Q-1042 por $1,845.00: https://c.example/1',
  ],
  quote_unanswered: [
    'Su cotización Q-1042 de Aire Austin',
    'Hola Ana: ¶ Le enviamos la cotización Q-1042 para Cambio del calentador de agua y queremos asegurarnos de que le llegó. Es por $1,845.00 y es válida hasta el 16 de marzo de 2026. ¶ Puede aceptarla o hacernos preguntas aquí: https://c.example/1 ¶ Aire Austin',
    'Hola Ana, somos Aire Austin. ¿Alguna duda sobre el presupuesto Q-1042 para Cambio del calentador de agua? Responda en: https://c.example/1',
  ],
  visit_booked: [
    'Su visita: martes, 3 de marzo',
    'Hola Ana: ¶ Su visita está confirmada: Cambio del calentador de agua. ¶ Cuándo: martes, 3 de marzo, de 9:00 a.m. a 11:00 a.m. Dónde: 500 Congress Ave, Austin, TX 78701 ¶ ¿Necesita otra hora? Avísenos aquí: https://c.example/1 ¶ Hasta entonces, Aire Austin',
    'Aire Austin: su visita queda confirmada: martes, 3 de marzo, de 9:00 a.m. a 11:00 a.m., Cambio del calentador de agua. ¿Necesita otra hora? https://c.example/1',
  ],
  visit_tomorrow: [
    'Recordatorio de su visita: martes, 3 de marzo',
    'Hola Ana: ¶ Le recordamos su visita: Cambio del calentador de agua. ¶ Cuándo: martes, 3 de marzo, de 9:00 a.m. a 11:00 a.m. Dónde: 500 Congress Ave, Austin, TX 78701 Quién: Luis Ortega y Ana Paz ¶ ¿Necesita otra hora? Avísenos aquí: https://c.example/1 ¶ Aire Austin',
    'Aire Austin: le recordamos su visita: martes, 3 de marzo, de 9:00 a.m. a 11:00 a.m., Cambio del calentador de agua. ¿Necesita otra hora? https://c.example/1',
  ],
  on_my_way: [
    'En camino: Luis Ortega y Ana Paz',
    'Hola Ana: ¶ Aire Austin va en camino a 500 Congress Ave, Austin, TX 78701 y calcula llegar en unos 30 minutos. ¶ Quién: Luis Ortega y Ana Paz ¶ Aire Austin',
    'Hola Ana, Aire Austin va en camino (Luis Ortega y Ana Paz) y calcula llegar en unos 30 minutos.',
  ],
  running_late: [
    'Su visita se retrasa',
    'Hola Ana: ¶ Vamos con retraso y calculamos llegar unos 30 minutos más tarde de lo previsto. Lamentamos la espera. ¶ Quién: Luis Ortega y Ana Paz ¶ ¿Ya no le conviene esta hora? Responda a este correo. ¶ Aire Austin',
    'Hola Ana, Aire Austin va con retraso (Luis Ortega y Ana Paz) y calcula llegar unos 30 minutos después de lo previsto. Lamentamos la espera.',
  ],
  invoice_sent: [
    'Factura INV-1042 de Aire Austin',
    'Hola Ana: ¶ Gracias por su confianza. Esta es la factura INV-1042: $1,845.00, con vencimiento el 16 de marzo de 2026. ¶ Puede verla y pagarla aquí: https://c.example/1 ¶ ¿Tiene preguntas? Responda a este correo. ¶ Aire Austin',
    'Hola Ana, somos Aire Austin. Le enviamos la factura INV-1042: $1,845.00, vence el 16 de marzo de 2026. Pague en: https://c.example/1',
  ],
  invoice_due_soon: [
    'La factura INV-1042 vence el 16 de marzo de 2026',
    'Hola Ana: ¶ Le recordamos que la factura INV-1042 vence el 16 de marzo de 2026. El saldo pendiente es de $1,845.00. ¶ Puede verla y pagarla aquí: https://c.example/1 ¶ Si ya pagó, muchas gracias; no tiene que hacer nada más. ¶ Aire Austin',
    'Aire Austin: le recordamos que la factura INV-1042 ($1,845.00) vence el 16 de marzo de 2026. Pague en: https://c.example/1',
  ],
  invoice_due: [
    'La factura INV-1042 vence hoy',
    'Hola Ana: ¶ La factura INV-1042 vence hoy. El saldo pendiente es de $1,845.00. ¶ Puede verla y pagarla aquí: https://c.example/1 ¶ Si ya pagó, muchas gracias; no tiene que hacer nada más. ¶ Aire Austin',
    'Aire Austin: la factura INV-1042 ($1,845.00) vence hoy. Pague en: https://c.example/1',
  ],
  invoice_overdue: [
    'La factura INV-1042 está vencida',
    'Hola Ana: ¶ La factura INV-1042 venció el 16 de marzo de 2026 y tiene un saldo pendiente de $1,845.00. Quizás se le pasó. ¶ Puede verla y pagarla aquí: https://c.example/1 ¶ Si algo no está bien, responda y lo resolvemos. ¶ Aire Austin',
    'Aire Austin: la factura INV-1042, vencida el 16 de marzo de 2026, tiene un saldo pendiente de $1,845.00. Pague en: https://c.example/1',
  ],
  invoice_overdue_again: [
    'Segundo aviso: la factura INV-1042 está vencida',
    'Hola Ana: ¶ No hemos recibido su pago de la factura INV-1042, que venció el 16 de marzo de 2026. El saldo pendiente es de $1,845.00. ¶ Por favor, páguela aquí o llámenos para buscar una solución: https://c.example/1 ¶ Aire Austin',
    'Aire Austin: la factura INV-1042, vencida el 16 de marzo de 2026, sigue sin pagarse ($1,845.00). Pague o llame, por favor: https://c.example/1',
  ],
  payment_receipt: [
    'Recibo de la factura INV-1042',
    'Hola Ana: ¶ Gracias. Recibimos $1,845.00 por la factura INV-1042. La factura queda pagada por completo. ¶ Su factura está aquí: https://c.example/1 ¶ Aire Austin',
    'Aire Austin: gracias, recibimos $1,845.00 por la factura INV-1042. La factura queda pagada por completo. https://c.example/1',
  ],
  statement: [
    'Su estado de cuenta al 16 de marzo de 2026',
    'Hola Ana: ¶ Adjuntamos su estado de cuenta. Su saldo al 16 de marzo de 2026 es de $1,845.00. ¶ Sus facturas pendientes están aquí: https://c.example/1 ¶ Aire Austin',
    'Aire Austin: su saldo al 16 de marzo de 2026 es de $1,845.00. Sus facturas pendientes: https://c.example/1',
  ],
  autopay_coming: [
    'La factura INV-1042 se pagará automáticamente el 16 de marzo de 2026',
    'Hola Ana: ¶ El 16 de marzo de 2026 cobraremos $1,845.00 de la factura INV-1042 en su tarjeta o cuenta bancaria guardada. ¶ No tiene que hacer nada. ¶ Vea la factura, o cambie o detenga los pagos automáticos aquí: https://c.example/1 ¶ Aire Austin',
    'Aire Austin: el 16 de marzo de 2026 cobraremos $1,845.00 de la factura INV-1042 en su tarjeta o cuenta guardada. Véalo o deténgalo: https://c.example/1',
  ],
  autopay_failed: [
    'Su pago automático de la factura INV-1042 no se pudo completar',
    'Hola Ana: ¶ No pudimos cobrar $1,845.00 de la factura INV-1042 en su tarjeta o cuenta bancaria guardada. No se le cobró nada. ¶ Por favor, pague aquí o guarde otra tarjeta o cuenta: https://c.example/1 ¶ Aire Austin',
    'Aire Austin: no se pudo cobrar $1,845.00 de la factura INV-1042. Pague o guarde otra tarjeta: https://c.example/1',
  ],
  plan_ending: [
    'Su plan (Plan de mantenimiento) termina el 16 de marzo de 2026',
    'Hola Ana: ¶ Su plan con nosotros (Plan de mantenimiento) termina el 16 de marzo de 2026. ¿Le gustaría renovarlo? Responda a este correo y nos encargamos. ¶ Aire Austin',
    'Hola Ana, su plan con Aire Austin (Plan de mantenimiento) termina el 16 de marzo de 2026. ¿Quiere renovarlo? Responda a este mensaje.',
  ],
}

describe('the default templates in Spanish', () => {
  for (const kind of MESSAGE_KINDS)
    it(`for ${kind} give the expected sentences`, () => assert.deepEqual(textsOf(kind), SENTENCES[kind]))
})
