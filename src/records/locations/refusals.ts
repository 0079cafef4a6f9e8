import { explainConstraints } from '../../platform/db/refusals.ts'
import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('locations', {
  notOfCustomer: {
    agent: 'is not a live location of this customer; find its id with locations_list',
    en: 'Choose one of this customer’s addresses.',
    es: 'Elija una de las direcciones de este cliente.',
  },
  primaryRequired: {
    agent: "can't be removed from the primary location; set it on another location of its type with locations_update",
    en: 'A customer needs a primary address of each type. Make another address the primary one instead.',
    es: 'El cliente necesita una dirección principal de cada tipo. Marque otra dirección como principal.',
  },
  halfPosition: {
    agent: 'and {longitude} go together; send both or neither',
    en: 'Enter both latitude and longitude, or leave both empty.',
    es: 'Escriba la latitud y la longitud, o deje ambas en blanco.',
  },
})

explainConstraints({
  locations_tax_rate: { en: 'Choose a tax rate from the list.', es: 'Elija una tasa de impuesto de la lista.' },
})
