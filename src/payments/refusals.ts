import { defineRefusals, defineWarnings } from '../platform/errors/refusal_text.ts'

/** Refusals of charges, and of decisions about payment events that wait for a person. */
export const refusals = defineRefusals('payments', {
  nothingOwed: {
    agent: 'nothing can be charged for {number}: it is a draft, or nothing is owed',
    en: 'There is nothing to pay on this invoice.',
    es: 'No hay nada que pagar en esta factura.',
  },
  paymentUnderWay: {
    agent: 'another payment of {number} is in progress; wait until it ends',
    en: 'Another payment is in progress. Wait until it ends.',
    es: 'Hay otro pago en curso. Espere a que termine.',
  },
  aboveBalance: {
    agent: 'charge_cents must be at most {balance}, the amount still owed',
    en: 'Enter at most {balance}, the amount that is still owed.',
    es: 'Escriba como máximo {balance}, que es lo que falta por pagar.',
  },
  aboveLimit: {
    agent: "charge_cents must be at most {max}, the company's limit",
    en: 'Enter at most {max}, the limit that an owner set.',
    es: 'Escriba como máximo {max}, el límite que fijó un propietario.',
  },
  nothingOnFile: {
    agent: 'the customer has no card or bank account on file',
    en: 'Nothing is on file. Ask the customer to save a card or bank account.',
    es: 'No hay nada guardado. Pida al cliente que guarde una tarjeta o cuenta bancaria.',
  },
  noCharges: {
    agent: "the company's account at the payments provider can't take charges right now",
    en: 'Your account at the payments provider can’t take charges right now.',
    es: 'Su cuenta en el proveedor de pagos no acepta cobros en este momento.',
  },
  officeCharges: {
    agent: 'only owners and office members who may write invoices can charge a saved payment method',
    en: 'Only owners and office members who may edit invoices charge saved payment methods.',
    es: 'Solo los propietarios y el personal de oficina que puede editar facturas cobran con métodos guardados.',
  },
  unknownInvoice: {
    agent: "must be the id of an invoice of this company (got ''{invoice}'')",
    en: 'Enter the id of an invoice of this company.',
    es: 'Escriba el id. de una factura de esta empresa.',
  },
  otherMode: {
    agent:
      'this event is from the other mode, test or live; replay it once the service has the right key, or discard it',
    en:
      'This event is of the other mode, test or live. ' +
      'Try it again once this service has the right key, or discard it.',
    es:
      'Este evento es del otro modo, de prueba o real. ' +
      'Vuelva a intentarlo cuando este servicio tenga la clave correcta, o descártelo.',
  },
  unreadableAmount: {
    agent: "the amount of this event can't be read; discard it and record the payment manually",
    en: 'The amount of this event can’t be read. Discard the event and record the payment yourself.',
    es: 'No se puede leer el importe de este evento. Descártelo y registre usted el pago.',
  },
  otherCompany: {
    agent: 'this event belongs to another company',
    en: 'This event belongs to another company.',
    es: 'Este evento es de otra empresa.',
  },
  noMoney: {
    agent: 'this event has no readable payment; discard it',
    en: 'This event isn’t about a payment. Discard it.',
    es: 'Este evento no trata de un pago. Descártelo.',
  },
  invoiceVoided: {
    agent: '{number} is void, which is final; choose another invoice',
    en: 'Invoice {number} is void. Choose another invoice.',
    es: 'La factura {number} está anulada. Elija otra factura.',
  },
  otherCurrency: {
    agent: 'the event is in {event_currency} and {number} in {currency}; discard it and record the payment manually',
    en: 'The event isn’t in {currency}, the currency of invoice {number}. Discard it and record the payment yourself.',
    es: 'El evento no está en {currency}, la moneda de la factura {number}. Descártelo y registre usted el pago.',
  },
  noAccount: {
    agent: 'this event has no account; assign it to a company',
    en: 'This event names no payment account. Assign it to a company.',
    es: 'Este evento no indica ninguna cuenta de pagos. Asígnelo a una empresa.',
  },
  unknownAccount: {
    agent: 'no company has connected {account}; connect it to apply all its events, or assign this one',
    en: 'No company has connected the account of this event. Connect the account, or assign this event to a company.',
    es: 'Ninguna empresa ha conectado la cuenta de este evento. Conecte la cuenta o asigne este evento a una empresa.',
  },
  wrongKey: {
    agent:
      'this is a {event_mode} event, but the service runs {service_mode}; ' +
      'set the right PAYMENTS_SECRET_KEY first, or discard it',
    en:
      'This event is in {event_mode, select, live {live} other {test}} mode, and this service isn’t. ' +
      'Ask this service’s administrator to set the right key, or discard the event.',
    es:
      'Este evento es del modo {event_mode, select, live {real} other {de prueba}}, y este servicio no. ' +
      'Pida al administrador de este servicio que configure la clave correcta, o descarte el evento.',
  },
  ingestedSince: {
    agent: 'this event has since been ingested in the right mode; discard the parked copy',
    en: 'This event has come in again in the right mode. Discard this copy.',
    es: 'Este evento volvió a llegar en el modo correcto. Descarte esta copia.',
  },
})

export const warnings = defineWarnings('payments', {
  charges: {
    agent: "the customer's saved payment method is charged once a person approves",
    en: '{method} is charged, and the customer gets a receipt.',
    es: 'Se cobra a {method}, y el cliente recibe un recibo.',
  },
})
