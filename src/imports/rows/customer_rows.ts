import { fold } from '../../platform/validation/text/fold.ts'
import { recordKey, type IncomingRecord, type MappedRow, type ReadingRules, type Remark } from '../reading/incoming.ts'
import { isCompanyName, splitName } from '../reading/names.ts'
import { newPacer } from '../../platform/db/pacer.ts'
import { parseAddresses } from './addresses.ts'
import { parseEmails, parsePhones, parseContacts } from '../run/contacts.ts'
import { parseFlag, omitUndefined, splitList, parseTermDays } from '../reading/values.ts'

type Cells = MappedRow['cells']
type Fields = Record<string, unknown>

/** Fields that distinguish customers whose rows have no id. */
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

/** Maximum number of contacts, and of locations, per customer. */
const MAX_PARTS = 20

/** Returns the source id of a customer. Jobber appends the id of the property: `87557342_98290987`. */
const idOf = (id: string, source: string): string => (source === 'Jobber' ? id.replace(/^(\d+)_\d+$/, '$1') : id)

/** Reads the customers of a file. Further rows of a customer add locations and contacts. */
export async function readCustomers(
  rows: readonly MappedRow[],
  rules: Pick<ReadingRules, 'country' | 'source'>,
): Promise<IncomingRecord[]> {
  const pace = newPacer()
  const byKey = new Map<string, JoinedRows>()
  for (const row of rows) {
    const one = customerOf(row, rules)
    const existing = byKey.get(one.key)
    if (existing === undefined) byKey.set(one.key, new JoinedRows(one))
    else existing.add(one)
    await pace()
  }
  return [...byKey.values()].map((joined) => joined.toRecord())
}

/** Merges the rows of one customer: data of the first row, contacts and locations of all rows. */
class JoinedRows {
  readonly #first: IncomingRecord
  readonly #contacts = new DistinctParts()
  readonly #locations = new DistinctParts()
  readonly #furtherNumbers: number[] = []
  readonly #needs = new Set<string>()
  readonly #notes = new Set<string>()
  readonly #remarks: Remark[] = []
  #status: unknown

  constructor(first: IncomingRecord) {
    this.#first = first
    this.#status = first.input['status']
    this.#join(first)
  }

  add(more: IncomingRecord): void {
    const { first_name, email, phone, status } = more.input
    if (this.#status === 'inactive') this.#status = status
    this.#furtherNumbers.push(...more.numbers)
    this.#join(more)
    const { name } = this.#first
    if (more.name !== name && more.name !== '' && name !== '' && fold(more.name) !== fold(name))
      this.#remarks.push({ field: 'name', value: more.name, taken: name })
    const isSame = email === this.#first.input['email'] && phone === this.#first.input['phone']
    if (!isSame && (email ?? phone) !== undefined) this.#contacts.add([omitUndefined({ first_name, email, phone })])
  }

  #join({ input: own, needs, note, remarks }: IncomingRecord): void {
    this.#contacts.add((own['contacts'] as Fields[] | undefined) ?? [])
    this.#locations.add((own['locations'] as Fields[] | undefined) ?? [])
    for (const name of needs) this.#needs.add(name)
    if (note !== undefined) this.#notes.add(note)
    this.#remarks.push(...remarks)
  }

