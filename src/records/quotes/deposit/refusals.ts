import { defineRefusals } from '../../../platform/errors/refusal_text.ts'

/** Refusals of deposits on quotes. */
export const refusals = defineRefusals('quotes.deposit', {
  notDraft: {
    agent: '{number} is {status}, and its deposit can be changed only in draft',
    en: 'You can change the deposit only while quote {number} is a draft.',
    es: 'El anticipo solo se puede cambiar mientras la cotización {number} es un borrador.',
  },
  aboveTotal: {
    agent: 'must be at most the total, {total}',
    en: 'Enter a deposit of at most {total}, the total of the quote.',
    es: 'Escriba un anticipo de {total} como máximo, que es el total de la cotización.',
  },
})
