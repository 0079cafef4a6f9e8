import type { RunContext } from '../../tools/declare/define.ts'
import { createOutcome, childWrites, type Outcome } from '../../tools/call/outcome.ts'
import {
  addContacts,
  completeContact,
  contactsOf,
  otherCustomerWarnings,
  type Contact,
  type ContactDraft,
} from '../contacts/index.ts'
import type { DraftOf } from '../declare/record.ts'
import { addLocations, completeLocation, locationsOf, type Location, type LocationDraft } from '../locations/index.ts'
import { tagCustomer, tagsOf, type TagRow } from '../tags/index.ts'
import { addCustomer } from './customer.ts'
import { CUSTOMER, type Customer } from './fields.ts'

/** New customer, as submitted. */
type CustomerDraft = DraftOf<typeof CUSTOMER> & {
  email?: string | null | undefined
  phone?: string | null | undefined
  contacts?: readonly ContactDraft[] | undefined
  locations?: readonly LocationDraft[] | undefined
  tag_ids?: readonly string[] | undefined
}

/** Adds a customer with its contacts, locations and tags. */
export async function makeCustomer(
  { db, caller }: Pick<RunContext, 'db' | 'caller'>,
  { email = null, phone = null, contacts = [], locations = [], tag_ids = [], ...draft }: CustomerDraft,
): Promise<Outcome<ReturnType<typeof toFullCustomer> & { warnings?: readonly string[] }>> {
  const contactDrafts =
    email === null && phone === null
      ? contacts
      : [{ first_name: draft.first_name, last_name: draft.last_name, email, phone }, ...contacts]
  const contactInputs = contactDrafts.map((contact, i) =>
    completeContact(contact, caller.tenant.country, pathOf(i, contactDrafts.length - contacts.length)),
  )
  const locationInputs = locations.map((location, i) =>
    completeLocation(location, caller.tenant.country, `locations[${i}].`),
  )
  const customer = await addCustomer(db, caller, CUSTOMER.complete(draft))
  const { added } = await addContacts(db, caller, customer.id, contactInputs)
  await addLocations(db, caller, customer.id, locationInputs, (i) => `locations[${i}].`)
  await tagCustomer(db, customer.id, tag_ids)
  const [warnings, savedContacts, savedLocations, tags] = await Promise.all([
    otherCustomerWarnings(db, customer.id, added),
    contactsOf(db, customer.id),
    locationsOf(db, customer.id),
    tagsOf(db, customer.id),
  ])
  return {
    ...createOutcome(toFullCustomer(customer, savedContacts, savedLocations, tags), warnings),
    also: [...childWrites('contact', savedContacts), ...childWrites('location', savedLocations)],
  }
}

const pathOf = (index: number, ownCount: number): string => (index < ownCount ? '' : `contacts[${index - ownCount}].`)

/** Returns a customer with its contacts, locations and tags. */
export const toFullCustomer = (customer: Customer, contacts: Contact[], locations: Location[], tags: TagRow[]) => ({
  ...customer,
  tags,
  contacts,
  locations,
})