  toRecord(): IncomingRecord {
    const { note: _, ...first } = this.#first
    return {
      ...first,
      numbers: [...first.numbers, ...this.#furtherNumbers],
      input: omitUndefined({
        ...first.input,
        status: this.#status,
        contacts: this.#contacts.list(),
        locations: this.#locations.list(),
      }),
      needs: [...this.#needs],
      ...(this.#notes.size > 0 ? { note: [...this.#notes].join('\n') } : {}),
      remarks: this.#remarks,
    }
  }
}

/** Collects the first 20 distinct parts. */
class DistinctParts {
  readonly #parts = new Map<string, Fields>()

  add(parts: readonly Fields[]): void {
    for (const part of parts) {
      if (this.#parts.size === MAX_PARTS) return
      const key = fold(JSON.stringify(part))
      if (!this.#parts.has(key)) this.#parts.set(key, part)
    }
  }

  list(): Fields[] | undefined {
    return this.#parts.size === 0 ? undefined : [...this.#parts.values()]
  }
}

function customerOf(
  { number, cells, custom }: MappedRow,
  { country, source }: Pick<ReadingRules, 'country' | 'source'>,
): IncomingRecord {
  const remarks: Remark[] = []
  const isCompany = isCompanyOf(cells, remarks)
  const [first_name, last_name] = personOf(cells, isCompany, remarks)
  const { main, others } = parseContacts(cells)
  const person = omitUndefined({
    first_name,
    last_name,
    role_label: isCompany ? cells['contact_role'] : undefined,
    ...main,
  })
  const isSelf = ({ role_label: _role, ...one }: Fields): boolean =>
    Object.keys(one).length === 2 && one['first_name'] === first_name && one['last_name'] === last_name
  const further = [
    ...others.map((one) => ({ ...omitUndefined({ first_name, last_name }), ...one })),
    ...contactOf(cells, remarks).filter((one) => !isSelf(one)),
  ]
  const contacts = [...(isCompany && Object.keys(person).length > 0 ? [person] : []), ...further].slice(0, MAX_PARTS)
  const employer = !isCompany && cells['company_name'] !== undefined ? { Company: cells['company_name'] } : {}
  const fields = { ...employer, ...custom }
  const company_name = cells['company_name'] ?? cells['name'] ?? [first_name, last_name].filter(Boolean).join(' ')
  const name = isCompany ? company_name : [first_name, last_name].filter(Boolean).join(' ')
  const { role_label: _, ...own } = person
  return {
    numbers: [number],
    key: recordKey(
      cells['source_id'] === undefined ? cells : { ...cells, source_id: idOf(cells['source_id'], source) },
      IDENTITY,
    ),
    name,
    ...(cells['name'] === undefined ? {} : { nameWritten: cells['name'] }),
    input: omitUndefined({
      customer_type: isCompany ? 'company' : 'individual',
      ...(isCompany ? { company_name } : own),
      status: statusOf(cells, remarks),
      lead_source: cells['lead_source'],
      preferred_language: cells['preferred_language'],
      external_id: cells['external_id'] ?? (source === '' ? cells['source_id'] : undefined),
      do_not_service: flag(cells['do_not_service']),
      tax_exempt: exemptOf(cells),
      payment_terms_days: termsOf(cells['payment_terms'], remarks),
      fields: Object.keys(fields).length > 0 ? fields : undefined,
      contacts: contacts.length > 0 ? contacts : undefined,
      locations: parseAddresses(cells, country, remarks),
    }),
    needs: splitList(cells['tags']).slice(0, 50),
    ...(cells['note'] === undefined ? {} : { note: cells['note'] }),
    remarks,
  }
}

/**
 * Returns the name of a customer's person: from its own columns, or split from one name. A company's `name` is a
 * person's unless it names the company; then the contact's name is used, unless the contact has details of its own.
 */
function personOf(cells: Cells, isCompany: boolean, remarks: Remark[]): PersonName {
  const { first_name, last_name, name = '', company_name, contact_name, contact_email, contact_phone } = cells
  if (first_name !== undefined || last_name !== undefined) return [first_name, last_name]
  if (!isCompany) return parsePersonName('name', name, remarks)
  const isOfCompany = company_name === undefined || fold(name).includes(fold(company_name)) || isCompanyName(name)
  if (!isOfCompany) return parsePersonName('name', name, remarks)
  return (contact_email ?? contact_phone) === undefined
    ? parsePersonName('contact_name', contact_name ?? '', remarks)
    : [undefined, undefined]
}

type PersonName = [first: string | undefined, last: string | undefined]

/** Splits a name, with a remark if its last name came first. */
function parsePersonName(field: string, name: string, remarks: Remark[]): PersonName {
  const { first_name, last_name, isSwapped } = splitName(name)
  if (isSwapped) remarks.push({ field, value: name, taken: `${first_name} ${last_name}`, kind: 'name_order' })
  return [first_name, last_name]
}

function isCompanyOf(cells: Cells, remarks: Remark[]): boolean {
  const hasCompany = cells['company_name'] !== undefined
  const type = cells['customer_type']
  const hasPerson = ['name', 'first_name', 'last_name'].some((field) => cells[field] !== undefined)
  const isNamedAsCompany =
    ['first_name', 'last_name'].every((field) => cells[field] === undefined) && isCompanyName(cells['name'] ?? '')
  if (type === undefined) return hasCompany || isNamedAsCompany
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

/** Returns the status of a customer. Its yes/no columns take precedence over its status text. */
function statusOf(cells: Cells, remarks: Remark[]): string | undefined {
  if (parseFlag(cells['is_archived'] ?? '') === true) return 'inactive'
  if (parseFlag(cells['is_lead'] ?? '') === true) return 'lead'
  const text = cells['status']
  if (text === undefined) return undefined
  const status = STATUSES[text.toLowerCase()]
  if (status === undefined) remarks.push({ field: 'status', value: text, taken: 'active' })
  return status
}

function termsOf(text: string | undefined, remarks: Remark[]): number | undefined {
  if (text === undefined) return undefined
  const days = parseTermDays(text)
  if (days === undefined) remarks.push({ field: 'payment_terms', value: text, taken: '' })
  return days
}

const flag = (text: string | undefined): unknown => (text === undefined ? undefined : (parseFlag(text) ?? text))

function exemptOf(cells: Cells): unknown {
  if (cells['tax_exempt'] !== undefined) return flag(cells['tax_exempt'])
  const taxed = cells['taxable'] === undefined ? undefined : parseFlag(cells['taxable'])
  return taxed === undefined ? undefined : !taxed
}

function contactOf(cells: Cells, remarks: Remark[]): Fields[] {
  const isNamed = cells['contact_first_name'] !== undefined && cells['contact_last_name'] !== undefined
  const [first, last] = isNamed ? [] : parsePersonName('contact_name', cells['contact_name'] ?? '', remarks)
  const person = omitUndefined({
    first_name: cells['contact_first_name'] ?? first,
    last_name: cells['contact_last_name'] ?? last,
    email: parseEmails(cells['contact_email'])[0],
    phone: parsePhones(cells['contact_phone'])[0]?.phone,
  })
  return Object.keys(person).length === 0 ? [] : [omitUndefined({ ...person, role_label: cells['contact_role'] })]
}
