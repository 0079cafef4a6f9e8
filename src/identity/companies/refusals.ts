import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('companies', {
  wholeNumber: {
    agent: "must be a whole number from {min} to {max} (got ''{given}'')",
    en:
      'Enter {field, select, default_net_days {the days to pay an invoice as a whole number} next_invoice_number ' +
      '{the next invoice number as a whole number} burst_limit {the limit as a whole number} other {a whole number}} ' +
      'from {min, number} to {max, number}.',
    es:
      'Escriba {field, select, default_net_days {los días para pagar una factura como un número entero} ' +
      'next_invoice_number {el siguiente número de factura como un número entero} burst_limit {el límite como un ' +
      'número entero} other {un número entero}} de {min, number} a {max, number}.',
  },
  amount: {
    agent: "must be an amount such as 500 or 1250.50 (got ''{given}'')",
    en: 'Enter an amount such as 500 or 1250.50, or leave it empty.',
    es: 'Escriba una cantidad como 500 o 1250.50, o deje el campo vacío.',
  },
  currencyInUse: {
    agent: 'must stay {currency}: documents already use it',
    en: 'You already have invoices, quotes or plans in {currency}, so the currency can’t change.',
    es: 'Ya tiene facturas, cotizaciones o planes en {currency}, así que la moneda no puede cambiar.',
  },
  invoiceNumberUsed: {
    agent: 'must be at least {next}: lower numbers are already used',
    en: 'Enter {next} or higher as the next invoice number. Lower numbers are already used.',
    es: 'Escriba {next} o un número mayor como siguiente número de factura. Los menores ya se usaron.',
  },
  id: { agent: "must be the id of a company (got ''{given}'')", en: 'Choose a company.', es: 'Elija una empresa.' },
  noCompanyName: {
    agent: 'must not be empty',
    en: 'Enter the name of your company.',
    es: 'Escriba el nombre de su empresa.',
  },
  noOwnName: { agent: 'must not be empty', en: 'Enter your name.', es: 'Escriba su nombre.' },
  tooManyStarts: {
    agent: 'no more companies can be started today; try again tomorrow',
    en: 'No more companies can be started today. Try again tomorrow.',
    es: 'Hoy ya no se pueden crear más empresas. Inténtelo mañana.',
  },
  tooManyCompanies: {
    agent: 'you belong to {max} companies, which is the limit',
    en: 'You belong to {max, number} companies, which is the limit.',
    es: 'Ya pertenece a {max, number} empresas, que es el máximo.',
  },
  unprovedAddress: {
    agent: '{email} is not verified; verify it first',
    en: 'Confirm your address {email} first: open your profile under Settings.',
    es: 'Primero confirme su dirección {email}: abra su perfil en Configuración.',
  },
})
