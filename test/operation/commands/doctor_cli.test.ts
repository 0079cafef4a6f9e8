import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { startEmbedded, type Embedded } from '../../../src/platform/db/embedded/embedded.ts'
import { openCommandLine, type CommandLine } from '../../harness/processes/command_line.ts'
import type { Result } from '../../harness/harness.ts'

let line: CommandLine
let server: Embedded
let { callout, runCommand } = {} as CommandLine
before(async () => {
  line = await openCommandLine()
  ;({ callout, runCommand } = line)
  await runCommand('migrate')
  server = await startEmbedded({ dataDir: line.dataDir, settings: { fsync: 'off' } })
})
after(async () => {
  await server.stop()
  await line.close()
})

describe('callout doctor', () => {
  const wrong = ({ checks }: Result): Result[] => checks.filter(({ ok }: Result) => !ok)

  it('passes every check on a healthy installation', async () => {
    const found = await runCommand('doctor')
    assert.equal(found.ok, true)
    assert.deepEqual(
      found.checks.map(({ check }: Result) => check),
      [
        'configuration',
        'base URL',
        'data directory',
        'disk',
        'temporary folder',
        'storage',
        'PDF font',
        'mail server',
        'SMS account',
        'Payments key',
        'database',
        'migrations',
        'release',
        'application role',
        'row-level security',
        'frozen companies',
        'clock',
        'data key',
        'payments webhooks',
        'SMS webhooks',
        'e-mail webhooks',
        'periodic tasks',
        'outbox',
        'account mail',
        'quarantine',
        'webhook events',
        'backup',
      ],
    )
  })

  it('names each problem with its fix', async () => {
    const client = new Client(server.connection)
    await client.connect()
    const { rows } = await client.query<{ name: string }>('select max(name) as name from migrations')
    const last = rows[0]!.name
    await client.query(`alter table tags no force row level security; alter table members disable row level security;
      update migrations set name = '000_other' where name = '${last}'`)
    const late = await callout(['doctor', '--json'])
    assert.deepEqual([late.code, wrong(JSON.parse(late.out)).map(({ says }) => says)], [1, [`missing: ${last}`]])
    await client.query(
      `update migrations set name = '${last}' where name = '000_other'; alter role callout_app bypassrls`,
    )
    const { code, out } = await callout(['doctor', '--json'], {
      env: { BASE_URL: 'http://callout.test', NODE_ENV: 'production' },
    })
    const found = wrong(JSON.parse(out))
    assert.deepEqual(
      [code, found.map(({ check }) => check)],
      [1, ['base URL', 'application role', 'row-level security']],
    )
    assert.equal(found[2]!.says, 'off for members, tags')
    for (const { mend } of found.slice(1)) await client.query(mend)
    await client.end()
    assert.equal((await runCommand('doctor')).ok, true)
  })

  it('reports a missing backup folder, a late or failed backup and the last drill', async () => {
    const client = new Client(server.connection)
    await client.connect()
    const finding = async (env: Record<string, string> = {}): Promise<Result[]> => {
      const { checks } = JSON.parse((await callout(['doctor', '--json'], { env })).out) as { checks: Result[] }
      return checks.filter(({ check }) => ['backup', 'restore drill'].includes(check))
    }
    assert.match((await finding())[0]!.says, /^no backup yet/)
    const gone = await finding({ BACKUP_TO: '/nowhere/backups' })
    assert.match(gone[0]!.says, /^The folder \/nowhere\/backups is missing or is a file/)
    assert.deepEqual([gone[0]!.ok, (await finding({ BACKUP_TO: 'none' }))[0]!.warning], [false, true])
    await client.query(`insert into backup_status (kind, succeeded_at, as_of, bytes, ms, name) values
      ('backup', now() - interval '25 hours', now() - interval '25 hours', 5000000, 1500, 'callout-x.tar.gz')`)
    const [fine] = await finding()
    assert.equal(fine!.ok, true)
    assert.equal(fine!.says, 'the last backup was 25 hours ago: callout-x.tar.gz, 4.8 MiB in 1.5 s')
    await client.query(`update backup_status set succeeded_at = now() - interval '27 hours'`)
    assert.equal((await finding())[0]!.says, 'the last backup was 27 hours ago')
    await client.query(`insert into backup_status (kind, error) values ('drill', 'it is truncated')`)
    const [late, drill] = await finding()
    assert.deepEqual([late!.ok, drill!.ok], [false, false])
    assert.equal(drill!.says, 'the last backup could not be restored: it is truncated')
    await client.query('delete from backup_status')
    await client.end()
  })

  it('reports companies frozen for more than a day', async () => {
    const company = await runCommand('tenant', 'create', '--name', 'Moved', '--owner-email', 'ada@moved.example')
    const client = new Client(server.connection)
    await client.connect()
    const frozen = async (since: string): Promise<Result> => {
      await client.query(`delete from frozen_companies`)
      await client.query(`insert into frozen_companies (tenant_id, since) values ($1, now() - $2::interval)`, [
        company.id,
        since,
      ])
      const { checks } = JSON.parse((await callout(['doctor', '--json'])).out) as { checks: Result[] }
      return checks.find(({ check }) => check === 'frozen companies')!
    }
    assert.deepEqual(await frozen('23 hours'), { check: 'frozen companies', ok: true, says: '1, none for over a day' })
    assert.deepEqual(await frozen('25 hours'), {
      check: 'frozen companies',
      ok: false,
      says: `for over a day: ${company.id}`,
      mend: 'If the company is not being moved, run: callout tenant thaw <id>',
    })
    await runCommand('tenant', 'thaw', company.id)
    await client.end()
  })

  it('reports missing and short webhook secrets', async () => {
    const secrets = async (env: Record<string, string>): Promise<Result[]> => {
      const { checks } = JSON.parse((await callout(['doctor', '--json'], { env })).out) as { checks: Result[] }
      return checks.filter(({ check }) => check.endsWith(' webhooks'))
    }
    const missing = await secrets({ SMS_WEBHOOK_SECRET: 'short', EMAIL_WEBHOOK_SECRET: 'whsec_c2hvcnQ=' })
    assert.deepEqual(
      missing.map(({ ok, says }) => [ok, says.split(':')[0]]),
      [
        [true, 'not configured (PAYMENTS_SECRET_KEY)'],
        [false, 'SMS_WEBHOOK_SECRET is shorter than 16 bytes'],
        [false, 'EMAIL_WEBHOOK_SECRET is shorter than 16 bytes'],
      ],
    )
    const payments = { PAYMENTS_SECRET_KEY: 'sk_test_1', PAYMENTS_API_URL: 'http://127.0.0.1:1' }
    const [without] = await secrets(payments)
    assert.deepEqual(
      [without!.ok, without!.says.split(':')[0]],
      [false, 'PAYMENTS_WEBHOOK_SECRET_CONNECT_TEST is missing'],
    )
    const [short] = await secrets({
      ...payments,
      PAYMENTS_WEBHOOK_SECRET_CONNECT_TEST: 'whsec_0123456789abcdef',
      PAYMENTS_WEBHOOK_SECRET_PLATFORM_TEST: 'short',
    })
    assert.deepEqual(
      [short!.ok, short!.says.split(':')[0]],
      [false, 'PAYMENTS_WEBHOOK_SECRET_PLATFORM_TEST is shorter than 16 bytes'],
    )
    const good = await secrets({
      ...payments,
      PAYMENTS_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
      SMS_WEBHOOK_SECRET: '0123456789abcdef',
      EMAIL_WEBHOOK_SECRET: 'whsec_MDEyMzQ1Njc4OWFiY2RlZg==',
    })
    assert.deepEqual(
      good.map(({ ok, warning }) => [ok, warning]),
      [
        [true, true],
        [true, undefined],
        [true, undefined],
      ],
    )
  })

  it('reports late and failing periodic tasks, and counts queued and failed items', async () => {
    const { id } = await runCommand('tenant', 'create', '--name', 'Late', '--owner-email', 'ada@late.example')
    await runCommand('number', 'add', '+16175550123', '--tenant', id)
    const client = new Client(server.connection)
    await client.connect()
    await client.query(`update chore_leases set due_at = now() - interval '3 days 1 hour' where tenant_id = '${id}'`)
    await client.query(`insert into chore_leases (tenant_id, chore, due_at, attempts, last_error, locked_until) values
      ('${id}', 'plan_runs', now(), 12, gen_random_uuid(), now() + interval '1 hour'),
      ('${id}', 'attachment_fetches', now() - interval '9 days', 0, null, null)`)
    await client.query(`insert into account_mails (id, address, kind, language, state, next_at) values
      (gen_random_uuid(), 'a@b.example', 'reset', 'en', 'queued', now() - interval '2 hours'),
      (gen_random_uuid(), 'a@b.example', 'reset', 'en', 'failed', now())`)
    await client.query(`insert into quarantined_messages (id, channel, provider_message_id, content_hash, reason, sender, recipients, excerpt, raw)
      values (gen_random_uuid(), 'sms', 'SM1', 'x', 'no_tenant', '+1', '{+2}', 'hi', 'hi')`)
    await client.query(`insert into payment_events (id, digest, mode_matches, event_id, endpoint, state, raw)
      values (gen_random_uuid(), 'x', true, 'evt_1', 'connect', 'review', '{}')`)
    const { checks } = JSON.parse((await callout(['doctor', '--json'])).out) as { checks: Result[] }
    const of = (check: string): [boolean, boolean, string] => {
      const { ok, warning = false, says } = checks.find((one) => one['check'] === check)!
      return [ok, warning, says]
    }
    const [ok, , late] = of('periodic tasks')
    assert.equal(ok, false)
    assert.match(late, /^late: enrolment \(3 days\); failing: plan_runs \(12 failures, reference [0-9a-f-]{36}\)$/)
    assert.deepEqual(of('account mail'), [true, true, '1 waiting (1 for over an hour), 1 failed in the last 7 days'])
    assert.deepEqual(of('outbox'), [true, false, 'nothing waiting, nothing failed'])
    assert.deepEqual(of('quarantine'), [true, true, '1 message needs a decision'])
    assert.deepEqual(of('webhook events'), [true, true, '1 needs a decision, 0 waiting to be recorded'])
    assert.deepEqual(of('SMS webhooks').slice(0, 1), [false])
    await client.end()
  })

  it('reports an invalid setting and an unreachable database', async () => {
    const settings = await callout(['doctor'], { env: { PORT: 'abc' } })
    assert.match(settings.out, /^WRONG {2}configuration +PORT must be a whole number/)
    assert.equal(settings.code, 1)
    const gone = await callout(['doctor', '--json'], { env: { DATABASE_URL: 'postgres://u@127.0.0.1:1/x' } })
    assert.deepEqual([gone.code, wrong(JSON.parse(gone.out)).map(({ check }) => check)], [1, ['database']])
  })
})
