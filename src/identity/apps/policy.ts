import { readTenant, sql, writeTenant, type Database, type Db } from '../../platform/db/tenant.ts'
import { conflict, invalidField, notFound } from '../../platform/errors/refusal.ts'
import { auditChange, type Actor } from '../audit.ts'
import { findClient } from '../credentials/clients/clients.ts'
import { requireOwner } from '../permissions/rights.ts'
import { metadataHost, type AppPolicy, type RequestingApp } from './app_policy_decision.ts'
import { refusals } from './refusals.ts'

/** App on an owner's list: every app whose metadata document is on a host, or one client. */
export type ListedApp = { kind: 'host' | 'client'; value: string; name: string; listed_at: string }

export type AppRules = { policy: AppPolicy; listed: readonly ListedApp[] }

/** Maximum apps on a company's list. */
const MAX_LISTED_APPS = 200

export const findAppRules = (database: Database, tenant: string): Promise<AppRules> =>
  readTenant(database, { tenant }, async (db) => {
    const [policy, listed] = await Promise.all([
      readPolicy(db),
      db.all<ListedApp>(
        sql`select kind, value, name, listed_at from listed_apps where tenant_id = ${db.tenant}
          order by lower(name), kind, value`,
      ),
    ])
    return { policy, listed }
  })

/** Checks whether an app is on a list. Apps that the operator or an owner created are always listed. */
export const isListed = (app: RequestingApp, listed: readonly ListedApp[]): boolean =>
  app.kind === 'confidential' ||
  listed.some(({ kind, value }) => value === (kind === 'host' ? metadataHost(app) : app.id))

const readPolicy = async (db: Db): Promise<AppPolicy> =>
  (
    await db.present<{ policy: AppPolicy }>(
      sql`select app_policy as policy from tenants where id = ${db.tenant}`,
      'company',
    )
  ).policy

/** Sets the policy for future approvals. Connected apps stay connected. */
export async function setAppPolicy(database: Database, tenant: string, text: string | null, by: Actor): Promise<void> {
  const policy = (['anything', 'listed', 'ask'] as const).find((one) => one === text)
  if (policy === undefined) throw invalidField('policy', refusals.policy())
  await writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      const before = await readPolicy(db)
      if (before !== policy) await db.run(sql`update tenants set app_policy = ${policy} where id = ${db.tenant}`)
      return before
    },
    (before) =>
      before === policy ? [] : [auditChange(tenant, by, 'companies.set', tenant, { app_policy: [before, policy] })],
  )
}

/** Adds an app to the list: by host, by the URL of its metadata document, or by client ID. */
export async function listApp(database: Database, tenant: string, text: string, by: Actor): Promise<void> {
  const { kind, value } = parseListing(text)
  const name = kind === 'host' ? value : await nameOf(database, value)
  await writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      const { count } = await db.one<{ count: number }>(
        sql`select count(*)::int as count from listed_apps where tenant_id = ${db.tenant}`,
      )
      if (count >= MAX_LISTED_APPS) throw conflict(refusals.listFull({ max: MAX_LISTED_APPS }))
      return db.run(sql`insert into listed_apps (tenant_id, kind, value, name, listed_by)
        values (${db.tenant}, ${kind}, ${value}, ${name}, ${by?.user ?? null}) on conflict do nothing`)
    },
    (added) => (added === 0 ? [] : [auditChange(tenant, by, 'companies.list_app', tenant, { [kind]: [null, value] })]),
  )
}

export async function unlistApp(
  database: Database,
  tenant: string,
  { kind, value }: { kind: string; value: string },
  by: Actor,
): Promise<void> {
  await writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      const removed = await db.run(
        sql`delete from listed_apps where tenant_id = ${db.tenant} and kind = ${kind} and value = ${value}`,
      )
      if (removed === 0) throw notFound('app')
    },
    () => [auditChange(tenant, by, 'companies.unlist_app', tenant, { [kind]: [value, null] })],
  )
}

const HOST =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+(?::\d{1,5})?$/
const CLIENT_ID = /^[\w-]{8,100}$/
const MAX_LENGTH = 2_000

/** Parses an owner's entry: a host, the URL of a metadata document, or another client's ID. */
function parseListing(text: string): Pick<ListedApp, 'kind' | 'value'> {
  const trimmed = text.slice(0, MAX_LENGTH + 1).trim()
  if (trimmed.length > MAX_LENGTH) throw invalidField('app', refusals.tooLong())
  const url = URL.parse(trimmed)
  if (url?.protocol === 'https:')
    return url.pathname === '/' && url.search === ''
      ? { kind: 'host', value: url.host }
      : { kind: 'client', value: trimmed }
  const host = trimmed.toLowerCase()
  if (HOST.test(host)) return { kind: 'host', value: host }
  if (CLIENT_ID.test(trimmed)) return { kind: 'client', value: trimmed }
  throw invalidField('app', refusals.unknownForm())
}

/** Returns a client's name, or its ID if it is a metadata document that nobody here has approved yet. */
async function nameOf({ send }: Database, id: string): Promise<string> {
  const client = await findClient(send, id)
  if (client !== undefined) return client.name
  if (id.startsWith('https://')) return id
  throw notFound('client')
}
