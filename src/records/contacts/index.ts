export {
  addContacts,
  completeContact as completed,
  contactFor,
  contactInputs,
  contactName,
  contactsOf,
  moveContacts,
  otherCustomerWarnings as othersReachedBy,
  findContactsByReach as reachedBy,
  startSms,
} from './contact.ts'
export type { Contact, ContactDraft as TypedContact } from './contact.ts'
export { findOptOut as whoRefuses } from './consent.ts'
