import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('statements', {
  underWay: {
    agent: 'the statements of these days are being sent already',
    en: 'The statements of these days are being sent already.',
    es: 'Los estados de cuenta de estas fechas ya se están enviando.',
  },
  nobodyOwes: {
    agent: 'no customer owes on an invoice of these days or earlier',
    en: 'No customer owes anything up to this day.',
    es: 'Ningún cliente debe nada hasta esta fecha.',
  },
})
