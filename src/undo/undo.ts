import type { Caller } from '../identity/credentials/caller.ts'
import { insertSelected, sql, type Db, type WritableDb } from '../platform/db/tenant.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { auditUndo } from './audit.ts'
import { currentChange, findChanges, type AuditedChange, type UndoScope } from './changes.ts'
import { JOURNAL_DAYS, listWrittenRows, listLaterWrites, type LaterWrite, type JournaledRow } from './journal.ts'
import { finalReason, UndoBlocked, type UndoSkipReason } from './reasons.ts'
import { removeCreated } from './removal.ts'
import {
  writableColumns,
  isJournaled,
  releaseUnique,
  lockRows,
  restoreRows,
  type WritableColumns,
} from './restoring.ts'
import { isRedo, requireOpenDocuments, requireConsistent, settleRecords } from './rules.ts'
import { lacksOffice, requireUndoAccess, missingScope } from './rights.ts'
import { reverseRecordedPayments } from './payments.ts'
import { requireValue } from '../platform/errors/require_value.ts'
import { errorCode } from '../platform/errors/error_code.ts'

/** Result of an undo: the changes put back and those that stay, newest first, and the undo's own change. */
export type UndoReport = {
  put: readonly AuditedChange[]
  stays: readonly { act: AuditedChange; reason: UndoSkipReason }[]
  change: string | null
}

/**
 * Author of an undo. An import is undone with everything that its documents became: invoices that it issued are voided,
 * and its accepted quotes archived.
 */
type UndoContext = { caller: Caller; baseUrl: string; isImport?: true }

/**
 * Undoes a scope inside an open transaction: newest change first, each as a whole or not at all. Returns undefined if
 * the scope has too many records.
 */
export async function undoWithin(
  db: WritableDb,
  context: UndoContext,
  scope: UndoScope,
): Promise<UndoReport | undefined> {
  await requireUndoAccess(db, context.caller, scope)
  const changes = await findChanges(db, scope)
  if (changes === undefined) return undefined
  const acts = scope.kind === 'change' ? changes : changes.filter(({ isUndone }) => !isUndone)
  const possible = acts.flatMap(({ change }) => change ?? [])
  const rows = (await listWrittenRows(db, possible)).filter(isJournaled)
  await lockRows(db, rows)
  const [earliest] = rows.map(({ first_at }) => first_at).sort()
  const stage: UndoRun = {
    ...context,
    selected: new Set(possible),
    byChange: Map.groupBy(rows, ({ change }) => change),
    later: earliest === undefined ? [] : await listLaterWrites(db, [...new Set(rows.map(({ key }) => key))], earliest),
    columns: await writableColumns(db, [...new Set(rows.map(({ kind }) => kind))]),
    done: new Set(),
  }
  const put: AuditedChange[] = []
  const stays: { act: AuditedChange; reason: UndoSkipReason }[] = []
  for (const act of acts.toSorted((a, b) => (endOf(stage, a) < endOf(stage, b) ? 1 : -1))) {
    const reason = await undoAct(db, stage, act)
    if (reason !== undefined) stays.push({ act, reason })
    else {
      put.push(act)
      stage.done.add(requireValue(act.change, 'The change of an act'))
    }
  }
  return { put, stays, change: put.length === 0 ? null : await recordUndo(db, context.caller, put) }
}

/** Thrown to roll back a preview; carries its report. */
class PreviewRollback extends Error {
  readonly report: UndoReport | undefined
  constructor(report: UndoReport | undefined) {
    super('A preview is rolled back')
    this.report = report
  }
}

/** Returns the effect of an undo, by running it in a transaction that is rolled back. */
export async function previewUndo(
  write: <T>(work: (db: WritableDb) => Promise<T>) => Promise<T>,
  contextNow: () => UndoContext,
  scope: UndoScope,
): Promise<UndoReport | undefined> {
  try {
    return await write(async (db): Promise<never> => {
      throw new PreviewRollback(await undoWithin(db, contextNow(), scope))
    })
  } catch (error) {
    if (error instanceof PreviewRollback) return error.report
    throw error
  }
}

type UndoRun = UndoContext & {
  selected: ReadonlySet<string>
  byChange: ReadonlyMap<string, readonly JournaledRow[]>
  later: readonly LaterWrite[]
  columns: WritableColumns
  /** Changes already undone in this run. */
  done: Set<string>
}

