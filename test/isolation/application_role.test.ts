import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { raw, sql, type Sql } from '../../src/platform/db/database.ts'
import { APPLICATION_ROLE } from '../../src/platform/db/connections/login.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { makeRecords } from '../harness/clients/every_tool.ts'
import { CLUSTER } from '../harness/database/cluster.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'
import { LOOKUP_TABLES, USERS_LOOKUP, listProtectedTables, readNames } from './tenant_tables.ts'

let service: TestService
let witness: Witness
let ours: string
let theirs: string
let walled: string[]
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
  const companies = [await makeCompany(service), await makeCompany(service)]
  for (const [i, company] of companies.entries()) {
    await makeRecords(company, `Company${i}`)
    await fillLookUps(company)
  }
  ;[ours, theirs] = companies.map(({ tenant }) => tenant) as [string, string]
  walled = await listProtectedTables(witness)
})
after(async () => {
  await witness.close()
  await service.stop()
})

/**
 * Runs a statement as the application role inside our tenant and rolls it back. Returns the row count, or the SQLSTATE.
 */
async function tryStatement(statement: Sql, tenant: string | null = ours): Promise<number | string> {
  return service.database.hold(async (send) => {
    try {
      const answers = await send([
        sql`begin`,
        ...(tenant === null ? [] : [sql`select enter_tenant(${tenant}, null, 0)`]),
        statement,
      ])
      return answers.at(-1)!.count
    } catch (error) {
      return (error as { code: string }).code
    } finally {
      await send([sql`rollback`])
    }
  })
}

const REFUSED = '42501'
/** Errors for moving a row to another tenant: the policy's, or a cluster's, which moves no row between nodes. */
const NOT_MOVED = CLUSTER === undefined ? [REFUSED] : [REFUSED, '0A000']
const isNotMoved = (outcome: number | string, table: string): void =>
  assert.ok(NOT_MOVED.includes(String(outcome)), `${table}: ${outcome}`)

/** Inserts a row of a company into every lookup table that its records leave empty. */
async function fillLookUps({ tenant, owner }: Company): Promise<void> {
  const values = [tenant, newId(), owner.id]
  const fill = (text: string) => witness.rows(text.replace(/\$(\d)/g, (_, n: string) => `'${values[Number(n) - 1]}'`))
  await fill(
    `insert into oauth_clients (id, kind, name, redirect_uris, secret_hash, tenant_id) values ($2, 'confidential', 'Own', '{}', '', $1)`,
  )
  await fill(`insert into oauth_grants (client_id, user_id, tenant_id, scopes) values ($2, $3, $1, '{}')`)
  await fill(
    `insert into credentials (tenant_id, id, kind, user_id, client_id, name, scopes) values ($1, $2, 'oauth', $3, $2, 'Own', '{}')`,
  )
  await fill(
    `insert into oauth_authorizations (id, tenant_id, client_id, user_id, scope, names_resource) values ($2, $1, $2, $3, '', true)`,
  )
  await fill(`insert into payment_accounts (account_id, tenant_id) values ($2, $1)`)
  await fill(
    `insert into payment_events (id, digest, mode_matches, event_id, endpoint, state, tenant_id, raw) values ($2, $2, true, $2, 'connect', 'routed', $1, '')`,
  )
  await fill(`insert into managed_numbers (number, tenant_id) values ($2, $1)`)
  await fill(`insert into mailboxes (address, tenant_id) values ($2, $1)`)
  await fill(`insert into frozen_companies (tenant_id) values ($1)`)
  await fill(
    `insert into company_measures (tenant_id, name, waiting, overdue, failed, uncertain, held, sent) values ($1, '', 0, 0, 0, 0, 0, 0)`,
  )
  await fill(
    `insert into push_devices (tenant_id, id, user_id, session_id, endpoint, p256dh, auth, kinds) values ($1, $2, $3, $2, $2, '', '', '{visits}')`,
  )
  await fill(`insert into push_tasks (tenant_id, device_id, kind) values ($1, $2, 'visits')`)
  await fill(`insert into quarantined_messages (id, channel, provider_message_id, content_hash, reason, tenant_id, sender, recipients, excerpt, raw)
    values ($2, 'sms', $2, '', 'other_content', $1, '', '{}', '', '')`)
  await fill(
    `insert into invitations (tenant_id, id, email, role, ceiling, created_by, expires_at) values ($1, $2, $2, 'tech', '{}', $3, now())`,
  )
  await fill(`insert into invitation_hashes (hash, tenant_id, invitation_id) values ($2, $1, $2)`)
  await fill(
    `insert into customer_links (tenant_id, id, customer_id, expires_at) select $1, $2, id, now() from customers where tenant_id = $1 limit 1`,
  )
  await fill(`insert into booking_pages (tenant_id, secret) values ($1, decode(repeat('00', 32), 'hex'))`)
  await fill(`insert into booking_names (name, tenant_id) values ($2, $1)`)
  await fill(`insert into customer_link_hashes (hash, tenant_id, link_id) values ($2, $1, $2)`)
}

