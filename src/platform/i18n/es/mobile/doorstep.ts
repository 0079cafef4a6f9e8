import type { Texts } from '../../texts.ts'

/** Texts of the mobile app about billing and payment on site. */
export const doorstep: Texts = {
  'Add optional line': 'Agregar línea opcional',
  'Another email or mobile number': 'Otro correo o celular',
  'Choose an option.': 'Elija una opción.',
  'Compare and sign': 'Comparar y firmar',
  'Create invoice · {0}': 'Crear factura · {0}',
  'Email or mobile number': 'Correo o celular',
  'Enter an email address or a mobile number.': 'Escriba un correo o un número de celular.',
  'Invoice of {0}': 'Factura de {0}',
  'Option {0}': 'Opción {0}',
  'Quote of {0}': 'Cotización de {0}',
  'Quote signed by {0}': 'Cotización firmada por {0}',
  'Receipt to {0}': 'Recibo a {0}',
  'Remove this option': 'Quitar esta opción',
  'Scan to pay': 'Escanee para pagar',
  'Send receipt': 'Enviar recibo',
  'Sign quote': 'Firmar cotización',
  'Show code to pay': 'Mostrar código de pago',
  'Take payment · {0}': 'Cobrar · {0}',
  'The payment code needs a connection.': 'El código de pago necesita conexión.',
  'The payment code needs a connection. Take cash or a check, or try again.':
    'El código de pago necesita conexión. Cobre en efectivo o con cheque, o inténtelo de nuevo.',
  'The customer points their camera at it and pays by card.': 'El cliente lo enfoca con la cámara y paga con tarjeta.',
  'The customer points their camera at it and sees the invoice and how to pay.':
    'El cliente lo enfoca con la cámara y ve la factura y cómo pagarla.',
  'The customer checks the ones they want, and the total updates.':
    'El cliente marca las que quiere, y el total cambia.',
  'The discount is more than the amount it applies to.': 'El descuento es mayor que el importe al que se aplica.',
  'This quote no longer waits for an answer.': 'Esta cotización ya no espera respuesta.',
  'To pay': 'Por pagar',
  'Total before tax': 'Total antes de impuestos',
  'With other lines or prices (needs a connection)': 'Con otras líneas o precios (necesita conexión)',
  'You can add:': 'Puede agregar:',
  'You don’t have permission to see the catalog. Ask an owner.':
    'No tiene permiso para ver el catálogo. Pídaselo a un propietario.',
  'You don’t have permission to bill visits. Ask an owner.':
    'No tiene permiso para facturar visitas. Pídaselo a un propietario.',
  '{0} left to pay': 'Quedan {0} por pagar',
}
