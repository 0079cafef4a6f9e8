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

/** What to do with records that already exist. */
export const EXISTING_POLICIES = ['skip', 'update', 'create'] as const
export type ExistingPolicy = (typeof EXISTING_POLICIES)[number]

type ImportState = 'mapping' | 'checking' | 'ready' | 'running' | 'done' | 'failed' | 'taking_back' | 'taken_back'

/** Imported file of another product, and its progress. */
export type ImportedFile = {
  id: string
  user_id: string
  source: ImportSource
  kind: ImportKind
  file_name: string
  /** Sheet of a workbook that was read, and all its sheets. */
  sheet: string | null
  sheets: readonly string[]
  epoch: Epoch
  state: ImportState
  mapping: Mapping | null
  existing: ExistingPolicy
  total: number
  done: number
  problem: string | null
  /** True if it is in progress but hasn't reported for a minute: its process has died. */
  is_stuck: boolean
  outcome: FileImportOutcome | null
  created_at: string
}

/** Findings of a check before anything is saved, by the rules of the import itself. */
export type ImportFindings = {
  /** Number of new records, and of records that an earlier file imported. */
  fresh: number
  known: number
  problems: readonly SkippedRow[]
  existing: readonly ExistingRecord[]
  needs: readonly string[]
  remarks: readonly CountedRemark[]
  shown: readonly { number: number; name: string; says: string }[]
  /** Total of new invoices or quotes, and the part still owed. */
  sums?: { total_cents: number; owed_cents: number }
}

/** Row whose record already exists: in the database, or in an earlier row of the file. */
export type ExistingRecord = { number: number } & ({ id: string; name: string } | { row: number })

/** Row that can't be imported, and the reason, in the importing person's language and with the file's column names. */
export type SkippedRow = { number: number; reason: string }

/** Counts of rows by result, and the reasons for skipped rows. */
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

/** Retention time of a file and its report. */
const RETENTION = sql`interval '30 days'`

/** Maximum number of files a company can upload per day. Each is kept for a month. */
const MAX_FILES_PER_DAY = 50

/** Saves a file for mapping and removes files older than a month. Throws `conflict` for the 51st file in a day. */
export async function saveFile(db: Db, { source, kind, file_name, total, table, user }: NewFile): Promise<string> {
  const { count } = await db.one<{ count: number }>(sql`select count(*)::int as count from imports
    where tenant_id = ${db.tenant} and created_at > moment() - interval '1 day'`)
  if (count >= MAX_FILES_PER_DAY) throw conflict(refusals.tooManyFiles({ max: MAX_FILES_PER_DAY }))
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

/** Returns the last month's files of some kinds with their uploaders, newest first, at most `limit`. */
export const recentFiles = (
  db: Db,
  kinds: readonly ImportKind[],
  limit: number,
): Promise<(ImportedFile & { by: string | null })[]> =>
  db.all(sql`select f.*, u.name as by
    from (select ${columns} from imports where tenant_id = ${db.tenant} and kind = any(${[...kinds]})) f
    left join users u on u.id = f.user_id order by f.created_at desc, f.id desc limit ${limit}`)

export const readContent = async (db: Db, id: string): Promise<Buffer> =>
  (
    await db.present<{ content: Buffer }>(
      sql`select content from imports where tenant_id = ${db.tenant} and id = ${id}`,
      'import',
    )
  ).content

/** Returns the workbook of a file. Throws `conflict` if it has only one sheet. */
export const readStoredWorkbook = async (db: Db, id: string): Promise<Buffer> => {
  const { workbook } = await db.present<{ workbook: Buffer | null }>(
    sql`select workbook from imports where tenant_id = ${db.tenant} and id = ${id}`,
    'import',
  )
  if (workbook === null) throw conflict(refusals.oneSheet())
  return workbook
}

/** Returns the findings of a file; null if it wasn't checked yet. */
export const readFindings = async (db: Db, id: string): Promise<ImportFindings | null> =>
  (
    await db.present<{ findings: ImportFindings | null }>(
      sql`select findings from imports where tenant_id = ${db.tenant} and id = ${id}`,
      'import',
    )
  ).findings

/** Saves a person's mapping of a file whose import hasn't started. The file must then be checked again. */
export async function saveFileMapping(db: Db, id: string, mapping: Mapping, source: ImportSource): Promise<void> {
  const count = await db.run(sql`update imports
    set mapping = ${JSON.stringify(mapping)}::json, source = ${source}, findings = null, state = 'mapping'
    where ${whereNotStarted(db, id)}`)
  if (count === 0) throw conflict(refusals.started())
}

/** Saves the chosen sheet of a workbook, whose columns must then be mapped again. */
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

/** Matches a file whose import hasn't started. */
const whereNotStarted = (
  db: Db,
  id: string,
): Sql => sql`tenant_id = ${db.tenant} and id = ${id} and state in ('mapping', 'ready', 'failed')
  and not exists (select 1 from import_rows r where r.tenant_id = ${db.tenant} and r.import_id = ${id})`

/** Run of a file. Only the latest one counts. */
export type FileImportRun = { id: string; run: number }

const STARTABLE_STATES: Readonly<Record<'checking' | 'running' | 'taking_back', readonly ImportState[]>> = {
  checking: ['mapping', 'ready', 'failed'],
  running: ['ready', 'failed'],
  taking_back: ['done', 'failed'],
}

/** Starts a run of a file. Throws `conflict` if one is in progress or the file isn't ready for it. */
export async function startRun(
  db: Db,
  id: string,
  state: keyof typeof STARTABLE_STATES,
  existing: ExistingPolicy | null = null,
): Promise<FileImportRun> {
  const started = await db.maybe<FileImportRun>(sql`
    update imports
    set state = ${state}, run = run + 1, done = 0, problem = null, beat_at = moment(),
      existing = coalesce(${existing}, existing)
    where tenant_id = ${db.tenant} and id = ${id} and (state = any(${[...STARTABLE_STATES[state]]})
      or state = ${state} and coalesce(beat_at, '-infinity') < moment() - interval '1 minute')
    returning id, run`)
  if (started === undefined) throw conflict(refusals.underWay())
  return started
}

type RunUpdate = { problem?: string | null; findings?: ImportFindings; outcome?: FileImportOutcome }

/** Saves the state of a run. Returns 0 if another run has replaced it. */
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
