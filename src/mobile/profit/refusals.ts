import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('mobile.profit', {
  tooManyRates: {
    agent: 'a member has at most {max} rates; remove an earlier one first',
    en: 'A member can have up to {max, number} rates. Remove an earlier one first.',
    es: 'Un miembro puede tener hasta {max, number} tarifas. Quite antes una anterior.',
  },
  noMember: { agent: 'must be the id of a member', en: 'Choose a member.', es: 'Elija un miembro.' },
  noRate: {
    agent: 'must be an amount of money',
    en: 'Enter what an hour costs, such as 38.50.',
    es: 'Escriba lo que cuesta una hora, por ejemplo 38.50.',
  },
  rateDay: {
    agent: 'must be a date on or after 2000-01-01 (got {day})',
    en: 'Choose the day from which it holds.',
    es: 'Elija el día desde el que vale.',
  },
})
