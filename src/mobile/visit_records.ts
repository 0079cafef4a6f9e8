import type { Caller } from '../identity/credentials/caller.ts'
import type { Db } from '../platform/db/tenant.ts'
import { findPrices } from './bill.ts'
import { listEquipment } from './equipment/equipment.ts'
import { findChecklistsByJob, type JobChecklist } from './checklists/job_checklist.ts'
import { listSignatures, type JobSignature } from './signatures/work_order.ts'
import { listEntriesOfJobs, toTimeState, type TimeEntry } from './time/entry.ts'
import type { FieldVisit, VisitRecords } from './visit.ts'
import type { VisitRow } from './visit_rows.ts'

/** Maximum checklist items of a visit, time entries of the user on it, and devices at its location. */
const [MAX_ITEMS, MAX_ENTRIES, MAX_DEVICES] = [120, 50, 20]

/** Returns the records of visits: own time, checklists, newest signature, equipment and prices. */
export async function findVisitRecords(
  db: Db,
  caller: Caller,
  jobs: readonly VisitRow[],
): Promise<Map<string, VisitRecords>> {
  const ids = jobs.map(({ id }) => id)
  const { user } = caller
  const locationIds = caller.scopes.has('read:customers') ? jobs.flatMap(({ location_id }) => location_id ?? []) : []
  const [lists, entries, signatures, prices, equipment] = await Promise.all([
    findChecklistsByJob(db, jobs),
    user === null ? [] : listEntriesOfJobs(db, ids, user),
    listSignatures(db, ids),
    findPrices(db, caller, jobs),
    listEquipment(db, [...new Set(locationIds)]),
  ])
  const byJob = Map.groupBy(entries, ({ job_id }) => job_id)
  const byLocation = Map.groupBy(equipment, ({ location_id }) => location_id)
  return new Map(
    jobs.map(({ id, location_id }) => [
      id,
      {
        time: timeFrom(byJob.get(id) ?? []),
        equipment: (byLocation.get(location_id ?? '') ?? [])
          .slice(0, MAX_DEVICES)
          .map(({ id, photo_ids, kind, model, serial, installed_on, note }) => {
            return { id, kind, model, serial, installed_on, note, photo_ids }
          }),
        checklist: checklistFrom(lists.get(id) ?? []),
        signature: signatureFrom(signatures.find(({ job_id }) => job_id === id)),
        ...(prices.get(id) ?? { bill: null, quote_tax: null }),
      },
    ]),
  )
}

/**
 * Returns the user's own time on a visit. Its seconds cover only ended entries, so that the day's version doesn't
 * change while the clock runs.
 */
function timeFrom(entries: readonly TimeEntry[]): FieldVisit['time'] {
  const running = entries.at(-1)
  const { state, since, seconds } = toTimeState(entries, running?.started_at ?? '')
  return {
    state,
    since,
    seconds,
    entries: entries
      .slice(-MAX_ENTRIES)
      .map(({ id, started_at, ended_at, is_corrected }) => ({ id, started_at, ended_at, corrected: is_corrected })),
  }
}

const checklistFrom = (lists: readonly JobChecklist[]): FieldVisit['checklist'] =>
  lists
    .flatMap(({ items }) => items)
    .slice(0, MAX_ITEMS)
    .map(({ id, text, kind, is_required, value, done_at }) => ({
      id,
      text,
      kind,
      required: is_required,
      value,
      done_at,
    }))

const signatureFrom = (signature: JobSignature | undefined): FieldVisit['signature'] =>
  signature === undefined ? null : { name: signature.name, at: signature.signed_at }
