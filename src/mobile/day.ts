import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Caller } from '../identity/credentials/caller.ts'
import { isOffice } from '../identity/permissions/areas.ts'
import type { Scope } from '../identity/permissions/scopes.ts'
import type { Db } from '../platform/db/tenant.ts'
import { say } from '../platform/i18n/say.ts'
import { lowerBound, upperBound, todayIn, utc } from '../platform/validation/formats/instants.ts'
import type { MessageChannel } from '../messaging/templates/kinds.ts'
import { mayBill } from './bill.ts'
import { fieldCatalog, type FieldItem } from './catalog.ts'
import { hasAutoClock } from './time/auto_clock.ts'
import { toFieldVisit, type VisitViewOptions, type FieldVisit, type VisitRecords } from './visit.ts'
import { fieldTemplates, fitTemplates, type FieldTemplate } from './templates.ts'
import { findVisitRecords } from './visit_records.ts'
import { findVisitRows, listVisitRows, type VisitRow } from './visit_rows.ts'
import { requireValue } from '../platform/errors/require_value.ts'

/** User who reads a day, and their rights. */
export type DayReader = {
  caller: Caller
  company: { name: string }
  person: { user_id: string; name: string; language: string | null }
  directions: VisitViewOptions['directions']
  /** Key with which the phone subscribes to push messages. */
  pushKey: string | null
  /** Returns the channels on which the company can send. */
  channels(db: Db): Promise<MessageChannel[]>
}

type FieldRight =
  | 'status'
  | 'notes'
  | 'parts'
  | 'photos'
  | 'equipment'
  | 'payments'
  | 'receipts'
  | 'late'
  | 'quotes'
  | 'charges'

/** Data that a phone keeps: today and tomorrow, as far as the user may see them (docs/spec/field.md#the-day). */
export type FieldDay = {
  today: string
  company: { id: string; name: string; timezone: string; currency: string; country: string }
  person: { user_id: string; name: string; language: string | null }
  may: Record<FieldRight, boolean>
  /** Channels on which the company can send. */
  channels: MessageChannel[]
  visits: Versioned<FieldVisit>[]
  catalog: FieldItem[]
  /** Quote templates; they are sent and cached together with the catalog. */
  templates: FieldTemplate[]
  catalog_version: string
  hold_reasons: string[]
  /** True if "In progress" starts the clock of the user who sets it. */
  starts_clock: boolean
  push_key: string | null
}

/** Data with a version that changes whenever the data does. */
type Versioned<T> = T & { version: string }

/** Returns today and tomorrow in two round trips, with a version that changes whenever any of it does. */
export async function readFieldDay(db: Db, reader: DayReader): Promise<Versioned<{ now: string } & FieldDay>> {
  const { caller, company, person } = reader
  const { id, timezone, currency, country } = caller.tenant
  const today = todayIn(timezone)
  const [from, until] = [
    lowerBound(timezone, today.toString()),
    upperBound(timezone, today.add({ days: 1 }).toString()),
  ]
  const [rows, items, quoteTemplates, starts_clock, channels] = await Promise.all([
    caller.scopes.has('read:jobs') ? listVisitRows(db, caller, from, until) : [],
    fieldCatalog(db, caller),
    fieldTemplates(db, caller),
    hasAutoClock(db),
    reader.channels(db),
  ])
  const catalog = truncateList(items, MAX_CATALOG_BYTES)
  const templates = truncateList(fitTemplates(quoteTemplates, catalog), MAX_TEMPLATES_BYTES)
  const base = {
    today: today.toString(),
    company: { id, name: company.name, timezone, currency, country },
    person,
    may: rightsOf(caller),
    channels,
    catalog,
    templates,
    catalog_version: versionOf([catalog, templates]),
    hold_reasons: holdReasons(),
    starts_clock,
    push_key: reader.pushKey,
  }
  const records = await findVisitRecords(db, caller, rows)
  const visits = fitVisits(rows, records, reader).map((visit) => ({ version: versionOf(visit), ...visit }))
  const day = { ...base, visits }
  return { version: versionOf(day), now: utc(Temporal.Now.instant()), ...day }
}

