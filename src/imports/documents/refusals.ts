import { defineRefusals } from '../../platform/errors/refusal_text.ts'

/** Refusals of documents. People read them after the name of the file's column and a colon. */
export const refusals = defineRefusals('importDocuments', {
  wrongTotal: {
    agent: "doesn't match the lines and the discount",
    en: 'The total doesn’t match the lines and the discount. Correct the row.',
    es: 'El total no coincide con las líneas y el descuento. Corrija la fila.',
  },
  otherTax: {
    agent:
      'must match one of your tax rates (got {tax}; ' +
      '{hasRate, select, yes {{rate}} other {no tax}} gives {ours}); ' +
      'add that rate in Settings, or choose to add a line for the difference under Change the columns',
    en:
      'The file has {tax} of tax, and {hasRate, select, ' +
      'yes {your rate {rate} comes to {ours}} other {none of your rates comes to that}}. ' +
      'Add the right rate in Settings, or change what happens with such rows under Change the columns.',
    es:
      'El archivo tiene {tax} de impuesto y {hasRate, select, ' +
      'yes {con su tasa {rate} son {ours}} other {ninguna de sus tasas da esa cantidad}}. ' +
      'Agregue la tasa correcta en Configuración o cambie qué pasa con esas filas en Cambiar las columnas.',
  },
  otherTotal: {
    agent:
      'is {total}, but its lines with tax add up to {ours}; ' +
      'correct the row, or choose to add a line for the difference under Change the columns',
    en:
      'The total is {total}, but the lines with tax come to {ours}. ' +
      'Correct the row, or change what happens with such rows under Change the columns.',
    es:
      'El total es {total}, pero las líneas con impuesto suman {ours}. ' +
      'Corrija la fila o cambie qué pasa con esas filas en Cambiar las columnas.',
  },
  noCustomer: {
    agent: 'must identify the customer by name, email, phone or id',
    en: 'The row has no customer. Add a name, email, or phone number.',
    es: 'La fila no tiene cliente. Agregue un nombre, correo electrónico o teléfono.',
  },
  unknownCustomer: {
    agent: "isn't one of your customers (got {value}); import your customers first",
    en: '{value} isn’t one of your customers. Import your customers first.',
    es: '{value} no está entre sus clientes. Importe primero a sus clientes.',
  },
  severalCustomers: {
    agent: 'could be any of {count} customers; add a column with their email, phone or id',
    en: 'This could be any of {count, number} customers. Add a column with their email or phone number.',
    es: 'Podría ser cualquiera de {count, number} clientes. Agregue una columna con su correo electrónico o teléfono.',
  },
  amount: {
    agent: 'must be an amount in {currency} such as 1,189.00 (got {value})',
    en: '{value} isn’t an amount in {currency}. Write it like 1,189.00.',
    es: '{value} no es un importe en {currency}. Escríbalo así: 1,189.00.',
  },
  day: {
    agent: 'must be a date such as 2026-03-31 (got {value})',
    en: '{value} isn’t a date. Write it like 2026-03-31.',
    es: '{value} no es una fecha. Escríbala así: 2026-03-31.',
  },
  time: {
    agent: 'must be a time such as 2:30 PM (got {value})',
    en: '{value} isn’t a time. Write it like 2:30 PM.',
    es: '{value} no es una hora. Escríbala así: 2:30 PM.',
  },
  linePrice: {
    agent: 'must be an amount in {currency}, and its quantity must be a number, on row {number}',
    en: 'On row {number, number}, write the price as an amount in {currency} and the quantity as a number.',
    es: 'En la fila {number, number}, escriba el precio como un importe en {currency} y la cantidad como un número.',
  },
  lineAmount: {
    agent: 'must be an amount in {currency} such as 1,189.00 on row {number} (got {value})',
    en: 'On row {number, number}, {value} isn’t an amount in {currency}. Write it like 1,189.00.',
    es: 'En la fila {number, number}, {value} no es un importe en {currency}. Escríbalo así: 1,189.00.',
  },
  tooManyRows: {
    agent: 'must be on at most {max} rows (got {count})',
    en: 'This number is on {count, number} rows, and a document can have up to {max, number}.',
    es: 'Este número está en {count, number} filas y un documento puede tener hasta {max, number}.',
  },
  otherCurrency: {
    agent: 'must be {currency}, the currency of your company (got {value})',
    en: '{value} isn’t your company’s currency, which is {currency}.',
    es: '{value} no es la moneda de su empresa, que es {currency}.',
  },
  credit: {
    agent: "must be at least 0; credits can't be imported",
    en: 'The amount is below 0. Credits can’t be imported.',
    es: 'El importe es menor que 0. Los créditos no se pueden importar.',
  },
  noDay: {
    agent: 'must have an invoice date',
    en: 'The row has no invoice date. Add one.',
    es: 'La fila no tiene fecha de la factura. Agréguela.',
  },
  otherCustomer: {
    agent: 'is already on row {number}, for another customer',
    en: 'This number is already on row {number, number}, for another customer.',
    es: 'Este número ya está en la fila {number, number}, con otro cliente.',
  },
  otherText: {
    agent: 'is already on row {number}, with different text',
    en: 'This number is already on row {number, number}, and the rows don’t match.',
    es: 'Este número ya está en la fila {number, number} y las filas no coinciden.',
  },
})
