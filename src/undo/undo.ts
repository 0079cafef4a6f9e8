import type { Caller } from '../identity/credentials/caller.ts'
import { insertSelected, sql, type Db, type WritableDb } from '../platform/db/tenant.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { auditUndo } from './audit.ts'
import { currentChange, findChanges, type AuditedChange, type UndoScope } from './changes.ts'
import { JOURNAL_DAYS, listWrittenRows, listLaterWrites, type LaterWrite, type JournaledRow } from './journal.ts'
import { finalReason, UndoBlockedError, type UndoSkipReason } from './reasons.ts'
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
import { lacksOfficeRole, requireUndoAccess, missingScope } from './rights.ts'
import { reverseRecordedPayments } from './payments.ts'
import { requireValue } from '../platform/errors/require_value.ts'
import { errorCode } from '../platform/errors/error_code.ts'

/** Result of an undo: the changes put back and those that stay, newest first, and the undo's own change. */
export type UndoReport = {
  undone: readonly AuditedChange[]
  skipped: readonly { change: AuditedChange; reason: UndoSkipReason }[]
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
  const changesToUndo = scope.kind === 'change' ? changes : changes.filter(({ isUndone }) => !isUndone)
  const changeIds = changesToUndo.flatMap(({ change }) => change ?? [])
  const rows = (await listWrittenRows(db, changeIds)).filter(isJournaled)
  await lockRows(db, rows)
  const [earliest] = rows.map(({ first_at }) => first_at).sort()
  const run: UndoRun = {
    ...context,
    selected: new Set(changeIds),
    byChange: Map.groupBy(rows, ({ change }) => change),
    later: earliest === undefined ? [] : await listLaterWrites(db, [...new Set(rows.map(({ key }) => key))], earliest),
    columns: await writableColumns(db, [...new Set(rows.map(({ kind }) => kind))]),
    done: new Set(),
  }
  const undone: AuditedChange[] = []
  const skipped: { change: AuditedChange; reason: UndoSkipReason }[] = []
  for (const auditedChange of changesToUndo.toSorted((a, b) => (lastWriteOf(run, a) < lastWriteOf(run, b) ? 1 : -1))) {
    const reason = await undoChange(db, run, auditedChange)
    if (reason !== undefined) skipped.push({ change: auditedChange, reason })
    else {
      undone.push(auditedChange)
      run.done.add(requireValue(auditedChange.change, 'The id of an audited change'))
    }
  }
  return { undone, skipped, change: undone.length === 0 ? null : await recordUndo(db, context.caller, undone) }
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
  getContext: () => UndoContext,
  scope: UndoScope,
): Promise<UndoReport | undefined> {
  try {
    return await write(async (db): Promise<never> => {
      throw new PreviewRollback(await undoWithin(db, getContext(), scope))
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

const lastWriteOf = (run: UndoRun, auditedChange: AuditedChange): string =>
  rowsOf(run, auditedChange).reduce((last, { last_at }) => (last_at > last ? last_at : last), '') ||
  auditedChange.at.replace('T', ' ').replace('Z', '+00')

/** Undoes one change by itself. Returns the reason if it stays. */
async function undoChange(
  db: WritableDb,
  run: UndoRun,
  auditedChange: AuditedChange,
): Promise<UndoSkipReason | undefined> {
  const rows = rowsOf(run, auditedChange)
  const missing = missingScope(run.caller, auditedChange)
  const skipReason =
    (run.isImport ? undefined : finalReason(auditedChange)) ??
    (missing === undefined ? undefined : { kind: 'no_right' as const, scope: missing }) ??
    (lacksOfficeRole(run.caller, rows) ? { kind: 'settings' as const } : undefined) ??
    (hasJournal(auditedChange, rows) ? undefined : { kind: 'not_kept' as const }) ??
    findLaterChange(run, auditedChange, rows)
  if (skipReason !== undefined) return skipReason
  try {
    await db.separately((savepoint) => revertChange(savepoint, run, auditedChange, rows))
    return undefined
  } catch (error) {
    return reasonOf(error)
  }
}

/** Checks whether a change's earlier rows are kept. The undo of a record created and removed again has none. */
const hasJournal = (auditedChange: AuditedChange, rows: readonly JournaledRow[]): boolean =>
  Date.now() - Date.parse(auditedChange.at) < JOURNAL_DAYS * 24 * 3_600_000 &&
  (rows.length > 0 || isRedo(auditedChange))

async function revertChange(
  db: Db,
  run: UndoRun,
  auditedChange: AuditedChange,
  rows: readonly JournaledRow[],
): Promise<void> {
  const removalContext = { db, caller: run.caller, baseUrl: run.baseUrl }
  if (run.isImport) await reverseRecordedPayments(removalContext, rows)
  else await requireOpenDocuments(db, auditedChange, rows)
  await releaseUnique(db, rows)
  await removeCreated(removalContext, rows)
  await restoreRows(db, run.columns, rows, run.caller.user)
  await settleRecords(db, auditedChange, rows)
  await requireConsistent(db, rows)
}

function reasonOf(error: unknown): UndoSkipReason {
  if (error instanceof UndoBlockedError) return error.reason
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
  const laterWrites = later
    .filter((one) => one.change !== change && !done.has(one.change))
    .filter((one) => {
      const row = byKey.get(one.key)
      return row !== undefined && one.at > row.last_at && !(row.op === 'insert' && !one.is_audited)
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1))
  const foreignWrite = laterWrites.find((one) => !selected.has(one.change))
  if (foreignWrite !== undefined) return { kind: 'changed_since', by: foreignWrite.by, at: foreignWrite.moment }
  return laterWrites.length > 0 ? { kind: 'later_stays' } : undefined
}

/** Stores what this change undid, and what is in effect again because its undo was undone. */
async function recordUndo(db: Db, caller: Caller, undone: readonly AuditedChange[]): Promise<string> {
  const change = await currentChange(db)
  const changes = undone.flatMap((auditedChange) => auditedChange.change ?? [])
  await db.run(
    insertSelected(sql`insert into undone (tenant_id, change_id, by_change)
    select ${db.tenant}, c, ${change} from unnest(${changes}::uuid[]) c`),
  )
  for (let affected = changes, stands = false; affected.length > 0; stands = !stands) {
    const next = await db.all<{ change_id: string }>(sql`update undone set stands = ${stands}
      where tenant_id = ${db.tenant} and by_change = any(${affected}::uuid[]) and stands <> ${stands}
        returning change_id`)
    affected = next.map(({ change_id }) => change_id)
  }
  await auditUndo(db, caller, undone)
  return change
}
