import './refusals.ts'
import { auditChange } from '../../identity/audit.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { FILE_REMOVAL_TASK } from '../../files/file_removals.ts'
import { newId } from '../../platform/validation/id.ts'

/** Name of the task that makes company archives. */
export const COMPANY_EXPORT_TASK = 'company_exports'

/** Hours that an archive is kept (docs/spec/archives.md). */
const RETENTION_HOURS = 24

/** Archive of a company: its progress, and when it expires. */
export type CompanyExport = {
  id: string
  state: 'waiting' | 'running' | 'ready' | 'failed'
  done: number
  total: number
  parts: number
  bytes: number
  created_at: string
  expires_at: string | null
}

const columns = sql`id, state, done, total, parts, bytes, created_at, expires_at`

/** Requests an archive. Throws `conflict` while one is being made. */
export async function requestExport(db: Db, user: string): Promise<void> {
  const id = newId()
  await db.run(
    sql`delete from company_exports where tenant_id = ${db.tenant} and (state = 'failed' or expires_at < moment())`,
  )
  await db.run(sql`insert into company_exports (tenant_id, id, asked_by) values (${db.tenant}, ${id}, ${user})`)
  await db.run(auditChange(db.tenant, { user }, 'companies.export', db.tenant, { export: [null, id] }))
  await db.run(sql`select ask_chore(${db.tenant}, ${COMPANY_EXPORT_TASK})`)
}

/** Returns the newest archive that is in progress, failed or still available. */
export const findLatestExport = (db: Db): Promise<CompanyExport | undefined> =>
  db.maybe<CompanyExport>(sql`select ${columns} from company_exports
    where tenant_id = ${db.tenant} and (expires_at is null or expires_at > moment())
    order by created_at desc, id desc limit 1`)

/** Returns an archive that is available now. */
export const findReadyExport = (db: Db, id: string): Promise<CompanyExport> =>
  db.present<CompanyExport>(
    sql`select ${columns} from company_exports
      where tenant_id = ${db.tenant} and id = ${id} and state = 'ready' and expires_at > moment()`,
    'archive',
  )

/** Claims the requested archive, or one that another process left unfinished. */
export const claimExport = (db: Db): Promise<{ id: string } | undefined> =>
  db.maybe<{ id: string }>(sql`update company_exports set state = 'running', done = 0, total = 0, parts = 0, bytes = 0
    where tenant_id = ${db.tenant} and state in ('waiting', 'running') returning id`)

export const saveProgress = (db: Db, id: string, done: number, total: number): Promise<number> =>
  db.run(sql`update company_exports set done = ${done}, total = ${total} where tenant_id = ${db.tenant} and id = ${id}`)

export const partKey = (tenant: string, id: string, part: number): string =>
  `${tenant}/${id}/00000000-0000-0000-0000-${part.toString(16).padStart(12, '0')}`

/** Schedules the removal of a part before it is stored, so that it expires even if the archive fails. */
export const schedulePartRemoval = (db: Db, key: string): Promise<unknown> =>
  Promise.all([
    db.run(sql`insert into file_removals (tenant_id, storage_key, due_at)
      values (${db.tenant}, ${key}, moment() + make_interval(hours => ${RETENTION_HOURS + 1}))
      on conflict (tenant_id, storage_key) do update set due_at = excluded.due_at`),
    db.run(
      sql`select ask_chore_by(${db.tenant}, ${FILE_REMOVAL_TASK},
        moment() + make_interval(hours => ${RETENTION_HOURS + 1}))`,
    ),
  ])

/** Marks an archive as complete. */
export const finishExport = (db: Db, id: string, { parts, bytes }: { parts: number; bytes: number }): Promise<number> =>
  db.run(sql`update company_exports
    set state = 'ready', parts = ${parts}, bytes = ${bytes}, done = total, ready_at = moment(),
      expires_at = moment() + make_interval(hours => ${RETENTION_HOURS})
    where tenant_id = ${db.tenant} and id = ${id}`)

export const failExport = (db: Db, id: string): Promise<number> =>
  db.run(sql`update company_exports set state = 'failed' where tenant_id = ${db.tenant} and id = ${id}`)
