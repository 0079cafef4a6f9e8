import type { Result } from '../harness/harness.ts'
import {
  all,
  broken,
  isBlank,
  isLive,
  lacksRate,
  live,
  addRecord,
  oldestFirst,
  patchField,
  text,
  type Contact,
  type Customer,
  type Location,
  type Rec,
  type Rule,
  type Rules,
  type World,
} from './world.ts'

const scope = 'write:customers'

/** Returns a customer's live contacts, or locations of a type, in the order in which they become primary. */
export const contactsOf = (world: World, customer: string): Contact[] =>
  oldestFirst(all(world, 'contact').filter((contact) => contact.customer_id === customer && isLive(world, contact)))
export const locationsOf = (world: World, customer: string, type?: string): Location[] =>
  oldestFirst(
    all(world, 'location').filter(
      (place) => place.customer_id === customer && isLive(world, place) && (type === undefined || place.type === type),
    ),
  )

const lacksPerson = (given: Result): boolean => text(given['first_name']) === null && text(given['email']) === null

const externalIdTaken = (world: World, given: Result, by?: Customer): boolean =>
  text(given['external_id']) !== null &&
  all(world, 'customer').some((other) => other !== by && other.external_id === text(given['external_id']))

/** Checks for a name of the other customer type. A blank one counts as null. */
const hasNameOfOther = (isPerson: boolean, given: Result): boolean =>
  (isPerson ? ['company_name'] : ['first_name', 'last_name']).some((name) => text(given[name]) !== null)

const customersCreate: Rule = (world, actor, given) => {
  const isPerson = given['customer_type'] === 'individual'
  const [contacts, locations]: Result[][] = [given['contacts'] ?? [], given['locations'] ?? []]
  const codes = broken(
    [hasNameOfOther(isPerson, given), 'invalid_input'],
    [
      isPerson
        ? text(given['first_name']) === null && text(given['last_name']) === null
        : text(given['company_name']) === null,
      'invalid_input',
    ],
    [
      contacts!.some(lacksPerson) ||
        locations!.some(
          (place) => text(place['address_line1']) === null || lacksRate(world, actor, place['tax_rate_id']),
        ),
      'invalid_input',
    ],
    [(given['tag_ids'] ?? []).some((id: string) => live(world, actor, 'tag', id) === undefined), 'invalid_input'],
    [externalIdTaken(world, given), 'conflict'],
  )
  if (codes.length > 0) return codes
  return (answer) => {
    const customer = addRecord<Customer>(
      world,
      {
        kind: 'customer',
        customer_type: given['customer_type'],
        first_name: text(given['first_name']),
        last_name: text(given['last_name']),
        company_name: text(given['company_name']),
        status: given['status'] ?? 'active',
        external_id: text(given['external_id']),
        tax_exempt: given['tax_exempt'] ?? false,
        terms: given['payment_terms_days'] ?? null,
        tags: new Set(given['tag_ids'] ?? []),
      },
      answer,
    )
    const touched: Rec[] = [customer]
    for (const person of contacts!) {
      touched.push(
        addContact(
          world,
          customer.id,
          person,
          answer['contacts'].find((made: Result) => made['first_name'] === text(person['first_name'])),
        ),
      )
    }
    for (const place of locations!)
      touched.push(
        addLocation(
          world,
          customer.id,
          place,
          answer['locations'].find((made: Result) => made['address_line1'] === place['address_line1']),
        ),
      )
    return { shows: customer, touched }
  }
}

const customersUpdate: Rule = (world, actor, given) => {
  const customer = live(world, actor, 'customer', given['id'])
  if (customer === undefined) return ['not_found']
  const names = ['first_name', 'last_name', 'company_name'] as const
  const isPerson = customer.customer_type === 'individual'
  const after = Object.fromEntries(
    names.map((name) => [name, name in given ? text(given[name]) : customer[name]]),
  ) as Pick<Customer, (typeof names)[number]>
  const codes = broken(
    [hasNameOfOther(isPerson, given), 'invalid_input'],
    [isPerson ? after.first_name === null && after.last_name === null : after.company_name === null, 'invalid_input'],
    [externalIdTaken(world, given, customer), 'conflict'],
  )
  if (codes.length > 0) return codes
  return () => {
    Object.assign(customer, after, {
      status: patchField(given, 'status', customer.status),
      tax_exempt: patchField(given, 'tax_exempt', customer.tax_exempt),
      external_id: 'external_id' in given ? text(given['external_id']) : customer.external_id,
      terms: patchField(given, 'payment_terms_days', customer.terms),
    })
    return { shows: customer, touched: [customer] }
  }
}

const customersArchive: Rule = (world, actor, given) => {
  const customer = live(world, actor, 'customer', given['id'])
  if (customer === undefined) return ['not_found']
  if (all(world, 'plan').some((plan) => plan.customer_id === customer.id && plan.status === 'active'))
    return ['conflict']
  return () => {
    const hidden = [...contactsOf(world, customer.id), ...locationsOf(world, customer.id)]
    customer.live = false
    return { says: { id: customer.id }, touched: [customer, ...hidden] }
  }
}

function addContact(world: World, customer_id: string, given: Result, answer: Result): Contact {
  const others = contactsOf(world, customer_id)
  const is_primary = others.length === 0 || given['is_primary'] === true
  if (is_primary) for (const other of others) other.is_primary = false
  return addRecord<Contact>(
    world,
    { kind: 'contact', customer_id, first_name: text(given['first_name']), email: text(given['email']), is_primary },
    answer,
  )
}

