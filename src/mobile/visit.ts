import type { Caller } from '../identity/credentials/caller.ts'
import type { MediaStage } from '../records/jobs/index.ts'
import type { LineItem } from '../records/line_items/line.ts'
import { bestPosition } from '../scheduling/places/positions.ts'
import type { Coordinates } from '../scheduling/places/coordinates.ts'
import type { Equipment } from './equipment/equipment.ts'
import { localAddress } from '../records/page/contact_links.ts'
import type { VisitBill } from './bill.ts'
import type { BillRate } from './bill_lines.ts'
import { toVisitQuote, type VisitInvoice, type VisitQuote } from './quotes.ts'
import type { VisitHead, VisitRow } from './visit_rows.ts'

/** Visit as a phone stores it (docs/spec/field.md#visit). */
export type FieldVisit = VisitHead & {
  url: string
  day: string | null
  mine: boolean
  crew: string[]
  customer: { id: string; name: string }
  address: { lines: string[]; map_url: string } | null
  /** Best known position. */
  position: Coordinates | null
  access_notes: string | null
  contact: { name: string; phone: string; may_text: boolean } | null
  /** Address for receipts. */
  email: string | null
  before: { at: string; title: string; note: string | null }[]
  bring: Part[]
  parts: PricedPart[]
  bill: VisitBill | null
  /** Taxation of a quote, for those who may write one on site. */
  quote_tax: { rate: BillRate | null; exempt: boolean } | null
  quotes: VisitQuote[]
  notes: { at: string; by: string | null; body: string }[]
  photos: { id: string; name: string; stage: MediaStage | null; at: string }[]
  time: {
    state: 'none' | 'running' | 'paused' | 'ended'
    since: string | null
    seconds: number
    entries: { id: string; started_at: string; ended_at: string | null; corrected: boolean }[]
  }
  equipment: Pick<Equipment, 'id' | 'photo_ids' | 'kind' | 'model' | 'serial' | 'installed_on' | 'note'>[]
  checklist: {
    id: string
    text: string
    kind: 'check' | 'text' | 'number'
    required: boolean
    value: boolean | string | number | null
    done_at: string | null
  }[]
  signature: { name: string; at: string } | null
  invoices: VisitInvoice[]
}

type Part = { name: string; quantity: number; unit: string }
/** Part with its amounts; null for those who can't see prices. */
type PricedPart = Part & { price_cents: number | null; total_cents: number | null }

/** Records made on site during a visit. */
export type VisitRecords = Pick<FieldVisit, 'time' | 'equipment' | 'checklist' | 'signature' | 'bill' | 'quote_tax'>

/** Options of a visit's view: the caller's rights, the URL for directions, and the maximum text length. */
export type VisitViewOptions = { caller: Caller; directions(address: string): string; maxTextLength: number }

const MAX_PARTS = 40

/** Converts a row to a visit for the phone. */
export function toFieldVisit(
  row: VisitRow,
  records: VisitRecords,
  { caller, directions, maxTextLength }: VisitViewOptions,
): FieldVisit {
  const { timezone, country, id: tenant } = caller.tenant
  const truncate = <T extends string | null>(text: T): T => truncateText(text, maxTextLength)
  const { customer_id, customer_name, location_address, phone, line_items, components, crew, ...fields } = row
  const at = fields.scheduled_start
  return {
    id: fields.id,
    display_number: fields.display_number,
    url: `/${tenant}/jobs/${fields.id}`,
    title: fields.title,
    status: fields.status,
    updated_at: fields.updated_at,
    scheduled_start: at,
    scheduled_end: fields.scheduled_end,
    all_day: fields.all_day,
    arrival_window_minutes: fields.arrival_window_minutes,
    day: at === null ? null : Temporal.Instant.from(at).toZonedDateTimeISO(timezone).toPlainDate().toString(),
    mine: fields.mine,
    crew: crew.map(({ name }) => name),
    priority: fields.priority,
    customer: { id: customer_id, name: customer_name },
    address: addressFrom(location_address, country, directions),
    position: coordinatesOf(row),
    access_notes: truncate(fields.access_notes),
    contact:
      phone === null ? null : { name: fields.contact_name ?? customer_name, phone, may_text: !fields.wants_no_texts },
    email: fields.email,
    description: truncate(fields.description),
    instructions: truncate(fields.instructions),
    before: fields.before.map((visit) => ({ ...visit, note: truncate(visit.note) })),
    bring: [...line_items.filter(({ kind }) => kind === 'product').map(toPart), ...components].slice(0, MAX_PARTS),
    parts: line_items
      .filter(({ kind }) => kind !== 'discount')
      .slice(0, MAX_PARTS)
      .map((line) => toPricedPart(line, caller.scopes.has('read:catalog_items'))),
    notes: fields.notes.map((note) => ({ ...note, body: truncate(note.body) })),
    photos: fields.photos,
    ...records,
    quotes: fields.quotes.map(toVisitQuote),
    invoices: fields.invoices,
  }
}

/** Returns the position of a visit, rounded to about a meter. */
function coordinatesOf({ country, ...row }: VisitRow): Coordinates | null {
  const position = country === null ? undefined : bestPosition({ ...row, country })
  const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5
  return position === undefined ? null : { latitude: round(position.latitude), longitude: round(position.longitude) }
}

const toPart = ({ name, quantity, unit }: LineItem): Part => ({ name, quantity: quantity ?? 1, unit: unit ?? '' })

const toPricedPart = (line: LineItem, showsPrice: boolean): PricedPart => ({
  ...toPart(line),
  price_cents: showsPrice ? line.unit_price_cents : null,
  total_cents: showsPrice ? line.line_total_cents : null,
})

function addressFrom(
  formatted: string | null,
  country: string,
  directions: VisitViewOptions['directions'],
): FieldVisit['address'] {
  if (formatted === null) return null
  const local = localAddress(formatted, country)
  const comma = local.indexOf(', ')
  const lines = comma < 0 ? [local] : [local.slice(0, comma), local.slice(comma + 2)]
  return { lines, map_url: directions(formatted) }
}

/** Truncates a text between two characters and appends an ellipsis. */
const truncateText = <T extends string | null>(text: T, maxLength: number): T =>
  text === null || text.length <= maxLength ? text : (`${text.slice(0, maxLength - 1).toWellFormed()}…` as T)
