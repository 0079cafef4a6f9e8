export {
  addContacts,
  completeContact as completed,
  contactFor,
  contactName,
  contactsOf,
  moveContacts,
} from './contact.ts'
export { CONTACT, type Contact, type ContactDraft as TypedContact } from './fields.ts'
export { otherCustomerWarnings as othersReachedBy, findContactsByReach as reachedBy, startSms } from './reach.ts'
export { findOptOut as whoRefuses } from './consent.ts'
