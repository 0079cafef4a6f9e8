import type { Texts } from '../../texts.ts'

/** Texts of the page that connects an accounting program. */
export const books_sync: Texts = {
  Books: 'Contabilidad',
  'What you bill and receive goes to your accounting program, one way.':
    'Lo que usted factura y cobra pasa a su programa de contabilidad, en un solo sentido.',
  'Connect your accounting program': 'Conectar su programa de contabilidad',
  'No accounting program is set up here. Until the operator does that, use the exports.':
    'Aquí no hay ningún programa de contabilidad configurado. Hasta que el operador lo haga, use las exportaciones.',
  'Invoices, payments, customers and items are sent there automatically. Nothing comes back from there.':
    'Las facturas, los pagos, los clientes y los artículos se envían solos. Nada vuelve de allí.',
  'Connect {0}': 'Conectar {0}',
  'Company there': 'Empresa en el programa',
  'Choose company': 'Elegir empresa',
  Accounts: 'Cuentas',
  'Choose where each amount goes. Make an account there first if one is missing.':
    'Elija a dónde va cada importe. Si falta una cuenta, créela antes en el programa.',
  'Choose an account': 'Elija una cuenta',
  'Sales tax you owe': 'Impuesto sobre ventas por pagar',
  'Customer deposits': 'Anticipos de clientes',
  'Cash, checks and transfers': 'Efectivo, cheques y transferencias',
  'Online payments': 'Pagos en línea',
  'Tips you owe your people': 'Propinas que debe a su personal',
  'Don’t send tips': 'No enviar las propinas',
  'Bad debts': 'Deudas incobrables',
  'Invoices from this day on': 'Facturas desde este día',
  'Choose a day from which you entered no invoices there yourself.':
    'Elija un día desde el cual no haya registrado ninguna allí.',
  'Save accounts': 'Guardar cuentas',
  'Access ended': 'Acceso retirado',
  'Not started': 'Sin empezar',
  Paused: 'En pausa',
  'The program revoked access. Connect again, and sending continues where it stopped.':
    'El programa retiró el acceso. Conéctese de nuevo: el envío sigue donde se detuvo.',
  'Invoices from {0} on, with their payments.': 'Facturas desde el {0}, con sus pagos.',
  'The program asked to wait. Sending continues automatically at {0}.':
    'El programa pidió esperar. El envío sigue solo a partir de: {0}.',
  'Connect again': 'Conectar de nuevo',
  'Start dry run': 'Hacer una prueba',
  'Change accounts': 'Cambiar cuentas',
  'Dry run': 'Prueba',
  'Nothing was sent. This is what {0} would get.': 'No se envió nada. Esto es lo que recibiría {0}.',
  'What would be created': 'Lo que se crearía',
  'Totals by account': 'Totales por cuenta',
  Account: 'Cuenta',
  Receivables: 'Cuentas por cobrar',
  'To send': 'Por enviar',
  'Your ledger': 'Su libro mayor',
  'First invoices': 'Primeras facturas',
  Lines: 'Líneas',
  '{0} payment ({1}) is of an earlier invoice. Enter it there yourself.':
    '{0} pago ({1}) es de una factura anterior. Regístrelo usted en el programa.',
  '{0} payments ({1}) are of earlier invoices. Enter them there yourself.':
    '{0} pagos ({1}) son de facturas anteriores. Regístrelos usted en el programa.',
  'There are more documents than a dry run checks. All of them are sent.':
    'Hay más documentos de los que recorre la prueba. Se envían todos.',
  'Start sending': 'Empezar a enviar',
  Records: 'Registros',
  'Latest records': 'Últimos registros',
  'Nothing was sent yet.': 'Todavía no se envió nada.',
  Record: 'Registro',
  'Try all again': 'Reintentar todos',
  'Write-offs': 'Importes incobrables',
  'Write-off': 'Importe incobrable',
  'Credit for void invoice': 'Crédito de factura anulada',
  'Records by kind': 'Registros por tipo',
  'Credits for void invoices': 'Créditos de facturas anuladas',
  'Rejected there': 'Rechazado allí',
  Refunds: 'Reembolsos',
  Reversed: 'Retirado',
  'Its lines don’t add up to its total. Save it again, or enter it manually.':
    'Sus líneas no suman el total. Guárdela de nuevo o regístrela a mano.',
  '{0} calculated a different total, so it was reversed. Check the tax settings there.':
    '{0} calculó otro total y por eso se retiró. Revise los ajustes de impuestos en el programa.',
  '{0} has another document with this number. Change the number there, or delete it.':
    '{0} tiene otro documento con este número. Cambie allí el número o elimínelo.',
  'Another record of yours has this name in {0}. Rename one of the two.':
    'Otro registro suyo tiene este nombre en {0}. Cambie el nombre de uno de los dos.',
  'Its number is too long for {0}.': 'Su número es demasiado largo para {0}.',
  'Its invoice owes less in {0} than this payment. Check what was paid there.':
    'Su factura debe menos en {0} que este pago. Revise qué se pagó allí.',
  'It changed after it was paid in {0}. Enter the difference there.':
    'Cambió después de pagarse en {0}. Registre allí la diferencia.',
  '{0} doesn’t accept payments without an invoice. Enter it there.':
    '{0} no admite pagos sin factura. Regístrelo allí.',
  'It isn’t in {0} anymore. Someone may have deleted it there.': 'Ya no está en {0}. Quizás alguien lo eliminó allí.',
  '{0} refused it.': '{0} lo rechazó.',
  'Your accounting program is connected.': 'Su programa de contabilidad está conectado.',
  '{0} revoked access': '{0} retiró el acceso',
  'Records that aren’t in {0}': 'Registros que no están en {0}',
  'Connect again: nothing is sent until then.': 'Conéctese de nuevo: hasta entonces no se envía nada.',
}