describe('the application role', () => {
  it("is no superuser, owns nothing and can't bypass row-level security", async () => {
    for (const [name, rolcanlogin, within] of [
      [APPLICATION_ROLE, false, []],
      [String(service.login.user), true, [APPLICATION_ROLE]],
    ] as const) {
      const role = await witness.rows(
        `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, rolcanlogin from pg_roles where rolname = $1`,
        name,
      )
      assert.deepEqual(role, [
        {
          rolsuper: false,
          rolbypassrls: false,
          rolcreaterole: false,
          rolcreatedb: false,
          rolreplication: false,
          rolcanlogin,
        },
      ])
      assert.deepEqual(await readNames(witness, `select relname from pg_class where relowner = $1::regrole`, name), [])
      assert.deepEqual(
        await readNames(witness, `select roleid::regrole from pg_auth_members where member = $1::regrole`, name),
        within,
      )
    }
    const [answer] = await service.database.send([
      sql`select session_user as login, current_user as role, has_table_privilege('migrations', 'select') as migrates,
      has_schema_privilege('public', 'create') as creates, has_schema_privilege('callout_owner', 'usage') as reads_logins`,
    ])
    assert.deepEqual(answer!.rows, [
      { login: service.login.user, role: service.login.user, migrates: false, creates: false, reads_logins: false },
    ])
  })

  it("can't switch to another role, and gains nothing from RESET ROLE", async () => {
    for (const undress of [
      sql`select set_config('role', 'none', false)`,
      sql`reset role`,
      sql`reset session authorization`,
      sql`set row_security = on`,
    ]) {
      const answers = await service.database.hold((send) =>
        send([undress, sql`select current_user as role, (select count(*) from customers) as customers`]),
      )
      assert.deepEqual(answers.at(-1)!.rows, [{ role: service.login.user, customers: 0 }])
    }
    for (const role of [String(service.owner.user), 'pg_read_all_data'])
      assert.equal(await tryStatement(sql`select set_config('role', ${role}, true)`), REFUSED, role)
  })

  it("sees no tenant's rows before it enters a tenant", async () => {
    for (const table of [...walled, 'tenants'])
      assert.equal(await tryStatement(sql`select * from ${raw(table)}`, null), 0, table)
  })

  it('leaves the tenant at the end of the transaction, on every connection', async () => {
    await Promise.all(Array.from({ length: 30 }, () => tryStatement(sql`select * from customers`)))
    const left = await Promise.all(
      Array.from({ length: 30 }, () =>
        service.database.send([
          sql`
      select current_setting('app.tenant_id', true) as tenant, (select count(*) from customers) as customers`,
        ]),
      ),
    )
    assert.ok(left.every(([answer]) => !answer!.rows[0]!['tenant'] && answer!.rows[0]!['customers'] === 0))
  })
})

