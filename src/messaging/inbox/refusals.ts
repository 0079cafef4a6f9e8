import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('inbox', {
  otherCustomer: {
    agent: "this conversation is another customer's",
    en: 'This conversation already belongs to another customer.',
    es: 'Esta conversación ya es de otro cliente.',
  },
  mailbox: {
    agent: "must be one e-mail address such as jobs@in.example.com (got ''{given}'')",
    en: 'Enter one e-mail address, such as jobs@in.example.com.',
    es: 'Escriba un solo correo electrónico, por ejemplo jobs@in.example.com.',
  },
})
