import { explainConstraints } from '../../platform/db/refusals.ts'
import { defineRefusals } from '../../platform/errors/refusal_text.ts'

/** Refusals of tax rates and of fields that name them. */
export const refusals = defineRefusals('tax_rates', {
  unknown: {
    agent: 'is not a live tax rate of this account; find its id with tax_rates_list',
    en: 'Choose a tax rate from the list.',
    es: 'Elija una tasa de impuesto de la lista.',
  },
  percentageFixed: {
    agent:
      'cannot be changed (it is {present}, got {given}); create a new rate with tax_rates_create and archive this one',
    en: 'The percentage can’t be changed. Create a new rate and archive this one.',
    es: 'El porcentaje no se puede cambiar. Cree una tasa nueva y archive esta.',
  },
})

explainConstraints({
  tax_rates_default: {
    en: 'Someone just chose another default rate. Reload the page and try again.',
    es: 'Alguien acaba de elegir otra tasa predeterminada. Vuelva a cargar la página e inténtelo de nuevo.',
  },
})
