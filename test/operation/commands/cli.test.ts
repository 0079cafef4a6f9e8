import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { invitePerson, joinWithNewSignIn } from '../../../src/identity/people/invitations/invitations.ts'
import { openCommandLine, serve, type CommandLine, type RunningService } from '../../harness/processes/command_line.ts'
import type { Result } from '../../harness/harness.ts'

let line: CommandLine
let callout: CommandLine['callout']
let runCommand: CommandLine['runCommand']
let refusal: CommandLine['refusal']
before(async () => {
  line = await openCommandLine()
  ;({ callout, runCommand, refusal } = line)
})
after(() => line.close())

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
const NOBODY = '01a1fd5a-e8cf-7dd1-8b0e-1942a1470de2'

describe('without a running database', () => {
  it('a command asks for migrations, and migrate applies them once', async () => {
    assert.match(
      await refusal('tenant', 'list'),
      /lacks \d+ migrations \(the first is 001_tenants\); run: callout migrate$/,
    )
    const { applied } = await runCommand('migrate')
    assert.deepEqual(applied.slice(0, 2), ['001_tenants', '002_access'])
    assert.deepEqual(await runCommand('migrate'), { applied: [] })
    assert.deepEqual(await runCommand('tenant', 'list'), [])
    assert.equal(existsSync(join(line.dataDir, 'postgres', 'data', 'postmaster.pid')), false)
  })
})