const rowsOf = ({ byChange }: UndoRun, { change }: AuditedChange): readonly JournaledRow[] =>
  byChange.get(change ?? '') ?? []

const endOf = (stage: UndoRun, act: AuditedChange): string =>
  rowsOf(stage, act).reduce((last, { last_at }) => (last_at > last ? last_at : last), '') ||
  act.at.replace('T', ' ').replace('Z', '+00')

/** Undoes one change by itself. Returns the reason if it stays. */
async function undoAct(db: WritableDb, stage: UndoRun, act: AuditedChange): Promise<UndoSkipReason | undefined> {
  const rows = rowsOf(stage, act)
  const lacking = missingScope(stage.caller, act)
  const skipReason =
    (stage.isImport ? undefined : finalReason(act)) ??
    (lacking === undefined ? undefined : { kind: 'no_right' as const, scope: lacking }) ??
    (lacksOffice(stage.caller, rows) ? { kind: 'settings' as const } : undefined) ??
    (isKept(act, rows) ? undefined : { kind: 'not_kept' as const }) ??
    findLaterChange(stage, act, rows)
  if (skipReason !== undefined) return skipReason
  try {
    await db.separately((part) => takeBack(part, stage, act, rows))
    return undefined
  } catch (error) {
    return reasonOf(error)
  }
}

/** Checks whether a change's earlier rows are kept. The undo of a record created and removed again has none. */
const isKept = (act: AuditedChange, rows: readonly JournaledRow[]): boolean =>
  Date.now() - Date.parse(act.at) < JOURNAL_DAYS * 24 * 3_600_000 && (rows.length > 0 || isRedo(act))

async function takeBack(db: Db, stage: UndoRun, act: AuditedChange, rows: readonly JournaledRow[]): Promise<void> {
  const undoing = { db, caller: stage.caller, baseUrl: stage.baseUrl }
  if (stage.isImport) await reverseRecordedPayments(undoing, rows)
  else await requireOpenDocuments(db, act, rows)
  await releaseUnique(db, rows)
  await removeCreated(undoing, rows)
  await restoreRows(db, stage.columns, rows, stage.caller.user)
  await settleRecords(db, act, rows)
  await requireConsistent(db, rows)
}

function reasonOf(error: unknown): UndoSkipReason {
  if (error instanceof UndoBlocked) return error.reason
  if (error instanceof Refusal) return { kind: 'refused', problems: error.problems }
  if (isIntegrity(error)) return { kind: 'taken' }
  throw error
}

/** Checks for an integrity violation (SQLSTATE class 23): another row took the place of a restored one. */
const isIntegrity = (error: unknown): boolean => errorCode(error)?.startsWith('23') === true

/** Returns the reason if one of a change's rows was written later, ignoring what is undone in this run. */
function findLaterChange(
  { later, done, selected }: UndoRun,
  { change }: AuditedChange,
  rows: readonly JournaledRow[],
): UndoSkipReason | undefined {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const since = later
    .filter((one) => one.change !== change && !done.has(one.change))
    .filter((one) => {
      const row = byKey.get(one.key)
      return row !== undefined && one.at > row.last_at && !(row.op === 'insert' && !one.is_audited)
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1))
  const others = since.find((one) => !selected.has(one.change))
  if (others !== undefined) return { kind: 'changed_since', by: others.by, at: others.moment }
  return since.length > 0 ? { kind: 'later_stays' } : undefined
}

/** Stores what this change undid, and what is in effect again because its undo was undone. */
async function recordUndo(db: Db, caller: Caller, put: readonly AuditedChange[]): Promise<string> {
  const change = await currentChange(db)
  const changes = put.flatMap((act) => act.change ?? [])
  await db.run(
    insertSelected(sql`insert into undone (tenant_id, change_id, by_change)
    select ${db.tenant}, c, ${change} from unnest(${changes}::uuid[]) c`),
  )
  for (let over = changes, stands = false; over.length > 0; stands = !stands) {
    const next = await db.all<{ change_id: string }>(sql`update undone set stands = ${stands}
      where tenant_id = ${db.tenant} and by_change = any(${over}::uuid[]) and stands <> ${stands} returning change_id`)
    over = next.map(({ change_id }) => change_id)
  }
  await auditUndo(db, caller, put)
  return change
}
