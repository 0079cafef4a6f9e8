import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isOperator } from '../../../src/identity/people/operators.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../../harness/harness.ts'
import { freshId, messagesOf } from '../../harness/messaging/inbound.ts'
import { WEBHOOK_ENV, providerOf } from '../../harness/clients/webhook_calls.ts'
import { reviewsOf } from '../../harness/database/reviews.ts'

const program = fileURLToPath(new URL('../../../bin/callout', import.meta.url))

let service: TestService
let company: Company
let dataDir: string
before(async () => {
  service = await startTestService(WEBHOOK_ENV)
  company = await makeCompany(service)
  dataDir = await mkdtemp(join(tmpdir(), 'callout-places-'))
})
after(async () => {
  await service.stop()
  await rm(dataDir, { recursive: true })
})

/** Runs a command next to the running service, on its database. */
const callout = (
  typed: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    const { host, port, user, password, database } = service.owner as {
      host: string
      port: number
      user: string
      password?: string
      database: string
    }
    const login = `${user}${password === undefined ? '' : `:${encodeURIComponent(password)}`}`
    const url = host.startsWith('/')
      ? `postgres://${login}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
      : `postgres://${login}@${host}:${port}/${database}`
    execFile(
      process.execPath,
      [program, ...typed],
      { env: { PATH: process.env['PATH'], DATABASE_URL: url, DATA_DIR: dataDir, ...env } },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    )
  })

async function runCommand(...typed: string[]): Promise<Result> {
  const { code, out, err } = await callout([...typed, '--json'])
  assert.deepEqual([code, err], [0, ''])
  return JSON.parse(out) as Result
}

async function readRefusal(...typed: string[]): Promise<string> {
  const { code, out, err } = await callout(typed)
  assert.deepEqual([code, out], [1, ''], err)
  return err.trim()
}

