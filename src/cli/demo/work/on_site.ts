import { writeTenant, type Database, type Db } from '../../../platform/db/tenant.ts'
import { findJob, listRecentVisits, type RecentVisit } from '../../../records/jobs/index.ts'
import { answerItem } from '../../../mobile/checklists/answering.ts'
import { addTemplate, listTemplates } from '../../../mobile/checklists/template.ts'
import { signWorkOrder } from '../../../mobile/signatures/signing.ts'
import { correctTime } from '../../../mobile/time/correcting.ts'
import { listEntriesOfJobs } from '../../../mobile/time/entry.ts'
import { trackTime } from '../../../mobile/time/tracking.ts'
import { ANSWERS, CHECKLISTS, CORRECTION, SIGNATURES } from './on_site_records.ts'
import type { PersonName } from '../people.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'

type Company = { tenant: string; people: Readonly<Record<PersonName, string>> }

/** Records recent visits as technicians do on site: checklists, time with a correction, and signatures. */
export const makeOnSite = (database: Database, { tenant, people }: Company): Promise<void> =>
  writeTenant(database, { tenant }, async (db) => {
    const visits = await listRecentVisits(db)
    for (const checklist of CHECKLISTS) await addTemplate(db, checklist, { user: people.dana })
    for (const visit of visits) await trackVisit(db, visit)
    for (const visit of visits) await answerChecklists(db, visit)
    for (const visit of visits) await signVisit(db, visit)
    await correctVisitTime(db, visits, people.priya)
  })

const MINUTE = 60_000
const toIso = (at: number): string => new Date(at).toISOString()

/** Tracks the whole crew's time, starting a few minutes late and ending a few minutes early, never in the future. */
async function trackVisit(db: Db, visit: RecentVisit): Promise<void> {
  const now = Date.now()
  const [from, until] = [visit.from + 4 * MINUTE, visit.until - 7 * MINUTE]
  if (visit.status === 'done' && until > now) return
  for (const user of visit.crew) {
    const started = visit.status === 'done' ? from : Math.min(from, now - 10 * MINUTE)
    await trackTime(db, visit, { what: 'started', at: toIso(started), by: { user } })
    if (visit.status === 'done') await trackTime(db, visit, { what: 'ended', at: toIso(until), by: { user } })
  }
}

/** Answers a visit's checklists as of a time when it was in progress. */
async function answerChecklists(db: Db, { id, title, until, crew }: RecentVisit): Promise<void> {
  const answers = ANSWERS[title]
  if (answers === undefined) return
  const items = (await listTemplates(db)).flatMap((template) => template.items)
  const at = toIso(Math.min(until - 15 * MINUTE, Date.now()))
  for (const [itemText, value] of Object.entries(answers)) {
    const { id: item_id } = requireValue(
      items.find((item) => item.text === itemText),
      itemText,
    )
    await answerItem(
      db,
      { id, title, status: 'in_progress' },
      { item_id, value, at, by: { user: requireValue(crew[0], 'The crew') } },
    )
  }
}

async function signVisit(db: Db, { id, title, until, crew }: RecentVisit): Promise<void> {
  const drawing = SIGNATURES[title]
  if (drawing === undefined) return
  const job = await findJob(db, id)
  const at = toIso(Math.min(until - 5 * MINUTE, Date.now()))
  await signWorkOrder(db, job, {
    name: job.customer_name,
    drawing,
    at,
    by: { user: requireValue(crew[0], 'The crew') },
  })
}

/** Deducts a forgotten break from a time entry, as the office does. */
async function correctVisitTime(db: Db, visits: readonly RecentVisit[], priya: string): Promise<void> {
  const visit = visits.find(({ title, status }) => title === CORRECTION.title && status === 'done')
  const [entry] = visit === undefined ? [] : await listEntriesOfJobs(db, [visit.id], visit.crew[0])
  if (entry?.ended_at == null) return
  const ended_at = toIso(Date.parse(entry.ended_at) - CORRECTION.minutes * MINUTE)
  const { started_at } = entry
  const by = { user: priya, role: 'office' } as const
  await correctTime(db, entry.id, { started_at, ended_at, reason: CORRECTION.reason }, by, toIso(Date.now()))
}