describe('inside a tenant', () => {
  it('select, update and delete touch no rows of another tenant', async () => {
    let filled = 0
    for (const table of walled) {
      const count = Number(await witness.value(`select count(*) from ${table} where tenant_id = $1`, theirs))
      if (count > 0) filled++
      assert.equal(await tryStatement(sql`select * from ${raw(table)} where tenant_id = ${theirs}`), 0, table)
      assert.equal(
        await tryStatement(sql`update ${raw(table)} set tenant_id = tenant_id where tenant_id = ${theirs}`),
        0,
        table,
      )
      assert.equal(await tryStatement(sql`delete from ${raw(table)} where tenant_id = ${theirs}`), 0, table)
      assert.equal(
        await tryStatement(sql`select * from ${raw(table)}`),
        Number(await witness.value(`select count(*) from ${table} where tenant_id = $1`, ours)),
        table,
      )
    }
    assert.ok(filled > 15, `${filled} tables with rows of theirs`)
    assert.equal(await tryStatement(sql`select * from tenants`), 1)
    assert.equal(await tryStatement(sql`update tenants set name = 'taken' where id = ${theirs}`), 0)
  })

  it('no row can be inserted into or moved to another tenant', async () => {
    let moved = 0
    for (const table of walled) {
      assert.equal(await tryStatement(sql`insert into ${raw(table)} (tenant_id) values (${theirs})`), REFUSED, table)
      if (Number(await witness.value(`select count(*) from ${table} where tenant_id = $1`, ours)) === 0) continue
      moved++
      isNotMoved(await tryStatement(sql`update ${raw(table)} set tenant_id = ${theirs}`), table)
    }
    assert.ok(moved > 15, `${moved} tables with rows of ours`)
    assert.equal(await tryStatement(sql`insert into tenants (id) values (${newId()})`), REFUSED)
    isNotMoved(await tryStatement(sql`update tenants set id = ${newId()}`), 'tenants')
  })

  it("lookup tables hide another tenant's rows (except user_tenants) and never change or accept them", async () => {
    for (const table of Object.keys(LOOKUP_TABLES)) {
      const count = async (of: string) =>
        Number(await witness.value(`select count(*) from ${table} where tenant_id = $1`, of))
      assert.ok((await count(ours)) > 0 && (await count(theirs)) > 0, table)
      assert.equal(
        await tryStatement(sql`select * from ${raw(table)} where tenant_id = ${theirs}`),
        table === USERS_LOOKUP ? await count(theirs) : 0,
        table,
      )
      assert.equal(
        await tryStatement(sql`update ${raw(table)} set tenant_id = tenant_id where tenant_id = ${theirs}`),
        0,
        table,
      )
      assert.equal(await tryStatement(sql`delete from ${raw(table)} where tenant_id = ${theirs}`), 0, table)
      assert.equal(await tryStatement(sql`insert into ${raw(table)} (tenant_id) values (${theirs})`), REFUSED, table)
      isNotMoved(
        await tryStatement(sql`update ${raw(table)} set tenant_id = ${theirs} where tenant_id = ${ours}`),
        table,
      )
      assert.equal(
        await tryStatement(sql`select * from ${raw(table)} where tenant_id = any(${[ours, theirs]})`, null),
        (await count(ours)) + (await count(theirs)),
        table,
      )
    }
  })

  it("a foreign key can't reference another tenant's record", async () => {
    const [customer] = await readNames(witness, 'select id from customers where tenant_id = $1', theirs)
    const row = sql`insert into contacts (tenant_id, id, customer_id, name_folded, is_primary, sms_opt_out, email_opt_out)
      values (${ours}, ${newId()}, ${customer}, '', true, false, false)`
    assert.equal(await tryStatement(row), '23503')
  })
})
