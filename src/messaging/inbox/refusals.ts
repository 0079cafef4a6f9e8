import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('inbox', {
  otherCustomer: {
    agent: "this conversation is another customer's",
    en: 'This conversation already belongs to another customer.',
    es: 'Esta conversación ya es de otro cliente.',
  },
})
