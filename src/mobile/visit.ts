import type { Caller } from '../identity/credentials/caller.ts'
import type { MediaStage } from '../records/jobs/index.ts'
import type { LineItem } from '../records/line_items/line.ts'
import { bestPosition } from '../scheduling/places/positions.ts'
import type { Coordinates } from '../scheduling/places/coordinates.ts'
import type { Equipment } from './equipment/equipment.ts'
import { localAddress } from '../records/page/reach.ts'
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
export type VisitViewOptions = { caller: Caller; directions(address: string): string; longest: number }

const MAX_PARTS = 40

/** Converts a row to a visit for the phone. */
export function toFieldVisit(
  row: VisitRow,
  records: VisitRecords,
  { caller, directions, longest }: VisitViewOptions,
): FieldVisit {
  const { timezone, country, id: tenant } = caller.tenant
  const cut = <T extends string | null>(text: T): T => cutTo(text, longest)
  const { customer_id, customer_name, location_address, phone, line_items, components, crew, ...own } = row
  const at = own.scheduled_start
  return {
    id: own.id,
    display_number: own.display_number,
    url: `/${tenant}/jobs/${own.id}`,
    title: own.title,
    status: own.status,
    updated_at: own.updated_at,
    scheduled_start: at,
    scheduled_end: own.scheduled_end,
    all_day: own.all_day,
    arrival_window_minutes: own.arrival_window_minutes,
    day: at === null ? null : Temporal.Instant.from(at).toZonedDateTimeISO(timezone).toPlainDate().toString(),
    mine: own.mine,
    crew: crew.map(({ name }) => name),
    priority: own.priority,
    customer: { id: customer_id, name: customer_name },
    address: addressFrom(location_address, country, directions),
    position: coordinatesOf(row),
    access_notes: cut(own.access_notes),
    contact: phone === null ? null : { name: own.contact_name ?? customer_name, phone, may_text: !own.wants_no_texts },
    email: own.email,
    description: cut(own.description),
    instructions: cut(own.instructions),
    before: own.before.map((visit) => ({ ...visit, note: cut(visit.note) })),
    bring: [...line_items.filter(({ kind }) => kind === 'product').map(partFrom), ...components].slice(0, MAX_PARTS),
    parts: line_items
      .filter(({ kind }) => kind !== 'discount')
      .slice(0, MAX_PARTS)
      .map((line) => toPricedPart(line, caller.scopes.has('read:catalog_items'))),
    notes: own.notes.map((note) => ({ ...note, body: cut(note.body) })),
    photos: own.photos,
    ...records,
    quotes: own.quotes.map(toVisitQuote),
    invoices: own.invoices,
  }
}

/** Returns the position of a visit, rounded to about a meter. */
function coordinatesOf({ country, ...row }: VisitRow): Coordinates | null {
  const position = country === null ? undefined : bestPosition({ ...row, country })
  const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5
  return position === undefined ? null : { latitude: round(position.latitude), longitude: round(position.longitude) }
}

const partFrom = ({ name, quantity, unit }: LineItem): Part => ({ name, quantity: quantity ?? 1, unit: unit ?? '' })

const toPricedPart = (line: LineItem, showsPrice: boolean): PricedPart => ({
  ...partFrom(line),
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
const cutTo = <T extends string | null>(text: T, longest: number): T =>
  text === null || text.length <= longest ? text : (`${text.slice(0, longest - 1).toWellFormed()}…` as T)
