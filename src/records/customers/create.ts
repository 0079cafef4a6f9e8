import type { RunContext } from '../../tools/declare/define.ts'
import { createOutcome, childWrites, type Outcome } from '../../tools/call/outcome.ts'
import {
  addContacts,
  completed,
  contactsOf,
  othersReachedBy,
  type Contact,
  type TypedContact,
} from '../contacts/index.ts'
import type { DraftOf } from '../declare/record.ts'
import { addLocations, completedLocation, locationsOf, type Location, type TypedLocation } from '../locations/index.ts'
import { tagCustomer, tagsOf, type TagRow } from '../tags/index.ts'
import { addCustomer } from './customer.ts'
import { CUSTOMER, type Customer } from './fields.ts'

/** New customer, as submitted. */
type CustomerDraft = DraftOf<typeof CUSTOMER> & {
  email?: string | null | undefined
  phone?: string | null | undefined
  contacts?: readonly TypedContact[] | undefined
  locations?: readonly TypedLocation[] | undefined
  tag_ids?: readonly string[] | undefined
}

/** Adds a customer with its contacts, locations and tags. */
export async function makeCustomer(
  { db, caller }: Pick<RunContext, 'db' | 'caller'>,
  { email = null, phone = null, contacts = [], locations = [], tag_ids = [], ...draft }: CustomerDraft,
): Promise<Outcome<ReturnType<typeof toFullCustomer> & { warnings?: readonly string[] }>> {
  const place =
    email === null && phone === null
      ? contacts
      : [{ first_name: draft.first_name, last_name: draft.last_name, email, phone }, ...contacts]
  const people = place.map((contact, i) =>
    completed(contact, caller.tenant.country, pathOf(i, place.length - contacts.length)),
  )
  const places = locations.map((location, i) => completedLocation(location, caller.tenant.country, `locations[${i}].`))
  const customer = await addCustomer(db, caller, CUSTOMER.complete(draft))
  const { made } = await addContacts(db, caller, customer.id, people)
  await addLocations(db, caller, customer.id, places, (i) => `locations[${i}].`)
  await tagCustomer(db, customer.id, tag_ids)
  const [warnings, contactsMade, locationsMade, tags] = await Promise.all([
    othersReachedBy(db, customer.id, made),
    contactsOf(db, customer.id),
    locationsOf(db, customer.id),
    tagsOf(db, customer.id),
  ])
  return {
    ...createOutcome(toFullCustomer(customer, contactsMade, locationsMade, tags), warnings),
    also: [...childWrites('contact', contactsMade), ...childWrites('location', locationsMade)],
  }
}

const pathOf = (index: number, own: number): string => (index < own ? '' : `contacts[${index - own}].`)

/** Returns a customer with its contacts, locations and tags. */
export const toFullCustomer = (customer: Customer, contacts: Contact[], locations: Location[], tags: TagRow[]) => ({
  ...customer,
  tags,
  contacts,
  locations,
})
