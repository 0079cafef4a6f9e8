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
  stopSms,
} from './contact.ts'
export type { Contact } from './contact.ts'
export { whoRefuses } from './consent.ts'
