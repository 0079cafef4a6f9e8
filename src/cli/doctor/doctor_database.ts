import type { Client, ClientConfig } from 'pg'
import { flawIn } from '../../platform/db/migrations/flaw.ts'
import { missingMigrations } from '../../platform/db/migrations/migrate.ts'
import { findReleases, type ReleaseRun } from '../../platform/db/migrations/releases.ts'
import { openServiceDatabase } from '../../platform/db/open.ts'
import { findLogin } from '../../platform/db/server.ts'
import { withClient } from '../../platform/db/transaction.ts'
import { VERSION } from '../../platform/version.ts'
import { clusterFindings } from './doctor_cluster.ts'
import type { TranslatedFinding } from '../../health/finding.ts'

/** Maximum clock difference in seconds. Beyond it, keys expire and limits count at the wrong time. */
const MAX_CLOCK_OFFSET_SECONDS = 2

/** Checks the schema, the separation of companies, and the clock of the database. */
export async function databaseFindings(
  owner: ClientConfig,
  appUrl: string | null,
  kind: string,
): Promise<TranslatedFinding[]> {
  return withClient(owner, async (client) => {
    const schema = await schemaFinding(owner)
    return [
      await serverFinding(client, kind),
      schema,
      await releaseFinding(client),
      ...(!schema.ok
        ? []
        : [
            await sessionFinding(owner, appUrl),
            await policiesFinding(client),
            await frozenFinding(client),
            ...(await clusterFindings(client)),
          ]),
      await clockFinding(client),
    ]
  })
}

async function serverFinding(client: Client, kind: string): Promise<TranslatedFinding> {
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`)
  return { check: 'database', ok: true, says: `${kind} PostgreSQL ${rows[0]?.version}` }
}

async function schemaFinding(owner: ClientConfig): Promise<TranslatedFinding> {
  const check = 'migrations'
  try {
    const missing = await missingMigrations(owner)
    if (missing.length === 0) return { check, ok: true, says: 'the schema is up to date' }
    return { check, ok: false, says: `missing: ${missing.join(', ')}`, mend: 'Run: callout migrate' }
  } catch (error) {
    return failedFinding(check, error)
  }
}

/** Reports this release, and the releases that last ran on the database. */
async function releaseFinding(client: Client): Promise<TranslatedFinding> {
  const [last, previous] = await findReleases(client)
  const describeRun = ({ version, started_at }: ReleaseRun): string =>
    `${version} since ${started_at.toISOString().slice(0, 16)}Z`
  const lastRun = last === undefined ? '' : `; last on this database: ${describeRun(last)}`
  return {
    check: 'release',
    ok: true,
    says: `${VERSION}${lastRun}${previous === undefined ? '' : `, before that ${describeRun(previous)}`}`,
  }
}

/** Opens the service's connection pool, whose connections verify their own privileges. */
async function sessionFinding(owner: ClientConfig, appUrl: string | null): Promise<TranslatedFinding> {
  const check = 'application role'
  try {
    const database = await openServiceDatabase(owner, appUrl)
    const login = await findLogin(database).finally(() => database.close())
    return { check, ok: true, says: `${login}, subject to row-level security` }
  } catch (error) {
    return failedFinding(check, error)
  }
}

/** Converts a known flaw to a finding. Rethrows any other error. */
function failedFinding(check: string, error: unknown): TranslatedFinding {
  const flaw = flawIn(error)
  if (flaw === undefined) throw error
  return { check, ok: false, ...flaw }
}

type TablePolicy = { name: string; is_walled: boolean; is_company: boolean; has_nobodys: boolean }

/**
 * Reports tables without their row-level policy. Company data needs the wall: tables with the tenant policy, and tables
 * whose primary key begins with a tenant_id that is also in a foreign key. Leases and lookups, which are also read
 * before a company is entered, need the fence.
 */
async function policiesFinding(client: Client): Promise<TranslatedFinding> {
  const check = 'row-level security'
  const { rows } = await client.query<TablePolicy>(`
    select name, has_nobodys, is_company, is_on and case when is_company then is_forced
      and has_tenant else has_own end as is_walled from (
      select c.relname as name, c.relrowsecurity as is_on, c.relforcerowsecurity as is_forced, has_tenant, has_own,
        not coalesce(t.attnotnull, true) as has_nobodys,
        has_tenant or c.relname = 'tenants' or exists (
          select 1 from pg_constraint k join pg_constraint f on f.conrelid = k.conrelid and f.contype = 'f'
            and k.conkey[1] = any(f.conkey)
          where k.conrelid = c.oid and k.contype = 'p' and k.conkey[1] = t.attnum) as is_company
      from pg_class c left join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id', lateral (
        select coalesce(bool_or(polname = 'tenant'), false), coalesce(bool_or(polname = 'own'), false) from pg_policy
          where polrelid = c.oid) p (has_tenant, has_own)
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and (t.attnum is not null or c.relname = 'tenants')) tables
    order by name`)
  const unprotected = rows.filter(({ is_walled }) => !is_walled)
  if (unprotected.length === 0) return { check, ok: true, says: `on for ${rows.length} tables` }
  return {
    check,
    ok: false,
    says: `off for ${unprotected.map(({ name }) => name).join(', ')}`,
    mend: unprotected.map(restorePolicy).join(' '),
  }
}

/** Returns the SQL that repeats the migration's wall() or fence(), even if the policy exists. */
const restorePolicy = ({ name, is_company: isCompany, has_nobodys: hasNobodys }: TablePolicy): string =>
  isCompany
    ? `drop policy if exists tenant on ${name}; select wall('${name}'${name === 'tenants' ? ", 'id'" : ''});`
    : `drop policy if exists own on ${name}; select fence('${name}', ${hasNobodys});`

/** Reports companies frozen for over a day, because a move was forgotten or never finished. */
async function frozenFinding(client: Client): Promise<TranslatedFinding> {
  const check = 'frozen companies'
  const { rows } = await client.query<{ tenant_id: string; is_old: boolean }>(
    `select tenant_id, since < now() - interval '1 day' as is_old from frozen_companies order by since`,
  )
  if (rows.length === 0) return { check, ok: true, says: 'none' }
  const old = rows.filter(({ is_old }) => is_old).map(({ tenant_id }) => tenant_id)
  if (old.length === 0) return { check, ok: true, says: `${rows.length}, none for over a day` }
  return {
    check,
    ok: false,
    says: `for over a day: ${old.slice(0, 20).join(', ')}${old.length > 20 ? ` and ${old.length - 20} more` : ''}`,
    mend: 'If the company is not being moved, run: callout tenant thaw <id>',
  }
}

async function clockFinding(client: Client): Promise<TranslatedFinding> {
  const check = 'clock'
  const before = Date.now()
  const { rows } = await client.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  )
  const offset = ((rows[0]?.ms ?? 0) - (before + Date.now()) / 2) / 1000
  if (Math.abs(offset) <= MAX_CLOCK_OFFSET_SECONDS) return { check, ok: true, says: "in sync with the database's" }
  const says = `the database is ${Math.abs(offset).toFixed(1)} s ${offset > 0 ? 'ahead of' : 'behind'} this machine`
  return { check, ok: false, says, mend: 'Sync both machines with NTP.' }
}
