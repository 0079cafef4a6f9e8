import { createHash } from 'node:crypto'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { conflict } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import type { Epoch } from './day_numbers.ts'
import type { ImportSource } from '../formats/source_format.ts'
import type { CountedRemark } from '../rows/remarks.ts'
import type { ImportKind } from '../rows/kinds.ts'
import type { Mapping } from '../rows/mapping.ts'
import type { StoredTable } from './upload.ts'
import { refusals } from './refusals.ts'

/** What is done with records that are there already. */
export const EXISTING_POLICIES = ['skip', 'update', 'create'] as const
export type ExistingPolicy = (typeof EXISTING_POLICIES)[number]

type ImportState = 'mapping' | 'checking' | 'ready' | 'running' | 'done' | 'failed' | 'taking_back' | 'taken_back'

/** A file of another product, and how far it is. */
export type ImportedFile = {
  id: string
  user_id: string
  source: ImportSource
  kind: ImportKind
  file_name: string
  /** The sheet of a workbook that was read, and those that there are. */
  sheet: string | null
  sheets: readonly string[]
  epoch: Epoch
  state: ImportState
  mapping: Mapping | null
  existing: ExistingPolicy
  total: number
  done: number
  problem: string | null
  /** True where it is marked as running and has not reported for a minute: its process has ended. */
  is_stuck: boolean
  outcome: FileImportOutcome | null
  created_at: string
}

/** What was found in a file before anything was saved, by the rules of the import itself. */
export type ImportFindings = {
  /** Counts the records that are new, and those that an earlier file brought already. */
  fresh: number
  known: number
  problems: readonly SkippedRow[]
  existing: readonly ExistingRecord[]
  needs: readonly string[]
  remarks: readonly CountedRemark[]
  shown: readonly { number: number; name: string; says: string }[]
  /** Total of new invoices or quotes, and the part that is owed. */
  sums?: { total_cents: number; owed_cents: number }
}

/** A row whose record is there already: as a record, or in an earlier row of the file. */
export type ExistingRecord = { number: number } & ({ id: string; name: string } | { row: number })

/**
 * A row that can't be imported, and why, in the language of whoever imports and with the file's names of its columns.
 */
export type SkippedRow = { number: number; reason: string }

/** Counts what came of the rows, and says why some were left out. */
export type FileImportOutcome = {
  made: number
  updated: number
  skipped: number
  known: number
  left: readonly SkippedRow[]
}

const columns = sql`id, user_id, source, kind, file_name, sheet, sheets, epoch, state, mapping, existing, total, done,
  problem, outcome, created_at,
  state in ('checking', 'running', 'taking_back')
    and coalesce(beat_at, '-infinity') < moment() - interval '1 minute' as is_stuck`

type NewFile = Pick<ImportedFile, 'source' | 'kind' | 'file_name' | 'total'> & { table: StoredTable; user: string }

/** Time for which a file is kept for its report. */
const RETENTION = sql`interval '30 days'`

/** Limits the files that a company brings in a day, each of which is kept for a month. */
const MAX_PER_DAY = 50

/**
 * Keeps a file whose columns a person is to look at, and removes files that are a month old. Refuses the 51st in a day.
 */
export async function saveFile(db: Db, { source, kind, file_name, total, table, user }: NewFile): Promise<string> {
  const { count } = await db.one<{ count: number }>(sql`select count(*)::int as count from imports
    where tenant_id = ${db.tenant} and created_at > moment() - interval '1 day'`)
  if (count >= MAX_PER_DAY) throw conflict(refusals.tooManyFiles({ max: MAX_PER_DAY }))
  const id = newId()
  const { content, workbook, sheet, sheets, epoch } = table
  const digest = createHash('sha256').update(content).digest()
  await Promise.all([
    db.run(sql`delete from imports where tenant_id = ${db.tenant} and created_at < moment() - ${RETENTION}`),
    db.run(sql`insert into imports (tenant_id, id, user_id, source, kind, file_name, digest, content, workbook, sheet,
        sheets, epoch, total)
      values (${db.tenant}, ${id}, ${user}, ${source}, ${kind}, ${file_name}, ${digest}, ${content}, ${workbook},
        ${sheet}, ${[...sheets]}, ${epoch}, ${total})`),
  ])
  return id
}

export const findFile = (db: Db, id: string): Promise<ImportedFile> =>
  db.present<ImportedFile>(sql`select ${columns} from imports where tenant_id = ${db.tenant} and id = ${id}`, 'import')