describe('with a running database', () => {
  let database: RunningService['database']
  let acme: RunningService['acme']
  let admitted: RunningService['admitted']
  let stop: RunningService['stop']
  before(async () => {
    ;({ database, acme, admitted, stop } = await serve(line))
  })
  after(() => stop())

  describe('callout tenant', () => {
    it('create returns the id, and a generated password if none was given', async () => {
      assert.deepEqual(Object.keys(acme), ['id', 'name', 'owner'])
      assert.deepEqual(Object.keys(acme.owner), ['id', 'email', 'password'])
      assert.match(acme.id, UUID)
      assert.match(acme.owner.id, UUID)
      assert.deepEqual([acme.name, acme.owner.email], ['Acme Air', 'dana@acme.example'])
      assert.match(acme.owner.password, /^\w{4}(-\w{4}){3}$/)
      const [listed] = await runCommand<Result[]>('tenant', 'list')
      assert.deepEqual(
        { ...listed, created_at: null },
        {
          id: acme.id,
          name: 'Acme Air',
          timezone: 'America/New_York',
          currency: 'USD',
          country: 'US',
          created_at: null,
          frozen_since: null,
        },
      )
    })

    it('create accepts a time zone, currency, country and a password from standard input', async () => {
      const { code, out } = await callout(
        [
          'tenant',
          'create',
          '--json',
          '--name',
          'Kühl GmbH',
          '--owner-email',
          'k@kuehl.example',
          '--owner-password',
          '-',
          '--timezone',
          'Europe/Berlin',
          '--currency',
          'EUR',
          '--country',
          'de',
        ],
        { input: 'ein langes Passwort\n' },
      )
      assert.equal(code, 0)
      const made: Result = JSON.parse(out)
      assert.deepEqual(Object.keys(made.owner), ['id', 'email'])
      const listed = (await runCommand<Result[]>('tenant', 'list')).find(({ id }) => id === made.id)!
      assert.deepEqual([listed.timezone, listed.currency, listed.country], ['Europe/Berlin', 'EUR', 'DE'])
      const [again, people] = await Promise.all([
        callout(['tenant', 'list']),
        callout(['member', 'list', '--tenant', made.id]),
      ])
      assert.match(
        again.out,
        /^ID +NAME +TIMEZONE +CURRENCY +COUNTRY +CREATED +FROZEN\n.*Acme Air.*\n.*Kühl GmbH +Europe\/Berlin +EUR/,
      )
      assert.match(people.out, /k@kuehl\.example +owner +active\n$/)
    })

    it('create rejects an invalid time zone, a short password and a password for an existing account', async () => {
      const create = (...more: string[]) =>
        refusal('tenant', 'create', '--name', 'X', '--owner-email', 'x@example.com', ...more)
      const [zone, short, taken] = await Promise.all([
        create('--timezone', '+02:00'),
        create('--owner-password', 'short'),
        refusal(
          'tenant',
          'create',
          '--name',
          'X',
          '--owner-email',
          acme.owner.email,
          '--owner-password',
          'another password',
        ),
      ])
      assert.match(zone, /^timezone must be a time zone such as America\/New_York/)
      assert.match(short, /^password must have 12 to 200 characters/)
      assert.match(taken, /already has a password/)
    })

    it('app-policy sets what members may connect and rejects an unknown policy', async () => {
      const set = ['tenant', 'app-policy', '--tenant', acme.id, '--policy']
      assert.deepEqual(await runCommand(...set, 'listed'), { id: acme.id, name: 'Acme Air', app_policy: 'listed' })
      assert.match(await refusal(...set, 'nothing'), /^policy must be one of anything, listed, ask/)
      await runCommand(...set, 'anything')
    })
  })

  describe('callout member', () => {
    it('password sets a random or given password, and rejects a short one and an unknown user', async () => {
      const { email } = acme.owner
      const reset = await runCommand('member', 'password', '--user', email)
      assert.match(reset['password'], /^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/)
      const { out } = await callout(['member', 'password', '--email', email, '--password', '-'], {
        input: 'a password of my own\n',
      })
      assert.match(out, /as given/)
      assert.match(
        await refusal('member', 'password', '--user', email, '--password', 'short'),
        /password must have 12 to 200 characters/,
      )
      assert.match(await refusal('member', 'password', '--user', 'nobody@acme.example'), /user not found/)
    })

    it('factors reset removes passkeys and authenticator and says how the person signs in', async () => {
      const reset = await runCommand('member', 'factors', 'reset', '--user', acme.owner.email)
      assert.deepEqual([reset['passkeys'], reset['authenticator'], reset['password']], [0, false, true])
      const { out } = await callout(['member', 'factors', 'reset', '--user', acme.owner.email])
      assert.match(out, /They sign in with their password/)
      assert.match(await refusal('member', 'factors', 'reset', '--user', 'nobody@acme.example'), /user not found/)
    })

    it('password lists keys that still work, and ends them with --keys-and-apps end', async () => {
      const {
        id,
        owner: { email },
      } = await runCommand('tenant', 'create', '--name', 'Keys', '--owner-email', 'keys@example.com')
      const { key } = await runCommand('key', 'create', '--tenant', id, '--user', email)
      assert.deepEqual((await runCommand('member', 'password', '--user', email))['left'], { keys: 1, apps: 0 })
      assert.ok(Array.isArray(await admitted(key)))
      assert.match(
        await refusal('member', 'password', '--user', email, '--keys-and-apps', 'all'),
        /keys-and-apps must be end or keep/,
      )
      const { out } = await callout(['member', 'password', '--user', email, '--keys-and-apps', 'end'])
      assert.match(out, /No API keys or connected apps still work/)
      assert.equal(await admitted(key), 'invalid_token')
    })

    it('add and tenant create return a link and the origin of an account that another company made', async () => {
      const globex = await runCommand('tenant', 'create', '--name', 'Globex', '--owner-email', 'g@globex.example')
      const { secret } = await invitePerson(
        database,
        globex.id,
        { email: 'ceo@acme.example', name: null, role: 'tech' },
        { user: globex.owner.id },
      )
      const { user } = await joinWithNewSignIn(database, secret, { name: 'Not Her', password: 'chosen by another' })
      const account = { since: new Date().toISOString().slice(0, 10), through: { id: globex.id, name: 'Globex' } }
      const trimSince = ({ since, ...rest }: Result) => ({ since: String(since).slice(0, 10), ...rest })

      const asked = await runCommand(
        'member',
        'add',
        '--tenant',
        acme.id,
        '--email',
        'ceo@acme.example',
        '--role',
        'office',
      )
      assert.match(asked['link'], /^http:\/\/localhost:3000\/join\?invitation=[\w-]{43}$/)
      assert.deepEqual([trimSince(asked['account']), asked['password'], asked['role']], [account, undefined, 'office'])
      const made = await runCommand('tenant', 'create', '--name', 'New Co', '--owner-email', 'ceo@acme.example')
      assert.deepEqual(
        [trimSince(made['owner'].account), typeof made['owner'].link, made['owner'].id],
        [account, 'string', undefined],
      )
      const { out } = await callout([
        'member',
        'add',
        '--tenant',
        acme.id,
        '--email',
        'ceo@acme.example',
        '--role',
        'office',
      ])
      assert.match(
        out,
        /Account +since \d{4}-\d\d-\d\d, through Globex \([0-9a-f-]{36}\), by its invitation\nLink +http/,
      )
      const listed = await runCommand<Result[]>('member', 'list', '--tenant', acme.id)
      assert.ok(!listed.some(({ user_id }) => user_id === user))
      assert.match(
        await refusal('operator', 'add', '--user', 'ceo@acme.example'),
        /give it a password first: callout member password --user ceo@acme\.example/,
      )

      const second = await runCommand(
        'member',
        'add',
        '--tenant',
        globex.id,
        '--email',
        acme.owner.email,
        '--role',
        'office',
      )
      assert.deepEqual(
        [trimSince(second['account']), second['link']],
        [{ since: account.since, through: { id: acme.id, name: 'Acme Air' } }, undefined],
      )
    })

    it('adds, changes, removes and adds a member again', async () => {
      const added = await runCommand(
        'member',
        'add',
        '--tenant',
        acme.id,
        '--email',
        'theo@acme.example',
        '--role',
        'tech',
        '--areas',
        'Invoices=View',
      )
      assert.match(added.password, /^\w{4}(-\w{4}){3}$/)
      assert.deepEqual(
        [added.tenant_id, added.role, added.name, added.areas.Invoices, added.areas.Plans],
        [acme.id, 'tech', 'theo', 'view', 'none'],
      )
      const set = await runCommand(
        'member',
        'set',
        '--tenant',
        acme.id,
        '--user',
        added.user_id,
        '--role',
        'office',
        '--areas',
        'Invoices=View,Quotes=None',
      )
      assert.deepEqual(
        [set.role, set.areas.Invoices, set.areas.Quotes, set.areas.Plans],
        ['office', 'view', 'none', 'edit'],
      )
      const { key } = await runCommand(
        'key',
        'create',
        '--tenant',
        acme.id,
        '--user',
        'theo@acme.example',
        '--scopes',
        'read:invoices,write:invoices,read:quotes',
      )
      assert.deepEqual(await admitted(key), ['read:invoices'])
      const removed = await runCommand('member', 'remove', '--tenant', acme.id, '--email', 'theo@acme.example')
      assert.equal(typeof removed.deactivated_at, 'string')
      assert.equal(await admitted(key), 'invalid_token')
      const back = await runCommand(
        'member',
        'add',
        '--tenant',
        acme.id,
        '--email',
        'theo@acme.example',
        '--role',
        'office',
      )
      assert.deepEqual(
        [back.user_id, back.deactivated_at, back.areas.Quotes, 'password' in back],
        [added.user_id, null, 'edit', false],
      )
      const listed = await runCommand<Result[]>('member', 'list', '--tenant', acme.id)
      assert.deepEqual(
        listed.map(({ email, role }) => [email, role]),
        [
          ['dana@acme.example', 'owner'],
          ['theo@acme.example', 'office'],
        ],
      )
    })

    it('rejects removing the last owner, a second membership, an unknown role and unknown people', async () => {
      const owner = ['--tenant', acme.id, '--user', acme.owner.email]
      assert.deepEqual(
        await Promise.all([
          refusal('member', 'remove', ...owner),
          refusal('member', 'set', ...owner, '--areas', 'Invoices=None'),
          refusal('member', 'add', '--tenant', acme.id, '--email', acme.owner.email, '--role', 'tech'),
          refusal('member', 'add', '--tenant', acme.id, '--email', 'a@b.example', '--role', 'boss'),
          refusal('member', 'list', '--tenant', NOBODY),
          refusal('member', 'remove', '--tenant', acme.id, '--user', 'nobody@acme.example'),
        ]),
        [
          'a company needs an owner; make another member an owner first',
          'areas cannot be set for an owner, who always has full access',
          'dana@acme.example is already a member',
          "role must be one of owner, office, tech (got 'boss')",
          'tenant not found',
          'member not found',
        ],
      )
    })
  })
})