const contactsCreate: Rule = (world, actor, given) => {
  const customer = live(world, actor, 'customer', given['customer_id'])
  const codes = broken([lacksPerson(given), 'invalid_input'], [customer === undefined, 'not_found'])
  if (codes.length > 0) return codes
  return (answer) => {
    const others = contactsOf(world, customer!.id)
    const contact = addContact(world, customer!.id, given, answer)
    return { shows: contact, touched: [contact, customer!, ...others] }
  }
}

const contactsUpdate: Rule = (world, actor, given) => {
  const contact = live(world, actor, 'contact', given['id'])
  if (contact === undefined) return ['not_found']
  const first_name = 'first_name' in given ? text(given['first_name']) : contact.first_name
  const codes = broken(
    [first_name === null && contact.email === null, 'invalid_input'],
    [given['is_primary'] === false && contact.is_primary, 'invalid_input'],
  )
  if (codes.length > 0) return codes
  return () => {
    const others = contactsOf(world, contact.customer_id)
    contact.first_name = first_name
    if (given['is_primary'] === true) for (const other of others) other.is_primary = other === contact
    return { shows: contact, touched: [world.records.get(contact.customer_id)!, ...others] }
  }
}

const contactsArchive: Rule = (world, actor, given) => {
  const contact = live(world, actor, 'contact', given['id'])
  if (contact === undefined) return ['not_found']
  return () => ({
    says: { id: contact.id, new_primary_id: leave(contact, contactsOf(world, contact.customer_id)) },
    touched: [contact, world.records.get(contact.customer_id)!, ...contactsOf(world, contact.customer_id)],
  })
}

/** Archives a record. If it was primary, the oldest remaining one becomes primary. Returns the new primary's id. */
function leave(record: Contact | Location, all: (Contact | Location)[]): string | null {
  record.live = false
  const [oldest] = all.filter((other) => other !== record)
  if (!record.is_primary || oldest === undefined) return null
  oldest.is_primary = true
  return oldest.id
}

function addLocation(world: World, customer_id: string, given: Result, answer: Result): Location {
  const type = given['type'] ?? 'service'
  const others = locationsOf(world, customer_id, type)
  const is_primary = others.length === 0 || given['is_primary'] === true
  if (is_primary) for (const other of others) other.is_primary = false
  return addRecord<Location>(
    world,
    {
      kind: 'location',
      customer_id,
      type,
      address_line1: text(given['address_line1'])!,
      tax_rate_id: given['tax_rate_id'] ?? null,
      is_primary,
    },
    answer,
  )
}

const locationsCreate: Rule = (world, actor, given) => {
  const customer = live(world, actor, 'customer', given['customer_id'])
  const codes = broken(
    [text(given['address_line1']) === null || lacksRate(world, actor, given['tax_rate_id']), 'invalid_input'],
    [customer === undefined, 'not_found'],
  )
  if (codes.length > 0) return codes
  return (answer) => {
    const others = locationsOf(world, customer!.id)
    const place = addLocation(world, customer!.id, given, answer)
    return { shows: place, touched: [place, customer!, ...others] }
  }
}

/** Changes the type or the primary. If a call changes both, the type wins (docs/spec/records.md#primary-location). */
const locationsUpdate: Rule = (world, actor, given) => {
  const place = live(world, actor, 'location', given['id'])
  if (place === undefined) return ['not_found']
  const codes = broken(
    [isBlank(given, 'address_line1'), 'invalid_input'],
    [given['is_primary'] === false && place.is_primary, 'invalid_input'],
    [given['tax_rate_id'] !== place.tax_rate_id && lacksRate(world, actor, given['tax_rate_id']), 'invalid_input'],
  )
  if (codes.length > 0) return codes
  return () => {
    const all = locationsOf(world, place.customer_id)
    const type = patchField(given, 'type', place.type)
    if (type !== place.type) {
      const [oldest] = all.filter((other) => other !== place && other.type === place.type)
      if (place.is_primary && oldest !== undefined) oldest.is_primary = true
      place.is_primary = all.every((other) => other.type !== type)
      place.type = type
    }
    if (given['is_primary'] === true)
      for (const other of all.filter((other) => other.type === type)) other.is_primary = other === place
    Object.assign(place, {
      address_line1: 'address_line1' in given ? text(given['address_line1']) : place.address_line1,
      tax_rate_id: patchField(given, 'tax_rate_id', place.tax_rate_id),
    })
    return { shows: place, touched: [world.records.get(place.customer_id)!, ...all] }
  }
}

const locationsArchive: Rule = (world, actor, given) => {
  const place = live(world, actor, 'location', given['id'])
  if (place === undefined) return ['not_found']
  return () => ({
    says: { id: place.id, new_primary_id: leave(place, locationsOf(world, place.customer_id, place.type)) },
    touched: [place, world.records.get(place.customer_id)!, ...locationsOf(world, place.customer_id)],
  })
}

export const people: Rules = {
  customers_create: { scope, rule: customersCreate },
  customers_update: { scope, rule: customersUpdate },
  customers_archive: { scope, rule: customersArchive },
  contacts_create: { scope, rule: contactsCreate },
  contacts_update: { scope, rule: contactsUpdate },
  contacts_archive: { scope, rule: contactsArchive },
  locations_create: { scope, rule: locationsCreate },
  locations_update: { scope, rule: locationsUpdate },
  locations_archive: { scope, rule: locationsArchive },
}
