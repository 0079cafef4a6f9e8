import type { Texts } from '../texts.ts'

/** Texts for company setup: address, hours, tax, payments and senders. */
export const company: Texts = {
  'Add hours': 'Agregar horario',
  'Add tax rate': 'Agregar tasa de impuesto',
  'Another time zone': 'Otra zona horaria',
  'Can’t take payments': 'No puede cobrar',
  'Card payments': 'Pagos con tarjeta',
  Closed: 'Cerrada',
  Connected: 'Conectada',
  'Customers pay invoices online.': 'Los clientes pagan sus facturas en línea.',
  'Enter your name, at most 100 characters.': 'Escriba su nombre, de 100 caracteres como máximo.',
  'Free times are offered within them. Monday to Friday, 8 to 5, until you save others.':
    'Las horas libres se ofrecen dentro de ese horario: de lunes a viernes, de 8 a 5, hasta que guarde otro.',
  'No account is connected yet, so customers see no way to pay by card. Send the id of your account at the payments provider to this service’s administrator. They connect it with this command:':
    'Todavía no hay una cuenta conectada, así que los clientes no pueden pagar con tarjeta. ' +
    'Envíe el id. de su cuenta en el proveedor de pagos a quien administra este servicio. La conecta con este comando:',
  "No sender yet. Ask this service's administrator to set one up.":
    'Todavía no hay remitente. Pida al administrador de este servicio que lo configure.',
  'Phone numbers without a country code are taken as numbers of this country.':
    'Los números de teléfono sin código de país se toman como números de este país.',
  'Quotes, invoices and reminders wait in the Outbox until there is a sender.':
    'Las cotizaciones, facturas y recordatorios esperan en la bandeja de salida hasta que haya un remitente.',
  'Sales tax': 'Impuesto sobre las ventas',
  'Save sales tax': 'Guardar el impuesto',
  'Saved: you charge tax.': 'Guardado: cobra impuestos.',
  'Saved: you don’t charge tax.': 'Guardado: no cobra impuestos.',
  'Set up your email and texts': 'Configure su correo y sus mensajes de texto',
  'Set your tax rate': 'Configure su tasa de impuesto',
  'Set your working hours': 'Configure su horario de trabajo',
  'Take card payments': 'Cobre con tarjeta',
  'Text messages': 'Mensajes de texto',
  'The payments provider asks you for more. See your account there.':
    'El proveedor de pagos le pide más datos. Vea su cuenta allí.',
  "You won't be warned about invoices without tax.": 'No se le avisará de las facturas sin impuesto.',
  'This invoice has no tax': 'Esta factura no lleva impuesto',
  'Until then quotes and invoices go out without tax.':
    'Hasta entonces, las cotizaciones y facturas salen sin impuesto.',
  'We don’t charge tax': 'No cobramos impuestos',
  'What you send': 'Lo que usted envía',
  'Your company has no tax rate yet. If you charge sales tax, ask an owner to add the rate first.':
    'Su empresa todavía no tiene una tasa de impuesto. ' +
    'Si cobra impuesto sobre las ventas, pida primero a un propietario que agregue la tasa.',
  'Your company has no tax rate yet. If you charge sales tax, add the rate first.':
    'Su empresa todavía no tiene una tasa de impuesto. Si cobra impuesto sobre las ventas, agregue primero la tasa.',
  '{0} more steps': '{0} pasos más',
}
