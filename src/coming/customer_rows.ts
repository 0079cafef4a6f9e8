import { fold } from '../shape/fold.ts'
import { keyOf, type Incoming, type MappedRow, type Remark } from './incoming.ts'
import { countryOf, flagOf, given, severalIn, splitName, termDaysOf } from './values.ts'

type Cells = MappedRow['cells']
type Given = Record<string, unknown>

/** Are what tells a customer whose row has no id from another one. */
const IDENTITY = [
  'company_name',
  'first_name',
  'last_name',
  'name',
  'email',
  'phone',
  'mobile_phone',
  'home_phone',
  'work_phone',
]

const MOST = 20

/** Returns the customers of a file: rows of the same one bring its further addresses and people. */
export function customersIn(rows: readonly MappedRow[]): Incoming[] {
  const found = new Map<string, Incoming>()
  for (const row of rows) {
    const one = customerOf(row)
    const known = found.get(one.key)
    found.set(one.key, known === undefined ? one : joined(known, one))
  }
  return [...found.values()]
}

function joined(first: Incoming, more: Incoming): Incoming {
  const together = (field: 'contacts' | 'locations'): Given[] | undefined => {
    const all = [first, more].flatMap((one) => (one.given[field] as Given[] | undefined) ?? [])
    const kept = [...new Map(all.map((part) => [fold(JSON.stringify(part)), part])).values()].slice(0, MOST)
    return kept.length === 0 ? undefined : kept
  }
  const own = { first_name: more.given['first_name'], email: more.given['email'], phone: more.given['phone'] }
  const same = own.email === first.given['email'] && own.phone === first.given['phone']
  const notes = [...new Set([first.note, more.note].filter((note) => note !== undefined))]
  const others = same || (own.email ?? own.phone) === undefined ? [] : [given(own)]
  const contacts = [...(together('contacts') ?? []), ...others].slice(0, MOST)
  return {
    ...first,
    numbers: [...first.numbers, ...more.numbers],
    given: given({
      ...first.given,
      contacts: contacts.length > 0 ? contacts : undefined,
      locations: together('locations'),
    }),
    needs: [...new Set([...first.needs, ...more.needs])],
    ...(notes.length > 0 ? { note: notes.join('\n') } : {}),
    remarks: [...first.remarks, ...more.remarks],
  }
}

function customerOf({ number, cells, custom }: MappedRow): Incoming {
  const remarks: Remark[] = []
  const isCompany = isCompanyOf(cells, remarks)
  const [first_name, last_name] =
    cells['first_name'] !== undefined || cells['last_name'] !== undefined
      ? [cells['first_name'], cells['last_name']]
      : isCompany
        ? []
        : splitName(cells['name'] ?? '')
  const { main, others } = reachOf(cells)
  const person = given({ first_name, last_name, role_label: isCompany ? cells['contact_role'] : undefined, ...main })
  const further = [...others.map((one) => ({ ...given({ first_name, last_name }), ...one })), ...contactOf(cells)]
  const contacts = [...(isCompany && Object.keys(person).length > 0 ? [person] : []), ...further].slice(0, MOST)
  const employer = !isCompany && cells['company_name'] !== undefined ? { Company: cells['company_name'] } : {}
  const fields = { ...employer, ...custom }
  const company_name = cells['company_name'] ?? cells['name'] ?? [first_name, last_name].filter(Boolean).join(' ')
  const name = isCompany ? company_name : [first_name, last_name].filter(Boolean).join(' ')
  const { role_label: _, ...own } = person
  return {
    numbers: [number],
    key: keyOf(cells, IDENTITY),
    name,
    given: given({
      customer_type: isCompany ? 'company' : 'individual',
      ...(isCompany ? { company_name } : own),
      status: statusOf(cells['status'], remarks),
      lead_source: cells['lead_source'],
      preferred_language: cells['preferred_language'],
      external_id: cells['external_id'],
      do_not_service: flag(cells['do_not_service']),
      tax_exempt: exemptOf(cells),
      payment_terms_days: termsOf(cells['payment_terms'], remarks),
      fields: Object.keys(fields).length > 0 ? fields : undefined,
      contacts: contacts.length > 0 ? contacts : undefined,
      locations: placesOf(cells),
    }),
    needs: severalIn(cells['tags']).slice(0, 50),
    ...(cells['note'] === undefined ? {} : { note: cells['note'] }),
    remarks,
  }
}

