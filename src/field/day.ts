import { createHash } from 'node:crypto'
import type { Caller } from '../access/credentials/caller.ts'
import type { Scope } from '../access/rights/scopes.ts'
import type { Db } from '../db/tenant.ts'
import { say } from '../language/say.ts'
import { boundFrom, boundTo, todayIn, utc } from '../shape/instants.ts'
import { fieldCatalog, type FieldItem } from './catalog.ts'
import { visitFrom, type Drawing, type FieldVisit } from './visit.ts'
import { visitsById, visitsWithin, type VisitRow } from './visit_rows.ts'

/** Says for whom a day is. */
export type DayReader = {
  caller: Caller
  company: { name: string }
  person: { user_id: string; name: string; language: string | null }
  directions: Drawing['directions']
}

/** Describes what a phone keeps: today and tomorrow as one may see them (docs/spec/field.md#the-day). */
export type FieldDay = {
  today: string
  company: { id: string; name: string; timezone: string; currency: string; country: string }
  person: { user_id: string; name: string; language: string | null }
  may: Record<'status' | 'notes' | 'parts' | 'photos' | 'payments' | 'late', boolean>
  visits: FieldVisit[]
  catalog: FieldItem[]
  hold_reasons: string[]
}

/** Returns today and tomorrow in one round trip, with the version that changes when any of it does. */
export async function dayOf(db: Db, reader: DayReader): Promise<{ version: string; now: string } & FieldDay> {
  const { caller, company, person } = reader
  const { id, timezone, currency, country } = caller.tenant
  const today = todayIn(timezone)
  const [from, until] = [boundFrom(timezone, today.toString()), boundTo(timezone, today.add({ days: 1 }).toString())]
  const [rows, catalog] = await Promise.all([
    caller.scopes.has('read:jobs') ? visitsWithin(db, caller, from, until) : [],
    fieldCatalog(db, caller),
  ])
  const around = {
    today: today.toString(),
    company: { id, name: company.name, timezone, currency, country },
    person,
    may: rightsOf(caller),
    catalog,
    hold_reasons: holdReasons(),
  }
  const day = { ...around, visits: fitting(rows, reader) }
  return { version: versionOf(day), now: utc(Temporal.Now.instant()), ...day }
}

/** Returns visits as they are now, by id. */
export async function visitsNow(db: Db, reader: DayReader, ids: readonly string[]): Promise<Map<string, FieldVisit>> {
  if (ids.length === 0 || !reader.caller.scopes.has('read:jobs')) return new Map()
  const rows = await visitsById(db, reader.caller, ids)
  return new Map(rows.map((row) => [row.id, visitFrom(row, { ...reader, longest: LENGTHS[0] })]))
}

function rightsOf({ scopes }: Caller): FieldDay['may'] {
  const may = (...all: Scope[]): boolean => all.every((scope) => scopes.has(scope))
  const jobs = may('read:jobs', 'write:jobs')
  return {
    status: jobs,
    notes: may('read:jobs', 'write:notes'),
    parts: jobs,
    photos: jobs,
    payments: may('read:jobs', 'read:invoices', 'write:invoices'),
    late: jobs,
  }
}

/** Limits the visits of a day in bytes, and lists how long a text is, the first that fits. */
const MOST_BYTES = 150_000
const LENGTHS = [2_000, 600, 150] as const

/** Returns the visits with texts as long as fit; where the shortest don't, the last visits are left out, others' first. */
function fitting(rows: readonly VisitRow[], reader: DayReader): FieldVisit[] {
  for (const longest of LENGTHS) {
    const visits = rows.map((row) => visitFrom(row, { ...reader, longest }))
    if (bytesOf(visits) <= MOST_BYTES) return visits
  }
  const visits = rows.map((row) => visitFrom(row, { ...reader, longest: LENGTHS.at(-1)! }))
  let room = MOST_BYTES
  return visits.filter((visit) => (room -= bytesOf(visit)) >= 0)
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

const versionOf = (day: FieldDay): string =>
  createHash('sha256').update(JSON.stringify(day)).digest('base64url').slice(0, 22)

/** Lists the usual reasons to put a visit on hold, in the words of who reads. */
const holdReasons = (): string[] => [
  say`Waiting for a part`,
  say`Nobody is there`,
  say`Customer asked for another time`,
  say`Needs a second person`,
  say`Weather`,
]
