import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('statements', {
  underWay: {
    agent: 'the statements for these days are already being sent',
    en: 'The statements for these days are already being sent.',
    es: 'Los estados de cuenta de estas fechas ya se están enviando.',
  },
  nobodyOwes: {
    agent: 'no customer has an unpaid invoice from these days or earlier',
    en: 'No customer owes anything up to this day.',
    es: 'Ningún cliente debe nada hasta esta fecha.',
  },
})