function isCompanyOf(cells: Cells, remarks: Remark[]): boolean {
  const hasCompany = cells['company_name'] !== undefined
  const type = cells['customer_type']
  const hasPerson = ['name', 'first_name', 'last_name'].some((field) => cells[field] !== undefined)
  if (type === undefined) return hasCompany
  if (/^(?:company|commercial|business|organization|yes|true)$/i.test(type)) return true
  if (/^(?:individual|residential|homeowner|person|no|false)$/i.test(type)) return hasCompany && !hasPerson
  remarks.push({ field: 'customer_type', value: type, taken: hasCompany ? 'company' : 'individual' })
  return hasCompany
}

const STATUSES: Readonly<Record<string, string>> = {
  active: 'active',
  customer: 'active',
  client: 'active',
  true: 'active',
  yes: 'active',
  lead: 'lead',
  prospect: 'lead',
  inactive: 'inactive',
  archived: 'inactive',
  false: 'inactive',
  no: 'inactive',
}

function statusOf(text: string | undefined, remarks: Remark[]): string | undefined {
  if (text === undefined) return undefined
  const status = STATUSES[text.toLowerCase()]
  if (status === undefined) remarks.push({ field: 'status', value: text, taken: 'active' })
  return status
}

function termsOf(text: string | undefined, remarks: Remark[]): number | undefined {
  if (text === undefined) return undefined
  const days = termDaysOf(text)
  if (days === undefined) remarks.push({ field: 'payment_terms', value: text, taken: '' })
  return days
}

const flag = (text: string | undefined): unknown => (text === undefined ? undefined : (flagOf(text) ?? text))

function exemptOf(cells: Cells): unknown {
  if (cells['tax_exempt'] !== undefined) return flag(cells['tax_exempt'])
  const taxed = cells['taxable'] === undefined ? undefined : flagOf(cells['taxable'])
  return taxed === undefined ? undefined : !taxed
}

/** Returns how a customer is reached first, and what else the row says of it, each a person of its own. */
function reachOf(cells: Cells): { main: Given; others: Given[] } {
  const emails = severalIn(cells['email'], /[;,\s]+/)
  const phones = [
    { phone: cells['phone'], role_label: undefined },
    { phone: cells['mobile_phone'], role_label: 'Mobile' },
    { phone: cells['home_phone'], role_label: 'Home' },
    { phone: cells['work_phone'], role_label: 'Work' },
  ].filter(({ phone }) => phone !== undefined)
  const digits = new Set<string>()
  const each = phones.filter(({ phone }) => {
    const key = phone!.replace(/\D/g, '')
    return !digits.has(key) && Boolean(digits.add(key))
  })
  return {
    main: given({ email: emails[0], phone: each[0]?.phone }),
    others: [...each.slice(1).map(given), ...[...new Set(emails.slice(1))].map((email) => ({ email }))],
  }
}

function contactOf(cells: Cells): Given[] {
  const [first, last] = splitName(cells['contact_name'] ?? '')
  const person = given({
    first_name: cells['contact_first_name'] ?? first,
    last_name: cells['contact_last_name'] ?? last,
    email: cells['contact_email'],
    phone: cells['contact_phone'],
  })
  return Object.keys(person).length === 0 ? [] : [given({ ...person, role_label: cells['contact_role'] })]
}

function placesOf(cells: Cells): Given[] | undefined {
  const service = given({
    name: cells['site_name'],
    address_line1: cells['address_line1'],
    ...placeOf(cells, ''),
    access_notes: cells['access_notes'],
  })
  const billing = given({ address_line1: cells['billing_line1'], ...placeOf(cells, 'billing_') })
  const says = (place: Given): boolean => Object.keys(place).some((field) => field !== 'country' && field !== 'name')
  const isSame = ['address_line1', 'city', 'postal_code'].every((field) => billing[field] === service[field])
  const places = [
    ...(says(service) ? [{ type: 'service', ...service }] : []),
    ...(says(billing) && !isSame ? [{ type: says(service) ? 'billing' : 'service', ...billing }] : []),
  ]
  return places.length === 0 ? undefined : places
}

const placeOf = (cells: Cells, prefix: string): Given => ({
  address_line2: cells[`${prefix === '' ? 'address_' : prefix}line2`],
  city: cells[`${prefix}city`],
  region: cells[`${prefix}region`],
  postal_code: cells[`${prefix}postal_code`],
  country: cells[`${prefix}country`] === undefined ? undefined : countryOf(cells[`${prefix}country`]!),
})