/** Returns the files of some kinds of the last month, newest first, at most so many, with who brought each. */
export const recentFiles = (
  db: Db,
  kinds: readonly ImportKind[],
  most: number,
): Promise<(ImportedFile & { by: string | null })[]> =>
  db.all(sql`select f.*, u.name as by
    from (select ${columns} from imports where tenant_id = ${db.tenant} and kind = any(${[...kinds]})) f
    left join users u on u.id = f.user_id order by f.created_at desc, f.id desc limit ${most}`)

export const readContent = async (db: Db, id: string): Promise<Buffer> =>
  (
    await db.present<{ content: Buffer }>(
      sql`select content from imports where tenant_id = ${db.tenant} and id = ${id}`,
      'import',
    )
  ).content

/** Returns the workbook of a file that has other sheets to choose from. */
export const readStoredWorkbook = async (db: Db, id: string): Promise<Buffer> => {
  const { workbook } = await db.present<{ workbook: Buffer | null }>(
    sql`select workbook from imports where tenant_id = ${db.tenant} and id = ${id}`,
    'import',
  )
  if (workbook === null) throw conflict(refusals.oneSheet())
  return workbook
}

/** Returns what was found in a file; null until it was checked. */
export const readFindings = async (db: Db, id: string): Promise<ImportFindings | null> =>
  (
    await db.present<{ findings: ImportFindings | null }>(
      sql`select findings from imports where tenant_id = ${db.tenant} and id = ${id}`,
      'import',
    )
  ).findings

/** Keeps how a person maps a file that was not taken over yet, which is then checked anew. */
export async function saveFileMapping(db: Db, id: string, mapping: Mapping, source: ImportSource): Promise<void> {
  const count = await db.run(sql`update imports
    set mapping = ${JSON.stringify(mapping)}::json, source = ${source}, findings = null, state = 'mapping'
    where ${whereNotStarted(db, id)}`)
  if (count === 0) throw conflict(refusals.started())
}

/** Keeps which sheet of a workbook a person chose, whose columns are then looked at anew. */
export async function saveSheet(
  db: Db,
  id: string,
  { source, kind, total }: Pick<ImportedFile, 'source' | 'kind' | 'total'>,
  { content, sheet }: StoredTable,
): Promise<void> {
  const digest = createHash('sha256').update(content).digest()
  const count =
    await db.run(sql`update imports set source = ${source}, kind = ${kind}, total = ${total}, sheet = ${sheet},
      content = ${content}, digest = ${digest}, mapping = null, findings = null, state = 'mapping'
    where ${whereNotStarted(db, id)}`)
  if (count === 0) throw conflict(refusals.started())
}

/** Finds a file of which nothing was taken over yet. */
const whereNotStarted = (
  db: Db,
  id: string,
): Sql => sql`tenant_id = ${db.tenant} and id = ${id} and state in ('mapping', 'ready', 'failed')
  and not exists (select 1 from import_rows r where r.tenant_id = ${db.tenant} and r.import_id = ${id})`

/** One run of a file, of which only the latest counts. */
export type FileImportRun = { id: string; run: number }

const FREE: Readonly<Record<'checking' | 'running' | 'taking_back', readonly ImportState[]>> = {
  checking: ['mapping', 'ready', 'failed'],
  running: ['ready', 'failed'],
  taking_back: ['done', 'failed'],
}

/** Begins a go at a file, unless one is under way or there is nothing to do. */
export async function startRun(
  db: Db,
  id: string,
  as: keyof typeof FREE,
  existing: ExistingPolicy | null = null,
): Promise<FileImportRun> {
  const begun = await db.maybe<FileImportRun>(sql`
    update imports
    set state = ${as}, run = run + 1, done = 0, problem = null, beat_at = moment(),
      existing = coalesce(${existing}, existing)
    where tenant_id = ${db.tenant} and id = ${id} and (state = any(${[...FREE[as]]})
      or state = ${as} and coalesce(beat_at, '-infinity') < moment() - interval '1 minute')
    returning id, run`)
  if (begun === undefined) throw conflict(refusals.underWay())
  return begun
}

type RunUpdate = { problem?: string | null; findings?: ImportFindings; outcome?: FileImportOutcome }

/** Saves the state of a run; returns 0 where another run has replaced it. */
export const updateRun = (
  db: Db,
  { id, run }: FileImportRun,
  state: ImportState,
  done: number,
  { problem = null, findings, outcome }: RunUpdate = {},
): Promise<number> =>
  db.run(sql`update imports set state = ${state}, done = ${done}, problem = ${problem}, beat_at = moment(),
    findings = coalesce(${json(findings)}, findings), outcome = coalesce(${json(outcome)}, outcome)
    where tenant_id = ${db.tenant} and id = ${id} and run = ${run} and state in ('checking', 'running', 'taking_back')`)

const json = (value: unknown): Sql => sql`${value === undefined ? null : JSON.stringify(value)}::json`
