export {
  addContacts,
  completed,
  contactFor,
  contactInputs,
  contactName,
  contactsOf,
  moveContacts,
  othersReachedBy,
  reachedBy,
  startSms,
} from './contact.ts'
export type { Contact, TypedContact } from './contact.ts'
export { whoRefuses } from './consent.ts'
