import type { Texts } from '../../texts.ts'

/** Texts of saved cards and bank accounts, and of automatic payments. */
export const saved_payments: Texts = {
  'All invoices': 'Todas las facturas',
  'Enter an amount above 0, such as 125.00.': 'Escriba un importe mayor que 0, como 125.00.',
  '{0} was charged.': 'Se cobraron {0}.',
  '{0} was charged, and not booked.': 'Se cobraron {0}, sin registrarse.',
  'The bank decides on {0} within a few days. You don’t need to do anything.':
    'El banco decide sobre {0} en unos días. No tiene que hacer nada.',
  'Nothing was charged. {0}': 'No se cobró nada. {0}',
  'The payments provider hasn’t answered yet. The result will show here.':
    'El proveedor de pagos todavía no responde. El resultado aparecerá aquí.',
  'Nothing is on file. Ask the customer to save a card or bank account.':
    'No hay nada guardado. Pida al cliente que guarde una tarjeta o cuenta bancaria.',
  'Your account at the payments provider can’t take charges right now.':
    'Su cuenta en el proveedor de pagos no acepta cobros en este momento.',
  'Charge saved payment method': 'Cobrar con el método guardado',
  'Charge {0}': 'Cobrar a {0}',
  'Amount ({0})': 'Importe ({0})',
  'The customer agreed to charges of this card or account, and gets a receipt.':
    'El cliente autorizó cobros en esta tarjeta o cuenta y recibe un recibo.',
  'Charge now': 'Cobrar ahora',
  'An owner decided that nobody charges saved cards.': 'Un propietario decidió que nadie cobre tarjetas guardadas.',
  'Saved payment method': 'Método de pago guardado',
  '{0} can’t be charged anymore': 'Ya no se puede cobrar a {0}',
  'The bank or card company ended it, so automatic payments have stopped.':
    'El banco o la compañía de la tarjeta la canceló, así que los pagos automáticos se detuvieron.',
  'Ask the customer to save another using their link.': 'Pida al cliente que guarde otra con su enlace.',
  'Nothing on file. The customer saves a card or bank account using their link.':
    'No hay nada guardado. El cliente guarda una tarjeta o cuenta bancaria con su enlace.',
  'Automatic payments: all invoices': 'Pagos automáticos: todas las facturas',
  'Automatic payments: {0}': 'Pagos automáticos: {0}',
  'Stop automatic payments': 'Detener los pagos automáticos',
  'Agreed on {0}': 'Autorizado el {0}',
  'Removed. It can’t be charged anymore.': 'Eliminado. Ya no se puede cobrar.',
  'Automatic payments have stopped.': 'Los pagos automáticos se detuvieron.',
  'There isn’t enough money on the account.': 'No hay fondos suficientes en la cuenta.',
  'The card has expired.': 'La tarjeta está vencida.',
  'The bank wants the customer to confirm. Ask them to pay using the invoice link.':
    'El banco pide que el cliente confirme. Pídale que pague con el enlace de la factura.',
  'The bank declined the card. The customer can ask their bank why.':
    'El banco rechazó la tarjeta. El cliente puede preguntar el motivo a su banco.',
  'The customer couldn’t be notified first, so nothing was charged. Check their email and phone.':
    'No se pudo avisar antes al cliente, así que no se cobró nada. Revise su correo y teléfono.',
  'The customer paid on the payment page in the meantime.': 'Mientras tanto, el cliente pagó en la página de pago.',
  'It was no longer owed, nothing was on file, or the person who charged it no longer may.':
    'Ya no se debía, no había nada guardado, o quien lo cobraba ya no puede hacerlo.',
  'The provider gave no reason.': 'El proveedor no dio el motivo.',
  'Enter a part of at least 1.00 and at most the amount due. A tip can’t be more than what you pay.':
    'Escriba una parte de al menos 1.00 y como máximo lo que se debe. La propina no puede superar lo que paga.',
  'The customer pays this plan automatically': 'El cliente paga este plan automáticamente',
  'Agreed on {0}. Each invoice is sent three days before it is due, and charged then.':
    'Autorizado el {0}. Cada factura se envía tres días antes de vencer y se cobra al vencer.',
  Tip: 'Propina',
  Tips: 'Propinas',
  'Amount to pay now ({0})': 'Importe que paga ahora ({0})',
  'Leave it empty to pay {0}': 'Déjelo vacío para pagar {0}',
  'Continue to pay': 'Continuar para pagar',
  'Pay a part or add a tip': 'Pagar una parte o agregar una propina',
  'Pay a part': 'Pagar una parte',
  'Add a tip': 'Agregar una propina',
  'No tip': 'Sin propina',
  '{0} ({1}%)': '{0} ({1}%)',
  'Another tip ({0})': 'Otra propina ({0})',
  'By payment date, less refunds. Tips aren’t sales, and no tax is due on them here.':
    'Por fecha de pago, menos reembolsos. Las propinas no son ventas y aquí no llevan impuesto.',
  'No tips in this period': 'No hay propinas en este período',
  'Customers may pay a part of an invoice': 'Los clientes pueden pagar una parte de una factura',
  'Customers may add a tip': 'Los clientes pueden agregar una propina',
  'A tip is recorded separately from the invoice, without tax.':
    'La propina se registra aparte de la factura, sin impuesto.',
  Charge: 'Cobrar',
  '{0} asked to charge {1} to the saved payment method': '{0} pidió cobrar {1} con el método de pago guardado',
  'Charged automatically on {0}': 'Se cobra automáticamente el {0}',
  'The automatic payment failed': 'El pago automático falló',
  'It won’t be tried again automatically. Call the customer, or record how they paid.':
    'No se vuelve a intentar solo. Llame al cliente o registre cómo pagó.',
  'It will be tried again on {0}.': 'Se vuelve a intentar el {0}.',
  Charges: 'Cobros',
  Charged: 'Cobrado',
  'Charged, not booked': 'Cobrado, sin registrar',
  'The payment and the invoice are in different currencies. The payment waits in Quarantine.':
    'El pago está en otra moneda que la factura. Espera en Cuarentena.',
  'Your payment is being checked': 'Se está revisando su pago',
  '{0} has a payment that doesn’t match. Ask them before you pay again.':
    '{0} tiene un pago que no coincide. Pregúnteles antes de volver a pagar.',
  'The invoice changed in the meantime. The payment waits in Quarantine.':
    'La factura cambió mientras tanto. El pago espera en Cuarentena.',
  'Not charged': 'No cobrado',
  'The bank decides': 'Lo decide el banco',
  'Being charged': 'Cobrándose',
  'I allow {0} to charge this card or bank account for invoices that I owe them.':
    'Autorizo a {0} a cobrar en esta tarjeta o cuenta bancaria las facturas que le deba.',
  'They do so only after I agreed to the charge or to automatic payments.':
    'Lo hace solo después de que yo acepte el cobro o los pagos automáticos.',
  'A charge is never more than what is left to pay on the invoice, and I get a receipt.':
    'Un cobro nunca es mayor que lo que falta por pagar de la factura, y recibo un comprobante.',
  'I can remove the card or account here at any time.': 'Puedo eliminar aquí la tarjeta o cuenta en cualquier momento.',
  'I allow {0} to charge my saved card or bank account for each invoice when it is due.':
    'Autorizo a {0} a cobrar cada factura en mi tarjeta o cuenta bancaria guardada cuando venza.',
  'I allow {0} to charge my saved card or bank account for each invoice of “{1}” when it is due.':
    'Autorizo a {0} a cobrar cada factura de “{1}” en mi tarjeta o cuenta bancaria guardada cuando venza.',
  'They tell me the amount and the day at least one day before.':
    'Me avisan del importe y el día al menos un día antes.',
  'A charge that fails is tried again up to three times within 15 days.':
    'Un cobro que falla se vuelve a intentar hasta tres veces en 15 días.',
  'I can stop this here at any time before a charge.':
    'Puedo detener esto aquí en cualquier momento antes de un cobro.',
  'Bank account': 'Cuenta bancaria',
  '{0} ending in {1}': '{0} terminada en {1}',
  'Good until {0}': 'Vence en {0}',
  'Saved. Thank you.': 'Guardado. Gracias.',
  'Your bank is checking the account. It will show here.': 'Su banco está verificando la cuenta. Aparecerá aquí.',
  'Removed. It isn’t charged anymore.': 'Eliminado. Ya no se cobra.',
  'Automatic payments are on.': 'Los pagos automáticos están activados.',
  'Save a card': 'Guardar una tarjeta',
  'Your automatic payment of {0} didn’t go through': 'Su pago automático de {0} no se pudo completar',
  'Nothing was charged. Please pay here, or save another card or account.':
    'No se le cobró nada. Por favor, pague aquí o guarde otra tarjeta o cuenta.',
  'Nothing was charged. We will try again on {0}. You can also pay now.':
    'No se le cobró nada. Se vuelve a intentar el {0}. También puede pagar ahora.',
  '{0} will be charged automatically on {1}': 'Se cobrarán {0} automáticamente el {1}',
  'To {0}. You can also pay now, and nothing is charged then.':
    'A {0}. También puede pagar ahora, y entonces no se cobra nada.',
  '{0} can’t be used anymore': '{0} ya no se puede usar',
  'Your bank or card company ended it. Automatic payments have stopped.':
    'Su banco o la compañía de la tarjeta la canceló. Los pagos automáticos se detuvieron.',
  'Save another card or account to continue.': 'Guarde otra tarjeta o cuenta para continuar.',
  'What you agreed to': 'Lo que usted autorizó',
  'Use another card or account': 'Usar otra tarjeta o cuenta',
  'Save a card or bank account': 'Guardar una tarjeta o cuenta bancaria',
  'You enter it on the page of our payments provider. We never see the number.':
    'La escribe en la página de nuestro proveedor de pagos. Nosotros nunca vemos el número.',
  'Agree and replace': 'Aceptar y reemplazar',
  'Agree and continue': 'Aceptar y continuar',
  'Automatic payments to come': 'Próximos pagos automáticos',
  'is being charged': 'se está cobrando',
  'failed; please pay it, or save another card or account': 'falló; páguela o guarde otra tarjeta o cuenta',
  'failed; tried again on {0}': 'falló; se vuelve a intentar el {0}',
  'on {0}': 'el {0}',
  'Automatic payments': 'Pagos automáticos',
  'Agree and pay automatically': 'Aceptar y pagar automáticamente',
  'The page isn’t available right now. Nothing was saved. Try again later.':
    'La página no está disponible en este momento. No se guardó nada. Inténtelo más tarde.',
  'A card or account can’t be saved here now. Ask {0}.':
    'Ahora no se puede guardar aquí una tarjeta o cuenta. Pregunte a {0}.',
  'Card payments saved.': 'Pagos con tarjeta guardados.',
  'Automatic payments that failed': 'Pagos automáticos fallidos',
  '{0}, tried again on {1}': '{0}, se vuelve a intentar el {1}',
  '{0}, not tried again': '{0}, no se vuelve a intentar',
  '{0} saved a card or bank account using their link': '{0} guardó una tarjeta o cuenta bancaria con su enlace',
  '{0} removed the saved card or bank account using their link':
    '{0} eliminó la tarjeta o cuenta bancaria guardada con su enlace',
  '{0} removed the saved card or bank account': '{0} eliminó la tarjeta o cuenta bancaria guardada',
  '{0} turned on automatic payments using their link': '{0} activó los pagos automáticos con su enlace',
  '{0} stopped automatic payments using their link': '{0} detuvo los pagos automáticos con su enlace',
  '{0} stopped automatic payments': '{0} detuvo los pagos automáticos',
  '{0} charged the saved payment method': '{0} cobró con el método de pago guardado',
  'Issued for its automatic payment': 'Se emitió para su pago automático',
  'Customers may save a card or bank account': 'Los clientes pueden guardar una tarjeta o cuenta bancaria',
  'They enter it on the provider’s page, from their link. You never see the number.':
    'La escriben en la página del proveedor, con su enlace. Usted nunca ve el número.',
  'Customers may turn on automatic payments': 'Los clientes pueden activar los pagos automáticos',
  'Each invoice is charged when it is due. Plan invoices are then sent without your review.':
    'Cada factura se cobra cuando vence. Las facturas de un plan se envían entonces sin que usted las revise.',
  'Maximum that one person may charge at once ({0})': 'Máximo que una persona puede cobrar de una vez ({0})',
  'Enter 0 if nobody in the office may charge a saved card.':
    'Escriba 0 si nadie de la oficina puede cobrar una tarjeta guardada.',
  'Save card payments': 'Guardar pagos con tarjeta',
  'Automatic payment to come': 'Próximo pago automático',
  'Automatic payment failed': 'Pago automático fallido',
  'Before an automatic payment': 'Antes de un pago automático',
  'After an automatic payment failed': 'Cuando falla un pago automático',
}
