import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('mobile.events', {
  tooOld: {
    agent: "can't be more than {max} days ago (got {at}); write it as a note",
    en: 'This was done more than {max} days ago, so it can’t be added. Write a note about it instead.',
    es: 'Esto se hizo hace más de {max} días y ya no se puede agregar. Escríbalo como nota.',
  },
  entryOfOtherVisit: {
    agent: 'must be an entry of this visit',
    en: 'This time entry belongs to another visit. Open that visit to correct it.',
    es: 'Este registro de tiempo es de otra visita. Abra esa visita para corregirlo.',
  },
  photoIncomplete: {
    agent: 'must be uploaded before the act is sent ({received} of {bytes} bytes so far); upload the rest first',
    en: 'The photo isn’t completely uploaded yet. Send it again.',
    es: 'La foto aún no se ha subido por completo. Envíela de nuevo.',
  },
  photoDamaged: {
    agent: "doesn't match the uploaded pieces; upload them again from the beginning",
    en: 'The photo was damaged during upload. Send it again.',
    es: 'La foto se dañó al subirla. Envíela de nuevo.',
  },
  reasonWithoutHold: {
    agent: 'is only for on_hold (got {to})',
    en: 'Only a visit that is put on hold has a reason. Leave the reason empty.',
    es: 'Solo una visita en espera lleva un motivo. Deje el motivo en blanco.',
  },
  invoiceOfOtherCustomer: {
    agent: "is not an invoice of the visit''s customer (got {invoice})",
    en: 'Choose one of this customer’s invoices.',
    es: 'Elija una de las facturas de este cliente.',
  },
  noInvoice: {
    agent: 'needs invoice_id, or invoice_act: the id of the act that created the invoice',
    en: 'Create the invoice first.',
    es: 'Cree primero la factura.',
  },
  pricesChanged: {
    agent: 'comes to {now} at current catalog prices, not {before}',
    en: 'Prices changed: this quote comes to {now} now, not {before}. Correct it, and tell the customer.',
    es: 'Los precios cambiaron: esta cotización suma ahora {now}, no {before}. Corríjala y avise al cliente.',
  },
  optionPriceChanged: {
    agent: '{title} comes to {now} at current catalog prices, not {before}',
    en: 'Prices changed: option “{title}” comes to {now} now, not {before}. Correct it, and tell the customer.',
    es: 'Los precios cambiaron: la opción “{title}” suma ahora {now}, no {before}. Corríjala y avise al cliente.',
  },
  noQuote: {
    agent: 'must be an act of this visit that created a quote',
    en: 'The quote that was signed wasn’t saved. Ask the customer to sign the new one.',
    es: 'La cotización firmada no se guardó. Pida al cliente que firme la nueva.',
  },
  quoteAccepted: {
    agent: '{number} is already accepted',
    en: '{number} is already accepted.',
    es: '{number} ya está aceptada.',
  },
  quoteChanged: {
    agent: '{number} has changed since the customer saw it',
    en: 'The office changed {number} since the customer saw it. Ask the customer to sign it again.',
    es: 'La oficina cambió {number} después de que el cliente la vio. Pídale que la firme de nuevo.',
  },
  noLines: {
    agent: 'the visit has no parts or services to bill; add one first',
    en: 'There is nothing to bill yet. Add a part or service first.',
    es: 'Todavía no hay nada que facturar. Agregue primero una pieza o un servicio.',
  },
  receiptsNotAllowed: {
    agent: 'receipts need write:invoices and read:customers',
    en: 'You don’t have permission to send receipts. Ask an owner.',
    es: 'No tiene permiso para enviar recibos. Pídaselo a un propietario.',
  },
  signaturesNotAllowed: {
    agent: 'signatures need write:jobs',
    en: 'You don’t have permission to collect signatures. Ask an owner.',
    es: 'No tiene permiso para recoger firmas. Pídaselo a un propietario.',
  },
  checklistsNotAllowed: {
    agent: 'checklists need write:jobs',
    en: 'You don’t have permission to fill in checklists. Ask an owner.',
    es: 'No tiene permiso para llenar listas de control. Pídaselo a un propietario.',
  },
  equipmentNotAllowed: {
    agent: 'equipment needs read:customers, and write:jobs or write:customers',
    en: 'You don’t have permission to change equipment. Ask an owner.',
    es: 'No tiene permiso para cambiar equipos. Pídaselo a un propietario.',
  },
  equipmentGone: {
    agent: 'is not at the location of the visit; add it as a new one',
    en: 'This equipment is no longer at the address of the visit. Add it as new.',
    es: 'Este equipo ya no está en la dirección de la visita. Agréguelo como nuevo.',
  },
  visitsNotAllowed: {
    agent: 'visits need read:jobs',
    en: 'You don’t have permission to see visits. Ask an owner.',
    es: 'No tiene permiso para ver visitas. Pídaselo a un propietario.',
  },
  delaysNotAllowed: {
    agent: 'reporting a delay needs write:jobs',
    en: 'You don’t have permission to report a delay. Ask an owner.',
    es: 'No tiene permiso para avisar de un retraso. Pídaselo a un propietario.',
  },
  quantity: {
    agent: 'must be a number such as 2.5',
    en: 'Enter a number, such as 2.5.',
    es: 'Escriba un número, por ejemplo 2.5.',
  },
  deviceTime: {
    agent: 'must be a date and time such as 2027-03-31T09:00:00Z',
    en: 'Enter a date and time.',
    es: 'Escriba una fecha y una hora.',
  },
  unknownKind: {
    agent: "must be one of {kinds} (got ''{kind}'')",
    en: 'This app is out of date. Reload it and try again.',
    es: 'Esta aplicación no está actualizada. Recárguela e inténtelo de nuevo.',
  },
  delayOver: {
    agent: 'the delay was on {day}, which is over; no one is waiting anymore',
    en: 'That day is over, so no one was notified of the delay.',
    es: 'Ese día ya pasó, así que no se avisó a nadie del retraso.',
  },
  idUsed: {
    agent: 'was used for another act; send this one with its own id',
    en: 'This entry couldn’t be saved. Enter it again.',
    es: 'No se pudo guardar este registro. Vuelva a escribirlo.',
  },
})
