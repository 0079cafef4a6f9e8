import pg from 'pg'
import { DEFAULT_CEILINGS } from './access/areas.ts'
import { findCaller } from './access/caller.ts'
import type { Caller } from './access/caller.ts'
import { createKey, hashOf } from './access/keys.ts'
import { SCOPES } from './access/scopes.ts'
import { openDatabase, sql } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { readRefusals } from './db/refusals.ts'
import { writeTenant } from './db/tenant.ts'
import { newId } from './shape/id.ts'

const admin = { host: '127.0.0.1', port: 5499, user: 'postgres', database: 'postgres' }
export async function setup(name = 'dev_catalog') {
  const c = new pg.Client(admin)
  await c.connect()
  await c.query(`drop database if exists ${name} with (force)`)
  await c.query(`create database ${name}`)
  await c.end()
  const owner = { ...admin, database: name }
  await migrate(owner)
  const database = openDatabase(owner, { most: 30 })
  await readRefusals(database)
  const tenant = newId()
  await writeTenant(database, { tenant }, (db) =>
    db.run(sql`insert into tenants (id, name, timezone, currency, country) values (${tenant}, 'T', 'America/Chicago', 'USD', 'US')`))
  const member = async (role: 'owner' | 'office' | 'tech'): Promise<Caller> => {
    const id = newId()
    await writeTenant(database, { tenant }, async (db) => {
      await db.run(sql`insert into users (id, email, name) values (${id}, ${id + '@x.com'}, 'N')`)
      await db.run(sql`insert into members (tenant_id, user_id, role, ceiling) values (${tenant}, ${id}, ${role}, ${DEFAULT_CEILINGS[role]})`)
    })
    const key = await createKey(database, { tenant }, { user: id, name: role, scopes: SCOPES, expires_at: null })
    return (await findCaller(database, hashOf(key.key))) as Caller
  }
  return { database, tenant, member }
}
