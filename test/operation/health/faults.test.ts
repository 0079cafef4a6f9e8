import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { MAILBOXES, addChannel } from '../../../src/messaging/inbox/directory.ts'
import { queueMessage } from '../../../src/messaging/outbox/queue.ts'
import { SERVICE } from '../../../src/platform/leases/lease.ts'
import { readTenant, sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { WEBHOOK_ENV, providerOf } from '../../harness/clients/webhook_calls.ts'
import { checkIn, startHealth, type Watched } from '../../harness/health.ts'
import { expiredCertificate, localhostKey } from '../../harness/identity/localhost_certificates.ts'
import { freshId } from '../../harness/messaging/inbound.ts'
import { startMailServer } from '../../harness/messaging/mail_server.ts'
import { startHttpServer } from '../../harness/processes/programs.ts'
import { MAIL } from '../../harness/messaging/outbox_scene.ts'

// Each fault is real and is found by a regular check run, which happens every minute (first test).

let dataDir: string
let payments: Awaited<ReturnType<typeof startHttpServer>>
let mail: Awaited<ReturnType<typeof startMailServer>>
let service: Watched
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callout-health-'))
  mail = await startMailServer()
  payments = await startHttpServer((_, res) =>
    res.setHeader('Content-Type', 'application/json').end('{"livemode":true}'),
  )
  service = await startHealth({
    ...WEBHOOK_ENV,
    DATA_DIR: dataDir,
    DISK_MIN_FREE_PERCENT: '0',
    PAYMENTS_API_URL: `http://127.0.0.1:${payments.port}`,
    SMTP_URL: `smtp://user:p%40ss@127.0.0.1:${mail.config.port}`,
    MAIL_FROM: 'Callout <callout@mail.example>',
  })
  await service.operator.signIn(service.company.owner.email)
  await service.database.send([
    sql`insert into backup_status (kind, succeeded_at, bytes) values ('backup', now(), 1000000)`,
  ])
})
after(async () => {
  await service.stop()
  await payments.end()
  await mail.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Asserts that the next check run reports a problem, and that the operator's page shows it. */
async function expectFound(check: string, label: string, status: 'wrong' | 'warning', says: RegExp): Promise<void> {
  const result = checkIn(await service.nextTurn(), check)
  assert.deepEqual([result.status, result.mend === undefined], [status, false], result.says)
  assert.match(result.says, says)
  const { text } = await service.operator.get('/operator/health')
  const card = new RegExp(`<li class="problem ${status}">(?:(?!</li>)[^])*<b>${label}</b>`).exec(text)
  assert.ok(card !== null, `${label} is not on the page`)
}

const expectRight = async (check: string): Promise<void> =>
  assert.equal(checkIn(await service.nextTurn(), check).status, 'ok')

describe('a healthy installation', () => {
  it('has no problems and is checked every minute', async () => {
    const { checks, status } = await service.nextTurn()
    assert.deepEqual(
      checks.filter((one) => one.status !== 'ok').map(({ check, says }) => `${check}: ${says}`),
      [],
    )
    assert.equal(status, 'ok')
    assert.equal((await service.answer()).status, 200)
    const [lease] = await service.database.send([
      sql<{ seconds: number }>`select extract(epoch from due_at - now())::float8 as seconds from chore_leases
        where chore = 'health_checks' and tenant_id = ${SERVICE}`,
    ])
    const seconds = lease.rows[0]?.seconds ?? Infinity
    assert.ok(seconds > 0 && seconds <= 60, `${seconds} s to the next turn`)
  })
})

describe('the health checks find a fault within a minute', () => {
  it('1: a message fails', async () => {
    mail.how.atRecipient = () => '550 No such mailbox'
    await addChannel(service.database, MAILBOXES, service.company.id, 'office@alder.example')
    await writeTenant(service.database, { tenant: service.company.id }, (db) => queueMessage(db, MAIL))
    const state = sql<{ state: string }>`select state from outbox where tenant_id = ${service.company.id}`
    const has = async (wanted: string): Promise<boolean> =>
      (await readTenant(service.database, { tenant: service.company.id }, (db) => db.one<{ state: string }>(state)))
        .state === wanted
    while (!(await has('failed'))) await sleep(100)
    await expectFound('outbox', 'Companies’ messages', 'warning', /^1 failed in the last 7 days$/)
  })

  it('2: the mail server refuses connections', async () => {
    await mail.stop()
    await expectFound('mail server', 'Mail server', 'wrong', /ECONNREFUSED/)
    assert.equal((await service.answer()).status, 503)
  })

  it('3: a periodic task is late', async () => {
    const late = sql`insert into chore_leases (tenant_id, chore, due_at)
      values (${SERVICE}, 'stuck_task', now() - interval '20 minutes')`
    await service.database.send([late])
    await expectFound('periodic tasks', 'Periodic tasks', 'wrong', /^late: stuck_task \(2\d minutes\)$/)
    await service.database.send([sql`delete from chore_leases where chore = 'stuck_task'`])
    await expectRight('periodic tasks')
  })

  it('4: a message is quarantined', async () => {
    await providerOf(service).email('/api/webhooks/email/inbound', {
      from: 'ana@example.com',
      to: `${freshId('x')}@in.example.com`,
      messageId: freshId('m'),
      subject: 'Cold',
      text: 'The heater is out',
      attachments: [],
    })
    await expectFound('quarantine', 'Quarantine', 'warning', /^1 message needs a decision$/)
  })

  it('5: the last backup is old, and the next one failed', async () => {
    await service.database.send([
      sql`update backup_status set succeeded_at = now() - interval '30 hours 5 minutes', error = 'no space left on device'`,
    ])
    await expectFound(
      'backup',
      'Backup',
      'wrong',
      /^the last backup was 30 hours ago; .* failed: no space left on device$/,
    )
    await service.database.send([sql`delete from backup_status`])
    const { status, says } = checkIn(await service.nextTurn(), 'backup')
    assert.deepEqual([status, says], ['ok', 'no backup yet; the service makes the first one soon after it starts'])
  })

  it('6: a later release changed the schema', async () => {
    await service.asOwner(`insert into migrations (name, checksum, release) values ('999_later', 'x', '9.0.0')`)
    await expectFound('migrations', 'Database schema', 'wrong', /later release, 9\.0\.0 \(999_later\)/)
    await service.asOwner(`delete from migrations where name = '999_later'`)
    await expectRight('migrations')
  })

  it('7: a webhook is answered with a server error', async () => {
    await service.asOwner('alter table quarantined_messages rename to quarantined_messages_gone')
    const { status } = await providerOf(service).email('/api/webhooks/email/inbound', {
      from: 'ana@example.com',
      to: `${freshId('x')}@in.example.com`,
      messageId: freshId('m'),
      subject: 'Cold',
      text: 'The heater is out',
      attachments: [],
    })
    await service.asOwner('alter table quarantined_messages_gone rename to quarantined_messages')
    assert.ok(status >= 500, `${status}`)
    await service.untilReported()
    await expectFound('webhook failures', 'Webhook failures', 'wrong', /email\/inbound 1$/)
  })

  it("8: the database doesn't answer", async () => {
    const frozen = new Client(service.owner)
    await frozen.connect()
    await frozen.query('begin; lock table health_reports in access exclusive mode')
    const { status, body } = await service.answer()
    await frozen.end()
    assert.equal(status, 503)
    assert.deepEqual([body.checks[0]?.check, body.checks[0]?.status], ['database', 'wrong'])
    assert.match(body.checks[0]?.says ?? '', /^not responding/)
  })

  it('9: the checks themselves have stopped', async () => {
    await service.database.send([
      sql`update chore_leases set due_at = now() + interval '1 day', locked_until = null where chore = 'health_checks'`,
      sql`update health_reports set checked_at = now() - interval '4 minutes'`,
    ])
    const { status, body } = await service.answer()
    assert.deepEqual([status, body.checks[0]?.check, body.checks[0]?.status], [503, 'health checks', 'wrong'])
    assert.match((await service.operator.get('/operator/health')).text, /The checks have stopped/)
  })
})

describe('the health checks find a wrong setting within a minute', () => {
  const broken = async (env: Record<string, string>, use: (one: Watched) => Promise<void>): Promise<void> => {
    const one = await startHealth({ DATA_DIR: dataDir, ...env })
    try {
      await use(one)
    } finally {
      await one.stop()
    }
  }

  it('10 to 12: a short and a missing webhook secret, an almost full disk and no backups', () =>
    broken({ SMS_WEBHOOK_SECRET: 'short', DISK_MIN_FREE_PERCENT: '100', BACKUP_TO: 'none' }, async (one) => {
      await addChannel(one.database, MAILBOXES, one.company.id, 'office@alder.example')
      const report = await one.nextTurn()
      assert.match(checkIn(report, 'SMS webhooks').says, /^SMS_WEBHOOK_SECRET is shorter than 16 bytes/)
      assert.match(checkIn(report, 'e-mail webhooks').says, /^EMAIL_WEBHOOK_SECRET is missing.* 1 mailbox/)
      assert.match(checkIn(report, 'disk').says, / of \d+\.\d GiB free$/)
      assert.deepEqual(
        ['SMS webhooks', 'e-mail webhooks', 'disk', 'backup'].map((name) => checkIn(report, name).status),
        ['wrong', 'wrong', 'wrong', 'warning'],
      )
    }))

  it('13: an expired certificate', async () => {
    const proxy = createServer({ cert: expiredCertificate, key: localhostKey }, (_, res) => res.end())
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const address = proxy.address()
    assert.ok(typeof address === 'object' && address !== null)
    await broken(
      { PORT: String(address.port), BASE_URL: `https://localhost:${address.port}`, HOST: '127.0.0.2' },
      async (one) => {
        const { status, says, mend } = checkIn(await one.nextTurn(), 'base URL')
        assert.equal(status, 'wrong', says)
        assert.match(says, /^the certificate of .* expired on 20\d\d-/)
        assert.ok(mend)
      },
    ).finally(() => {
      proxy.close()
      proxy.closeAllConnections()
    })
  })

  it('14: nothing answers at BASE_URL', () =>
    broken({ BASE_URL: 'https://callout.invalid' }, async (one) => {
      const { status, says } = checkIn(await one.nextTurn(), 'base URL')
      assert.equal(status, 'wrong')
      assert.match(says, /^DNS can't resolve callout\.invalid/)
    }))
})