/**
 * Omits the parts of a day that a phone already has, by version: the catalog and templates become `null`, a visit only
 * its id and version.
 */
export const omitCached = (cachedVersions: ReadonlySet<string>, day: FieldDay): object => ({
  ...day,
  visits: day.visits.map((visit) =>
    cachedVersions.has(visit.version) ? { id: visit.id, version: visit.version } : visit,
  ),
  ...(cachedVersions.has(day.catalog_version) && { catalog: null, templates: null }),
})

/** Returns the current state of visits, by id. */
export async function findVisits(db: Db, reader: DayReader, ids: readonly string[]): Promise<Map<string, FieldVisit>> {
  if (ids.length === 0 || !reader.caller.scopes.has('read:jobs')) return new Map()
  const rows = await findVisitRows(db, reader.caller, ids)
  const records = await findVisitRecords(db, reader.caller, rows)
  return new Map(
    rows.map((row) => [row.id, toFieldVisit(row, recordsOf(records, row), { ...reader, maxTextLength: LENGTHS[0] })]),
  )
}

function rightsOf({ scopes, role }: Caller): FieldDay['may'] {
  const may = (...all: Scope[]): boolean => all.every((scope) => scopes.has(scope))
  const jobs = may('read:jobs', 'write:jobs')
  return {
    status: jobs,
    notes: may('read:jobs', 'write:notes'),
    parts: jobs,
    photos: jobs,
    equipment: may('read:jobs', 'read:customers') && (jobs || may('write:customers')),
    payments: mayBill({ scopes }),
    receipts: mayBill({ scopes }) && may('read:customers'),
    late: jobs,
    quotes: may('read:customers', 'read:quotes', 'write:quotes'),
    charges: isOffice({ role }) && mayBill({ scopes }),
  }
}

/** Maximum bytes of a day's visits, catalog and templates as sent, and the maximum text lengths to try in turn. */
const [MAX_DAY_BYTES, MAX_CATALOG_BYTES, MAX_TEMPLATES_BYTES] = [150_000, 40_000, 20_000]
const LENGTHS = [2_000, 600, 150] as const

/** Returns the visits with texts as long as fit. If even the shortest don't, drops the last visits, others' first. */
function fitVisits(
  rows: readonly VisitRow[],
  records: ReadonlyMap<string, VisitRecords>,
  reader: DayReader,
): FieldVisit[] {
  const renderVisits = (maxTextLength: number): FieldVisit[] =>
    rows.map((row) => toFieldVisit(row, recordsOf(records, row), { ...reader, maxTextLength }))
  for (const maxTextLength of LENGTHS) {
    const visits = renderVisits(maxTextLength)
    if (isWithin(MAX_DAY_BYTES, visits)) return visits
  }
  return truncateList(renderVisits(Math.min(...LENGTHS)), MAX_DAY_BYTES)
}

/** Returns as much of a list as fits, dropping a fifth at a time. */
function truncateList<T>(list: readonly T[], maxBytes: number): T[] {
  let truncated = [...list]
  while (!isWithin(maxBytes, truncated)) truncated = truncated.slice(0, Math.floor(truncated.length * 0.8))
  return truncated
}

/** Checks whether a value fits the size limit, either as is or compressed, which every phone accepts. */
function isWithin(maxBytes: number, value: object): boolean {
  const bytes = Buffer.from(JSON.stringify(value))
  return bytes.length <= maxBytes || gzipSync(bytes, { level: 1 }).length <= maxBytes
}

const versionOf = (value: object): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16)

/** Returns the usual reasons to put a visit on hold, in the reader's language. */
const holdReasons = (): string[] => [
  say`Waiting for a part`,
  say`No one is home`,
  say`Customer asked for another time`,
  say`Needs a second person`,
  say`Weather`,
]

const recordsOf = (records: ReadonlyMap<string, VisitRecords>, { id }: VisitRow): VisitRecords =>
  requireValue(records.get(id), 'What belongs to a visit')
