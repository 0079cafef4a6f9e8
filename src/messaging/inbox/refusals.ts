import { explainConstraints } from '../../platform/db/refusals.ts'
import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('inbox', {
  otherCustomer: {
    agent: 'this conversation belongs to another customer',
    en: 'This conversation already belongs to another customer.',
    es: 'Esta conversación ya es de otro cliente.',
  },
  mailbox: {
    agent: "must be one email address such as jobs@in.example.com (got ''{value}'')",
    en: 'Enter one email address, such as jobs@in.example.com.',
    es: 'Escriba un solo correo electrónico, por ejemplo jobs@in.example.com.',
  },
})

explainConstraints({
  managed_numbers_pkey: {
    en: 'A company already has this number. Remove it there first.',
    es: 'Una empresa ya tiene este número. Quítelo allí primero.',
  },
  mailboxes_pkey: {
    en: 'A company already has this address. Remove it there first.',
    es: 'Una empresa ya tiene esta dirección. Quítela allí primero.',
  },
})
