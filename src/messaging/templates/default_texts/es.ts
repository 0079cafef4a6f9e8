import type { Wordings } from './wording.ts'

/** The same texts in Spanish. */
export const es: Wordings = {
  quote_sent: {
    email: {
      subject: 'Cotización {number} de {company_name}',
      body: `Hola {customer_first_name}:

Gracias por consultarnos. Esta es nuestra cotización {number} para {work}: {total}, válida hasta el {valid_until}.

Puede verla y responder aquí:
{link}

¿Tiene preguntas? Responda a este correo.

{company_name}`,
    },
    sms: {
      body: 'Hola {customer_first_name}, somos {company_name}. Ya puede ver su presupuesto {number} por {total}: {link}',
    },
  },
  quote_unanswered: {
    email: {
      subject: 'Su cotización {number} de {company_name}',
      body: `Hola {customer_first_name}:

Le enviamos la cotización {number} para {work} y queremos asegurarnos de que le llegó. Es por {total} y es válida hasta el {valid_until}.

Puede aceptarla o hacernos preguntas aquí:
{link}

{company_name}`,
    },
    sms: {
      body:
        'Hola {customer_first_name}, somos {company_name}. ¿Alguna duda sobre el presupuesto {number} para ' +
        '{work}? Responda en: {link}',
    },
  },
  visit_booked: {
    email: {
      subject: 'Su visita: {visit_day}',
      body: `Hola {customer_first_name}:

Su visita está confirmada: {work}.

Cuándo: {visit_day}, {visit_time}
Dónde: {address}

¿Necesita otra hora? Avísenos aquí:
{link}

Hasta entonces,
{company_name}`,
    },
    sms: {
      body: '{company_name}: su visita queda confirmada: {visit_day}, {visit_time}, {work}. ¿Necesita otra hora? {link}',
    },
  },
  visit_tomorrow: {
    email: {
      subject: 'Recordatorio de su visita: {visit_day}',
      body: `Hola {customer_first_name}:

Le recordamos su visita: {work}.

Cuándo: {visit_day}, {visit_time}
Dónde: {address}
Quién: {technician}

¿Necesita otra hora? Avísenos aquí:
{link}

{company_name}`,
    },
    sms: {
      body: '{company_name}: le recordamos su visita: {visit_day}, {visit_time}, {work}. ¿Necesita otra hora? {link}',
    },
  },
  on_my_way: {
    email: {
      subject: 'En camino: {technician}',
      body: `Hola {customer_first_name}:

{company_name} va en camino a {address} y calcula llegar en {arrival}.

Quién: {technician}

{company_name}`,
    },
    sms: {
      body: 'Hola {customer_first_name}, {company_name} va en camino ({technician}) y calcula llegar en {arrival}.',
    },
  },
  running_late: {
    email: {
      subject: 'Su visita se retrasa',
      body: `Hola {customer_first_name}:

Vamos con retraso y calculamos llegar {arrival} más tarde de lo previsto. Lamentamos la espera.

Quién: {technician}

¿Ya no le conviene esta hora? Responda a este correo.

{company_name}`,
    },
    sms: {
      body:
        'Hola {customer_first_name}, {company_name} va con retraso ({technician}) y calcula llegar {arrival} ' +
        'después de lo previsto. Lamentamos la espera.',
    },
  },
  invoice_sent: {
    email: {
      subject: 'Factura {number} de {company_name}',
      body: `Hola {customer_first_name}:

Gracias por su confianza. Esta es la factura {number}: {balance}, con vencimiento el {due_date}.

Puede verla y pagarla aquí:
{link}

¿Tiene preguntas? Responda a este correo.

{company_name}`,
    },
    sms: {
      body:
        'Hola {customer_first_name}, somos {company_name}. ' +
        'Le enviamos la factura {number}: {balance}, vence el {due_date}. Pague en: {link}',
    },
  },
  invoice_due_soon: {
    email: {
      subject: 'La factura {number} vence el {due_date}',
      body: `Hola {customer_first_name}:

Le recordamos que la factura {number} vence el {due_date}. El saldo pendiente es de {balance}.

Puede verla y pagarla aquí:
{link}

Si ya pagó, muchas gracias; no tiene que hacer nada más.

{company_name}`,
    },
    sms: {
      body: '{company_name}: le recordamos que la factura {number} ({balance}) vence el {due_date}. Pague en: {link}',
    },
  },
  invoice_due: {
    email: {
      subject: 'La factura {number} vence hoy',
      body: `Hola {customer_first_name}:

La factura {number} vence hoy. El saldo pendiente es de {balance}.

Puede verla y pagarla aquí:
{link}

Si ya pagó, muchas gracias; no tiene que hacer nada más.

{company_name}`,
    },
    sms: { body: '{company_name}: la factura {number} ({balance}) vence hoy. Pague en: {link}' },
  },
  invoice_overdue: {
    email: {
      subject: 'La factura {number} está vencida',
      body: `Hola {customer_first_name}:

La factura {number} venció el {due_date} y tiene un saldo pendiente de {balance}. Quizás se le pasó.

Puede verla y pagarla aquí:
{link}

Si algo no está bien, responda y lo resolvemos.

{company_name}`,
    },
    sms: {
      body:
        '{company_name}: la factura {number}, vencida el {due_date}, tiene un saldo pendiente de {balance}. ' +
        'Pague en: {link}',
    },
  },
  invoice_overdue_again: {
    email: {
      subject: 'Segundo aviso: la factura {number} está vencida',
      body: `Hola {customer_first_name}:

No hemos recibido su pago de la factura {number}, que venció el {due_date}. El saldo pendiente es de {balance}.

Por favor, páguela aquí o llámenos para buscar una solución:
{link}

{company_name}`,
    },
    sms: {
      body:
        '{company_name}: la factura {number}, vencida el {due_date}, sigue sin pagarse ({balance}). ' +
        'Pague o llame, por favor: {link}',
    },
  },
  payment_receipt: {
    email: {
      subject: 'Recibo de la factura {number}',
      body: `Hola {customer_first_name}:

Gracias. Recibimos {amount_paid} por la factura {number}. {balance_note}

Su factura está aquí:
{link}

{company_name}`,
    },
    sms: { body: '{company_name}: gracias, recibimos {amount_paid} por la factura {number}. {balance_note} {link}' },
  },
  statement: {
    email: {
      subject: 'Su estado de cuenta al {statement_day}',
      body: `Hola {customer_first_name}:

Adjuntamos su estado de cuenta. Su saldo al {statement_day} es de {balance}.

Sus facturas pendientes están aquí:
{link}

{company_name}`,
    },
    sms: { body: '{company_name}: su saldo al {statement_day} es de {balance}. Sus facturas pendientes: {link}' },
  },
  autopay_coming: {
    email: {
      subject: 'La factura {number} se pagará automáticamente el {due_date}',
      body: `Hola {customer_first_name}:

El {due_date} cobraremos {balance} de la factura {number} en su tarjeta o cuenta bancaria guardada.

No tiene que hacer nada.

Vea la factura, o cambie o detenga los pagos automáticos aquí:
{link}

{company_name}`,
    },
    sms: {
      body:
        '{company_name}: el {due_date} cobraremos {balance} de la factura {number} en su tarjeta o cuenta guardada. ' +
        'Véalo o deténgalo: {link}',
    },
  },
  autopay_failed: {
    email: {
      subject: 'Su pago automático de la factura {number} no se pudo completar',
      body: `Hola {customer_first_name}:

No pudimos cobrar {balance} de la factura {number} en su tarjeta o cuenta bancaria guardada. No se le cobró nada.

Por favor, pague aquí o guarde otra tarjeta o cuenta:
{link}

{company_name}`,
    },
    sms: {
      body: '{company_name}: no se pudo cobrar {balance} de la factura {number}. Pague o guarde otra tarjeta: {link}',
    },
  },
  plan_ending: {
    email: {
      subject: 'Su plan ({plan_name}) termina el {end_date}',
      body: `Hola {customer_first_name}:

Su plan con nosotros ({plan_name}) termina el {end_date}. ¿Le gustaría renovarlo? Responda a este correo y nos encargamos.

{company_name}`,
    },
    sms: {
      body:
        'Hola {customer_first_name}, su plan con {company_name} ({plan_name}) termina el {end_date}. ¿Quiere ' +
        'renovarlo? Responda a este mensaje.',
    },
  },
}
