import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openWitness, type Witness } from '../harness/clients/witness.ts'
import { makeDatabase, type TestDatabase } from '../harness/harness.ts'
import { LOOKUP_TABLES, USERS_LOOKUP, listTenantTables, listProtectedTables, readNames } from './tenant_tables.ts'

/** Lookup tables with rows that belong to no tenant. */
const NOBODYS: readonly string[] = ['oauth_clients', 'payment_events', 'quarantined_messages']
/** Tables without a tenant that others may reference by their own key. */
const SHARED = new Set(['users', 'oauth_clients'])
/** Tables whose searches run as the schema's owner past the tenant policy, because only then an index is used. */
const SEARCHED: readonly string[] = ['contacts', 'job_titles', 'notes', 'search_entries']
const FENCE = 'entered() IS NULL) OR (tenant_id = entered()'
const POLICY = `(tenant_id = (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid)`

let database: TestDatabase
let witness: Witness
let walled: string[]
before(async () => {
  database = await makeDatabase()
  witness = await openWitness(database)
  walled = await listProtectedTables(witness)
})
after(async () => {
  await witness.close()
  await database.drop()
})

describe('the schema', () => {
  it('forces row-level security with the one tenant policy on every tenant table', async () => {
    assert.ok(walled.length > 25)
    const walls = await witness.rows(
      `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as is_forced,
        array_agg(pg_get_expr(p.polqual, c.oid) || coalesce(pg_get_expr(p.polwithcheck, c.oid), '') || p.polcmd::text || p.polpermissive::text || p.polroles::text) as policies
      from pg_class c left join pg_policy p on p.polrelid = c.oid and p.polname <> 'searched' where c.relname = any($1) group by 1, 2 order by 1`,
      walled,
    )
    assert.deepEqual(
      walls,
      walled.map((name) => ({ name, is_forced: true, policies: [`${POLICY}*true{0}`] })),
    )
    const tenants = await witness.rows(
      `select relrowsecurity and relforcerowsecurity as is_forced from pg_class where relname = 'tenants'`,
    )
    assert.deepEqual(tenants, [{ is_forced: true }])
    const searched =
      await witness.rows(`select c.relname as name, p.polcmd as act, p.polroles = array[c.relowner] as is_owners
      from pg_policy p join pg_class c on c.oid = p.polrelid where p.polname = 'searched' order by 1`)
    assert.deepEqual(
      searched,
      SEARCHED.map((name) => ({ name, act: 'r', is_owners: true })),
    )
  })

  it('limits every lookup table inside a tenant to its own rows, plus tenantless ones where allowed', async () => {
    const fences = await witness.rows(
      `select c.relname as name, c.relrowsecurity and not c.relforcerowsecurity as is_on, json_agg(
        pg_get_expr(p.polqual, c.oid) || coalesce(pg_get_expr(p.polwithcheck, c.oid), '') || p.polcmd::text || p.polpermissive::text || p.polroles::text order by p.polname) as policies
      from pg_class c left join pg_policy p on p.polrelid = c.oid where c.relname = any($1) group by 1, 2 order by 1`,
      Object.keys(LOOKUP_TABLES),
    )
    assert.deepEqual(
      fences,
      Object.keys(LOOKUP_TABLES)
        .sort()
        .map((name) => ({
          name,
          is_on: true,
          policies: [
            `((${FENCE})${NOBODYS.includes(name) ? ' OR (tenant_id IS NULL)' : ''})*true{0}`,
            ...(name === USERS_LOOKUP ? ['truertrue{0}'] : []),
          ],
        })),
    )
  })

  it("lists no lookup table that doesn't exist", async () => {
    const tables = await listTenantTables(witness)
    assert.deepEqual(
      Object.keys(LOOKUP_TABLES).filter((name) => !tables.includes(name)),
      [],
    )
  })

  it('has tenant_id first in every primary, unique and foreign key of a tenant table', async () => {
    const unique = await readNames(
      witness,
      `select format('%s: %s', c.relname, i.indexrelid::regclass) from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relname = any($1) and i.indisunique and (
        select attname from pg_attribute where attrelid = c.oid and attnum = i.indkey[0]) is distinct from 'tenant_id' order by 1`,
      walled,
    )
    assert.deepEqual(unique, [])
    const keyless = await readNames(
      witness,
      `select c.relname from pg_class c where c.relname = any($1) and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`,
      walled,
    )
    assert.deepEqual(keyless, [])
    const foreign = await witness.rows(
      `select k.conname as name, k.confrelid::regclass::text as other, a.attname as own, b.attname as far from pg_constraint k
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1] join pg_attribute b on b.attrelid = k.confrelid and b.attnum = k.confkey[1]
      where k.contype = 'f' and k.conrelid::regclass::text = any($1)`,
      walled,
    )
    assert.ok(foreign.length > 50)
    const astray = foreign.filter(
      ({ other, own, far }) =>
        !(own === 'tenant_id' && far === (other === 'tenants' ? 'id' : 'tenant_id')) && !SHARED.has(String(other)),
    )
    assert.deepEqual(astray, [])
  })

  it('has no SECURITY DEFINER function without a search_path', async () => {
    assert.deepEqual(
      await readNames(
        witness,
        `select proname from pg_proc
      where pronamespace = 'public'::regnamespace and prosecdef and not coalesce(proconfig::text like '%search_path=%', false)`,
      ),
      [],
    )
  })
})
