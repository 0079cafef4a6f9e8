import { setTimeout as sleep } from 'node:timers/promises'
import { raw } from '../../platform/db/database.ts'
import { onlyRow, readTenant, sql, writeTenant, type Database, type Db } from '../../platform/db/tenant.ts'
import { transact } from '../../platform/db/transaction.ts'
import { Unavailable, conflict } from '../../platform/errors/refusal.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { refusals } from './refusals.ts'

/** Tables of people and their access, which a demo reset keeps. */
const ACCESS_TABLES: ReadonlySet<string> = new Set([
  'app_requests',
  'assistant_models',
  'books_connections',
  'books_records',
  'chore_leases',
  'company_identities',
  'company_providers',
  'credentials',
  'erasures',
  'frozen_companies',
  'invitation_hashes',
  'invitations',
  'key_hashes',
  'listed_apps',
  'members',
  'oauth_authorizations',
  'oauth_clients',
  'oauth_grants',
  'push_devices',
  'session_uses',
  'user_tenants',
])

/** Tables that log deletions from other tables. They are emptied last, in this order. */
const LOG_TABLES: readonly string[] = ['search_entries', 'report_marks', 'undone', 'removals', 'audit', 'journal']

/** Deletes every record of a demo company before new ones are made. Its people, keys and connected apps stay. */
export const emptyDemo = (database: Database, tenant: string, storage: Storage): Promise<void> =>
  deleteRows(database, { tenant, storage, keptTables: ACCESS_TABLES })

/** Milliseconds that a reset waits for another reset of the same demo, and milliseconds between two attempts. */
const [MAX_WAIT_MS, RETRY_MS] = [45_000, 100]

/**
 * Runs work on a demo under an exclusive lock: two resets at once would create each record twice. Polls for the lock,
 * since a waiting statement would time out within seconds.
 */
export const withDemoLock = (database: Database, tenant: string, work: () => Promise<void>): Promise<void> =>
  transact(database, async (send) => {
    await send([sql`select set_config('idle_in_transaction_session_timeout', '60s', true)`])
    for (const end = performance.now() + MAX_WAIT_MS; ; await sleep(RETRY_MS)) {
      const [answer] = await send([
        sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(hashtext('demo reset'), hashtext(${tenant})) as mine`,
      ])
      if (onlyRow(answer).mine) return work()
      if (performance.now() > end) throw new Unavailable('another process resets this demo', { seconds: 5 })
    }
  })

/**
 * Deletes a demo company with all its data, and the accounts of people who belong to no other company. Refuses any
 * other company.
 */
export const deleteDemo = (database: Database, tenant: string, storage: Storage): Promise<void> =>
  deleteRows(database, { tenant, storage, keptTables: new Set() })

type Deletion = { tenant: string; storage: Storage; keptTables: ReadonlySet<string> }

async function deleteRows(database: Database, { tenant, storage, keptTables }: Deletion): Promise<void> {
  const tables = (await readTenant(database, { tenant }, listTables)).filter((name) => !keptTables.has(name))
  const keys = await writeTenant(database, { tenant }, async (db) => {
    const demo = await db.maybe<{ is_demo: boolean }>(
      sql`select is_demo from tenants where id = ${db.tenant} for no key update`,
    )
    if (demo?.is_demo !== true) throw conflict(refusals.noDemo())
    const files = await db.all<{ key: string }>(sql`
      select storage_key as key from attachments where tenant_id = ${db.tenant} and storage_key is not null
      union select storage_key from job_media where tenant_id = ${db.tenant}
      union select storage_key from catalog_pictures where tenant_id = ${db.tenant} and storage_key is not null
      union select storage_key from file_removals where tenant_id = ${db.tenant}`)
    const people = keptTables.size > 0 ? [] : await listOwnPeople(db)
    // A quote and the job or invoice made from it reference each other.
    await db.run(sql`update quotes set converted_job_id = null, converted_invoice_id = null
      where tenant_id = ${db.tenant} and (converted_job_id is not null or converted_invoice_id is not null)`)
    for (const name of tables) await db.run(sql`delete from ${raw(name)} where tenant_id = ${db.tenant}`)
    if (keptTables.size === 0) {
      await db.run(sql`delete from tenants where id = ${db.tenant}`)
      await db.run(sql`delete from users where id = any(${people}::uuid[])`)
    }
    return files.map(({ key }) => key)
  })
  for (const key of keys) await storage.remove(key)
}

/** Returns the company's people who never belonged to another company. */
const listOwnPeople = async (db: Db): Promise<string[]> =>
  (
    await db.all<{ id: string }>(sql`select m.user_id as id from members m where m.tenant_id = ${db.tenant}
      and not exists (select 1 from user_tenants t where t.user_id = m.user_id and t.tenant_id <> ${db.tenant})`)
  ).map(({ id }) => id)

/** Lists the tables with a tenant_id, each before the tables it references. */
async function listTables(db: Db): Promise<string[]> {
  const [tables, references] = await Promise.all([
    db.all<{ name: string }>(sql`select c.relname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`),
    db.all<{ child: string; parent: string }>(sql`select c.relname as child, p.relname as parent from pg_constraint f
      join pg_class c on c.oid = f.conrelid join pg_class p on p.oid = f.confrelid
      where f.contype = 'f' and f.conrelid <> f.confrelid
        and not (c.relname = 'quotes' and p.relname in ('jobs', 'invoices'))`),
  ])
  return [
    ...orderByReference(
      tables.map(({ name }) => name),
      references,
    ),
  ]
}

function* orderByReference(
  names: readonly string[],
  references: readonly { child: string; parent: string }[],
): Generator<string> {
  const remaining = new Set(names)
  while (remaining.size > 0) {
    const unreferenced = [...remaining].filter(
      (name) => !references.some(({ child, parent }) => parent === name && remaining.has(child)),
    )
    const [next] = unreferenced.toSorted((a, b) => LOG_TABLES.indexOf(a) - LOG_TABLES.indexOf(b))
    if (next === undefined) throw new Error(`These tables refer to each other: ${[...remaining].join(', ')}`)
    remaining.delete(next)
    yield next
  }
}
