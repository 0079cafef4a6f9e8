import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { Refusal, invalid, invalidField } from '../../refusal.ts'
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

export const MAX_ROWS = 5_000
/** Limits lines, including empty ones and those within cells. */
const MAX_LINES = 4 * MAX_ROWS
const MAX_COLUMNS = 200
const LONGEST_CELL = 20_000
const LONGEST_HEADER = 64 * 1024

/** Is how much of a file is read before other work gets the event loop. */
const PIECE = 8 * 1024

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
  if (!isUtf8(content)) throw invalidField('file', 'must be UTF-8 text; save it as CSV UTF-8')
  requireFewLines(content)
  const records = recordsIn(content, delimiterOf(content))
  const header = (await records.next()).value ?? []
  const columns = header.map((name) =>
    name.length > 100
      ? null
      : (FIELDS.get(
          fold(name)
            .replace(/[^a-z0-9]+/g, ' ')
            .trim(),
        ) ?? null),
  )
  requireUsable(columns)
  const rows: ImportRow[] = []
  for await (const cells of records) {
    if (rows.length === MAX_ROWS) throw invalidField('file', `must have at most ${MAX_ROWS} rows; split it`)
    const known = Object.fromEntries(
      cells.flatMap((cell, c) => (columns[c] == null || cell.trim() === '' ? [] : [[columns[c], plain(cell)]])),
    )
    const newTags = namesIn(known['tags']).filter((name) => !tags.has(fold(name)))
    rows.push({ number: rows.length + 2, given: customerOf(known, tags), ...(newTags.length > 0 ? { newTags } : {}) })
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

/** Heads the column that says, in a file of rows that were left out, why; it is passed over when the file comes back. */
export const PROBLEM = 'Problem'

/** Returns some rows of a file as they stand in it, by their numbers, the header first as number 1. */
export async function* cellsOf(
  content: Buffer,
  numbers: ReadonlySet<number>,
): AsyncGenerator<{ number: number; cells: string[] }, void> {
  let number = 0
  for await (const cells of recordsIn(content, delimiterOf(content)))
    if (++number === 1 || numbers.has(number)) yield { number, cells }
}

/** Returns a cell without the mark that keeps a table from computing it. */
const plain = (cell: string): string => cell.trim().replace(/^'(?=[=+\-@])/, '')

function requireFewLines(content: Buffer): void {
  for (const end of ['\n', '\r']) {
    let lines = 0
    for (let at = content.indexOf(end); at >= 0; at = content.indexOf(end, at + 1)) lines++
    if (lines > MAX_LINES)
      throw invalidField('file', `must have at most ${MAX_ROWS} rows (got ${lines} lines); split it`)
  }
}

/** Returns the delimiter, of three, that the header has most of. */
function delimiterOf(content: Buffer): string {
  const begin = content.toString('utf8', 0, LONGEST_HEADER)
  const end = begin.search(/[\r\n]/)
  if (end < 0 && content.length > LONGEST_HEADER)
    throw invalidField('file', `must have a header of at most ${LONGEST_HEADER / 1024} kB in its first line`)
  const head = begin.slice(0, end < 0 ? undefined : end)
  return [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0]!
}

/** Returns the cells of each record. */
async function* recordsIn(content: Buffer, delimiter: string): AsyncGenerator<string[], void> {
  const reading = parse({
    delimiter,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  })
  let number = 0
  try {
    for await (const cells of Readable.from(piecesOf(content)).compose(reading) as AsyncIterable<string[]>) {
      number++
      requireBounded(cells, number)
      yield cells
    }
  } catch (error) {
    throw error instanceof Refusal
      ? error
      : invalidField('file', `can't be read as CSV: ${error instanceof Error ? error.message : 'it is broken'}`)
  }
}

async function* piecesOf(content: Buffer): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < content.length; at += PIECE) {
    yield content.subarray(at, at + PIECE)
    await setImmediate()
  }
}

function requireBounded(cells: readonly string[], number: number): void {
  if (cells.length > MAX_COLUMNS)
    throw invalid(`row ${number} must have at most ${MAX_COLUMNS} columns (got ${cells.length})`)
  const long = cells.findIndex(({ length }) => length > LONGEST_CELL)
  if (long >= 0)
    throw invalid(
      `row ${number} must have at most ${LONGEST_CELL} characters in a cell (got ${cells[long]!.length} in column ${long + 1})`,
    )
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
  const [first_name, last_name] =
    type === 'company' || cells['first_name'] !== undefined || cells['last_name'] !== undefined
      ? [cells['first_name'], cells['last_name']]
      : split(cells['name'] ?? '')
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

/** Splits `Ruiz, Ana` and `Ana Ruiz`. */
function split(name: string): [string | undefined, string | undefined] {
  const [last, first] = name.split(',').map((part) => part.trim())
  if (first !== undefined) return [first || undefined, last || undefined]
  const words = name.split(/\s+/).filter(Boolean)
  return [words.slice(0, -1).join(' ') || words[0], words.length > 1 ? words.at(-1) : undefined]
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
  const ids = namesIn(text).flatMap((name) => tags.get(fold(name)) ?? [])
  return ids.length === 0 ? undefined : ids
}

const namesIn = (text = ''): string[] =>
  text
    .split(/[;,|]/)
    .map((name) => name.trim())
    .filter(Boolean)

const flag = (text: string | undefined): unknown =>
  text === undefined
    ? undefined
    : /^(yes|true|1|y|x)$/i.test(text)
      ? true
      : /^(no|false|0|n)$/i.test(text)
        ? false
        : text
const number = (text: string | undefined): unknown => (text !== undefined && /^\d+$/.test(text) ? Number(text) : text)

const given = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
