import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { importTenant } from '../../src/cli/tenant_file/import.ts'
import { thawCompany } from '../../src/identity/companies/freeze.ts'
import { joinCompany as acceptInvitation } from '../../src/identity/people/invitations/invitations.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { makeCompany } from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'
import { assertRefused, digestsOf, openMoveScene, type Moving } from './move_scene.ts'

let moving: Moving
let witness: Witness
let path: string
before(async () => {
  moving = await openMoveScene()
  witness = await openWitness(moving.into)
  path = await moving.exported()
})
after(async () => {
  await witness.close()
  await moving.close()
})

const assertFileRefused = (file: string, says: RegExp): Promise<void> => assertRefused(moving, witness, file, says)

describe('importing a company rejects, and keeps nothing of,', () => {
  it('a number, address or payment account of another company, with the command that releases it', async () => {
    const { from, into, company } = moving
    const other = await makeCompany(into)
    const source = await openWitness(from)
    const look = [
      ['managed_numbers', 'number', '+16175550199', 'number remove'],
      ['mailboxes', 'address', 'desk@moving.example', 'mailbox remove'],
      ['payment_accounts', 'account_id', 'acct_moving', 'payment-account remove'],
    ] as const
    for (const [table, column, value, way] of look) {
      await source.rows(`insert into ${table} (${column}, tenant_id) values ($1, $2)`, value, company.tenant)
      await witness.rows(`insert into ${table} (${column}, tenant_id) values ($1, $2)`, value, other.tenant)
      await assertFileRefused(
        await moving.exported(),
        new RegExp(`${RegExp.escape(value)} belongs to the company ${other.tenant} here; .* callout ${way}`),
      )
      await witness.rows(`delete from ${table} where ${column} = $1`, value)
    }
    await source.close()
  })

  it('an email with an unverified account here, and an account id that is in use here', async () => {
    const { company } = moving
    const stranger = newId()
    await witness.rows(
      `insert into users (id, email, name, made_through) values ($1, $2, 'Stranger', $3)`,
      stranger,
      company.owner.email,
      newId(),
    )
    await assertFileRefused(
      path,
      /has an account here that another company made, with an unverified address; .* callout member password/,
    )
    await witness.rows(`delete from users where id = $1`, stranger)
    await witness.rows(
      `insert into users (id, email, name) values ($1, 'other@example.com', 'Other')`,
      company.owner.id,
    )
    await assertFileRefused(path, /belongs to other@example\.com here/)
    await witness.rows(`delete from users where id = $1`, company.owner.id)
  })
})

describe('the people of an imported company', () => {
  it('keep their existing account here and get an invitation, or get a new one without a password', async () => {
    const { from, into, company, records } = moving
    const [known, unknown] = [await company.member('tech'), await company.member('office')]
    await company.call('jobs_update', { id: records.job, assignees: [known.id, company.owner.id] })
    await known.call('notes_create', { body: 'By one who is known', subject_type: 'job', subject_id: records.job })
    const here = newId()
    await witness.rows(
      `insert into users (id, email, name, password_hash, proved_at) values ($1, $2, 'Known', 'theirs', now())`,
      here,
      known.email,
    )
    const before = await digestsOf(from, company.tenant)
    const file = await moving.exported()
    const made = await importTenant(into.owner, into.storage, file)
    assert.deepEqual(made.people, { made: 2, known: 1 })

    const people = await witness.rows(
      `select u.id, u.password_hash, u.proved_at is null as is_unproved, u.made_through, u.unclaimed_since is not null as is_unclaimed from users u join members m on m.user_id = u.id where m.tenant_id = $1 order by u.id`,
      company.tenant,
    )
    assert.deepEqual(
      people.toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1)),
      [company.owner.id, unknown.id]
        .map((id) => ({ id, password_hash: null, is_unproved: true, made_through: company.tenant, is_unclaimed: true }))
        .concat({
          id: here,
          password_hash: 'theirs' as never,
          is_unproved: false,
          made_through: null as never,
          is_unclaimed: false,
        })
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    )
    assert.deepEqual(await witness.value('select assignee_ids from jobs where id = $1', records.job), [
      here,
      company.owner.id,
    ])
    assert.equal(await witness.value('select count(*)::int from job_assignees where user_id = $1', here), 1)
    assert.equal(await witness.value(`select created_by from notes where body = 'By one who is known'`), here)
    assert.deepEqual(await witness.rows('select tenant_id from user_tenants where user_id = $1', here), [
      { tenant_id: company.tenant },
    ])
    for (const table of ['audit', 'journal', 'jobs', 'members', 'credentials'])
      assert.equal(
        await witness.value(`select count(*)::int from ${table} t where position($1 in t::text) > 0`, known.id),
        0,
        table,
      )
    assert.deepEqual(
      (await digestsOf(into, company.tenant)).map(({ name, count }) => [name, count]),
      before.map(({ name, count }) => [name, name === 'invitations' ? '1' : count]),
    )

    const membership = () =>
      witness.value(
        'select deactivated_at is null from members where tenant_id = $1 and user_id = $2',
        company.tenant,
        here,
      )
    assert.equal(await membership(), false, 'nobody joins a company without accepting')
    assert.deepEqual(
      made.invitations.map(({ email }) => email),
      [known.email],
    )
    await thawCompany(into.owner, company.tenant)
    const session = { id: newId(), user: { id: here, email: known.email } }
    await acceptInvitation(into.database, made.invitations[0]!.secret, session, { password: '' })
    assert.equal(await membership(), true)
    await assert.rejects(
      importTenant(into.owner, into.storage, file),
      new RegExp(`the company ${company.tenant} already exists here`),
    )
    assert.ok(await into.storage.get(moving.key), 'of the one that is here')
  })
})