describe('callout number', () => {
  it('is assigned to a company in E.164 and receives for it at once', async () => {
    const made = await runCommand('number', 'add', '(617) 555-0142', '--tenant', company.tenant)
    assert.deepEqual([made['number'], made['tenant_id']], ['+16175550142', company.tenant])
    const sid = freshId()
    await providerOf(service).sms('/api/webhooks/sms/inbound-sms', {
      MessageSid: sid,
      From: '+16175550999',
      To: '+16175550142',
      Body: 'Hi',
    })
    assert.deepEqual(
      (await messagesOf(service.database, company.tenant)).map(({ provider_message_id }) => provider_message_id),
      [sid],
    )
    assert.deepEqual(
      ((await runCommand('number', 'list')) as unknown as Result[]).map((one) => one['number']),
      ['+16175550142'],
    )
    assert.equal(
      await readRefusal('number', 'add', '+16175550142', '--tenant', company.tenant),
      'callout: a company has this number already; remove it there first',
    )
    assert.equal((await runCommand('number', 'remove', '+1 617 555 0142'))['number'], '+16175550142')
    assert.match(await readRefusal('number', 'remove', '+16175550142'), /number not found/)
    assert.match((await callout(['number', 'list'])).out, /No numbers\./)
  })

  it('is rejected if it is invalid or its company is unknown', async () => {
    assert.match(await readRefusal('number', 'add', 'abc', '--tenant', company.tenant), /number must be a phone number/)
    assert.match(
      await readRefusal(
        'number',
        'add',
        '+16175550143',
        '--tenant',
        company.tenant.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
      /tenant not found/,
    )
    assert.equal((await callout(['number', 'add', '+16175550143'])).code, 2)
  })
})

describe('callout mailbox', () => {
  it('is assigned to a company in lower case, listed and removed', async () => {
    assert.equal(
      (await runCommand('mailbox', 'add', 'Jobs@In.Example.com', '--tenant', company.tenant))['address'],
      'jobs@in.example.com',
    )
    assert.match(
      (await callout(['mailbox', 'list', '--tenant', company.tenant])).out,
      /^MAILBOX +COMPANY +SINCE\njobs@in\.example\.com/,
    )
    assert.match(
      await readRefusal('mailbox', 'add', 'JOBS@in.example.com', '--tenant', company.tenant),
      /a company has this address already/,
    )
    assert.match(
      await readRefusal('mailbox', 'add', 'a@b.example, c@d.example', '--tenant', company.tenant),
      /address must be one email address/,
    )
    assert.equal((await runCommand('mailbox', 'remove', 'jobs@IN.example.com'))['address'], 'jobs@in.example.com')
    assert.match(await readRefusal('mailbox', 'remove', 'jobs@in.example.com'), /mailbox not found/)
  })
})

describe('callout payment-account', () => {
  it('is connected to one company only, listed and disconnected', async () => {
    const made = await runCommand('payment-account', 'add', 'acct_1', '--tenant', company.tenant)
    assert.deepEqual([made['account_id'], made['tenant_id']], ['acct_1', company.tenant])
    assert.equal(
      (await runCommand('payment-account', 'add', 'acct_1', '--tenant', company.tenant))['created_at'],
      made['created_at'],
    )
    assert.match(
      (await callout(['payment-account', 'list', '--tenant', company.tenant])).out,
      /^ACCOUNT +COMPANY +SINCE\nacct_1 /,
    )
    const other = await makeCompany(service)
    assert.equal(
      await readRefusal('payment-account', 'add', 'acct_1', '--tenant', other.tenant),
      'callout: this account belongs to another company; disconnect it there first',
    )
    assert.match(
      await readRefusal('payment-account', 'add', 'a b', '--tenant', company.tenant),
      /account must be the payments provider's id/,
    )
    assert.equal((await runCommand('payment-account', 'remove', 'acct_1'))['tenant_id'], company.tenant)
    assert.match(await readRefusal('payment-account', 'remove', 'acct_1'), /payment account not found/)
    assert.match((await callout(['payment-account', 'list'])).out, /No payments accounts\./)
  })
})

describe('callout operator', () => {
  it('is a user from add until remove, and both are recorded', async () => {
    assert.match((await callout(['operator', 'list'])).out, /No operators\./)
    const { email, id } = company.owner
    assert.deepEqual(
      [
        (await runCommand('operator', 'add', '--email', email.toUpperCase()))['id'],
        await isOperator(service.database, id),
      ],
      [id, true],
    )
    assert.deepEqual(
      ((await runCommand('operator', 'list')) as unknown as Result[]).map((one) => [one['id'], one['email']]),
      [[id, email]],
    )
    assert.equal(await readRefusal('operator', 'add', id), `callout: ${email} is already an operator`)
    assert.deepEqual(
      [(await runCommand('operator', 'remove', email))['id'], await isOperator(service.database, id)],
      [id, false],
    )
    assert.match(await readRefusal('operator', 'remove', email), /operator not found/)
    assert.match(await readRefusal('operator', 'add', 'nobody@example.com'), /user not found/)
    assert.equal((await callout(['operator', 'add'])).code, 2)
    assert.deepEqual(await reviewsOf(service.database, id), [
      ['operators.add', null, { email }],
      ['operators.remove', null, { email }],
    ])
  })
})

describe('callout doctor', () => {
  const storage = (out: string): { ok: boolean; says: string; mend?: string } =>
    (JSON.parse(out) as { checks: { check: string; ok: boolean; says: string }[] }).checks.find(
      ({ check }) => check === 'storage',
    )!

  it('checks the storage', async () => {
    assert.deepEqual(storage((await callout(['doctor', '--json'])).out), {
      check: 'storage',
      ok: true,
      says: join(dataDir, 'files'),
    })
    const bucket = {
      STORAGE_URL: 's3://files?endpoint=http://127.0.0.1:1',
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
    }
    const { code, out } = await callout(['doctor', '--json'], bucket)
    assert.deepEqual([code, storage(out).ok], [1, false])
    assert.match(storage(out).mend!, /permissions on the bucket/)
  })
})
