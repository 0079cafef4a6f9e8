import type { Caller } from '../identity/credentials/caller.ts'
import { sql, type Db } from '../platform/db/tenant.ts'

/**
 * Connection that calls the tools for somebody: a key, or an app with all its authorizations of one person. `id` is the
 * id of its newest credential.
 */
export type Connection = {
  id: string
  credentials: readonly string[]
  kind: 'user_key' | 'tenant_key' | 'oauth' | 'browser' | 'assistant'
  name: string
  user_id: string | null
  user_name: string | null
}

/** Returns the connections that somebody may see: owners all, others their own. `of` limits it to one of them. */
export const listConnections = (db: Db, { role, user }: Caller, of: string | null = null): Promise<Connection[]> =>
  db.all<Connection>(sql`
    select (array_agg(c.id order by c.created_at desc))[1] as id, array_agg(c.id) as credentials, c.kind,
      max(c.name) as name, c.user_id, max(u.name) as user_name
    from credentials c left join users u on u.id = c.user_id
    where c.tenant_id = ${db.tenant} and (${role === 'owner'} or c.user_id = ${user})
      and (case when ${of}::uuid is null then c.kind <> 'browser'
        else (c.kind, coalesce(c.client_id, c.id::text), c.user_id) is not distinct from (
        select (o.kind, coalesce(o.client_id, o.id::text), o.user_id) from credentials o
        where o.tenant_id = ${db.tenant} and o.id = ${of})
      end)
    group by c.kind, coalesce(c.client_id, c.id::text), c.user_id order by max(c.name), c.user_id`)

/** Returns the newest authorization of an app for a person, which identifies its activity. */
export const findAppCredential = async (db: Db, client: string, user: string): Promise<string | undefined> =>
  (
    await db.maybe<{ id: string }>(sql`select id from credentials
    where tenant_id = ${db.tenant} and kind = 'oauth' and client_id = ${client} and user_id = ${user}
    order by created_at desc limit 1`)
  )?.id
