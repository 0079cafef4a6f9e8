export { addContacts, completeContact, contactFor, contactName, contactsOf, moveContacts } from './contact.ts'
export { CONTACT, type Contact, type ContactDraft } from './fields.ts'
export { otherCustomerWarnings, findContactsByAddress, clearSmsOptOut } from './contact_addresses.ts'
export { findOptOut } from './consent.ts'
