import { MAX_ROWS } from '../../coming/bounds.ts'
import { PROBLEM, headerKey, plain, tableIn } from '../../coming/reading.ts'
import { splitName } from '../../coming/names.ts'
import { given, severalIn } from '../../coming/values.ts'
import { invalidField } from '../../refusal.ts'
import { fold } from '../../shape/fold.ts'

/** Describes a row of a file as `customers_create` takes it, with its number as people count lines of a table. */
export type ImportRow = {
  number: number
  given: Record<string, unknown>
  /** Are names of tags that the company doesn't have yet. */
  newTags?: readonly string[]
}

/** Holds a file that was read: what its columns are called, those that are unknown, and its rows. */
export type ImportSheet = {
  /** Maps a field to the file's own name of its column. */
  headers: Readonly<Record<string, string>>
  ignored: readonly string[]
  rows: readonly ImportRow[]
}

/** Maps the field to what columns are called, folded. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  customer_type: ['customer type', 'type'],
  company_name: ['company name', 'company', 'business', 'organization'],
  first_name: ['first name', 'given name', 'first'],
  last_name: ['last name', 'family name', 'surname', 'last'],
  name: ['name', 'full name', 'customer', 'display name', 'customer name'],
  email: ['email', 'e mail', 'email address', 'primary email'],
  phone: ['phone', 'phone number', 'mobile', 'telephone', 'primary phone'],
  status: ['status'],
  lead_source: ['lead source', 'source'],
  tax_exempt: ['tax exempt'],
  payment_terms_days: ['payment terms days', 'terms', 'net days'],
  preferred_language: ['preferred language', 'language'],
  external_id: ['external id', 'customer id', 'id'],
  tags: ['tags', 'tag'],
  address_line1: ['address line1', 'address line 1', 'address', 'street', 'street address', 'address1'],
  address_line2: ['address line2', 'address line 2', 'unit', 'address2'],
  city: ['city', 'town'],
  region: ['region', 'state', 'province'],
  postal_code: ['postal code', 'zip', 'zip code', 'postcode'],
  country: ['country'],
}
const FIELDS = new Map(Object.entries(NAMES).flatMap(([field, names]) => names.map((name) => [name, field])))

/**
 * Reads a file of customers, a piece at a time: UTF-8, with a header, commas, semicolons or tabs. `tags` are the
 * company's, by folded name.
 */
export async function readSheet(content: Buffer, tags: ReadonlyMap<string, string>): Promise<ImportSheet> {
  const { header, rows: records } = await tableIn(content)
  const columns = header.map((name) => FIELDS.get(headerKey(name)) ?? null)
  requireUsable(columns)
  const rows: ImportRow[] = []
  for await (const { number, cells } of records) {
    if (rows.length === MAX_ROWS) throw invalidField('file', `must have at most ${MAX_ROWS} rows; split it`)
    const known = Object.fromEntries(
      cells.flatMap((cell, c) => (columns[c] == null || plain(cell) === '' ? [] : [[columns[c], plain(cell)]])),
    )
    const newTags = severalIn(known['tags']).filter((name) => !tags.has(fold(name)))
    rows.push({ number, given: customerOf(known, tags), ...(newTags.length > 0 ? { newTags } : {}) })
  }
  if (rows.length === 0) throw invalidField('file', 'has no rows below its header')
  return {
    headers: Object.fromEntries(
      columns.flatMap((name, i) => (name === null ? [] : [[name, header[i]!.trim().slice(0, 100)]])),
    ),
    ignored: header.filter((name, i) => columns[i] === null && name.trim() !== '' && fold(name) !== fold(PROBLEM)),
    rows,
  }
}

function requireUsable(columns: readonly (string | null)[]): void {
  const twice = columns.find((name, i) => name !== null && columns.indexOf(name) !== i)
  if (twice !== undefined) throw invalidField('file', `has two columns for ${twice}; leave one out`)
  if (!['first_name', 'last_name', 'company_name', 'name'].some((name) => columns.includes(name))) {
    throw invalidField('file', 'needs a header with a column for names: First name, Last name, Company or Name')
  }
}

type Cells = Readonly<Record<string, string>>

/** Returns a customer: a company where the row says so or has a company's name, whose people become its first contact. */
function customerOf(cells: Cells, tags: ReadonlyMap<string, string>): Record<string, unknown> {
  const type = cells['customer_type']?.toLowerCase() ?? (cells['company_name'] === undefined ? 'individual' : 'company')
  const { email, phone } = cells
  const { first_name, last_name } =
    type === 'company' || cells['first_name'] !== undefined || cells['last_name'] !== undefined
      ? { first_name: cells['first_name'], last_name: cells['last_name'] }
      : splitName(cells['name'] ?? '')
  const person = { first_name, last_name, email, phone }
  return given({
    customer_type: type,
    ...(type === 'company'
      ? {
          company_name: cells['company_name'] ?? cells['name'],
          contacts: Object.values(person).some((value) => value !== undefined) ? [given(person)] : undefined,
        }
      : person),
    status: cells['status']?.toLowerCase(),
    lead_source: cells['lead_source'],
    preferred_language: cells['preferred_language'],
    external_id: cells['external_id'],
    tax_exempt: flag(cells['tax_exempt']),
    payment_terms_days: number(cells['payment_terms_days']),
    locations: locationsOf(cells),
    tag_ids: tagsOf(cells['tags'], tags),
  })
}

function locationsOf(cells: Cells): unknown {
  const place = given(
    Object.fromEntries(
      ['address_line1', 'address_line2', 'city', 'region', 'postal_code', 'country'].map((name) => [name, cells[name]]),
    ),
  )
  return Object.keys(place).some((name) => name !== 'country') ? [place] : undefined
}

/** Returns the ids of those tags that the company has. */
function tagsOf(text: string | undefined, tags: ReadonlyMap<string, string>): string[] | undefined {
  const ids = severalIn(text).flatMap((name) => tags.get(fold(name)) ?? [])
  return ids.length === 0 ? undefined : ids
}

const flag = (text: string | undefined): unknown =>
  text === undefined
    ? undefined
    : /^(yes|true|1|y|x)$/i.test(text)
      ? true
      : /^(no|false|0|n)$/i.test(text)
        ? false
        : text
const number = (text: string | undefined): unknown => (text !== undefined && /^\d+$/.test(text) ? Number(text) : text)
