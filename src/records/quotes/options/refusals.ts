import { explainConstraints } from '../../../platform/db/refusals.ts'
import { defineRefusals } from '../../../platform/errors/refusal_text.ts'

/** Refusals of options and of optional lines. */
export const refusals = defineRefusals('quotes.options', {
  answered: {
    agent: '{number} is {status}; options can be added only while a quote is draft or sent',
    en: 'You can add an option only while quote {number} waits for an answer.',
    es: 'Solo se puede agregar una opción mientras la cotización {number} espera respuesta.',
  },
  otherAccepted: {
    agent: '{number}, another option of the set, is accepted; set its status to declined first',
    en: 'Option {number} of this quote is accepted. Mark it as declined first.',
    es: 'La opción {number} de esta cotización está aceptada. Márquela antes como rechazada.',
  },
  tooMany: {
    agent: 'the set has {max} options, which is the maximum; archive one first',
    en: 'This quote has {max} options, which is the limit. Archive one before you add another.',
    es: 'Ya son {max} opciones, que es el máximo. Archive una antes de agregar otra.',
  },
  tooManyTemplates: {
    agent: 'the company has {max} templates, which is the maximum; delete one first',
    en: 'You have {max} templates, which is the limit. Delete one first.',
    es: 'Ya tiene {max} plantillas, que es el máximo. Elimine una antes.',
  },
  noTemplate: { agent: 'is not a template of this company', en: 'Choose a template.', es: 'Elija una plantilla.' },
  notEmptySet: {
    agent: '{number} is not a draft, or already has other options',
    en: 'A template is used on a draft without other options. Create a new quote for it.',
    es: 'Una plantilla se usa en un borrador sin otras opciones. Cree una cotización nueva.',
  },
  notDraft: {
    agent: '{number} is {status}, and its optional lines can be changed only in draft',
    en: 'You can change optional lines only while quote {number} is a draft.',
    es: 'Las líneas opcionales solo se pueden cambiar mientras la cotización {number} es un borrador.',
  },
  discount: {
    agent: "can't be discount for an optional line",
    en: 'An optional line can’t be a discount. Put discounts among the lines of the quote.',
    es: 'Una línea opcional no puede ser un descuento. Ponga los descuentos entre las líneas de la cotización.',
  },
  unknownLine: {
    agent: 'is not an optional line of {number}',
    en: 'This quote no longer has one of the optional lines. Choose again.',
    es: 'La cotización ya no tiene una de las líneas opcionales. Elija de nuevo.',
  },
})

explainConstraints({
  quotes_accepted_option: {
    en: 'Another option of this quote is accepted. Mark that one as declined first.',
    es: 'Otra opción de esta cotización está aceptada. Márquela antes como rechazada.',
  },
})
