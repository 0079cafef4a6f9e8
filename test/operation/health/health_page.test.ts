import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAILBOXES, addChannel, removeChannel } from '../../../src/messaging/inbox/directory.ts'
import { removeOperator } from '../../../src/identity/people/operators.ts'
import { findUser } from '../../../src/identity/people/users.ts'
import { SERVICE } from '../../../src/platform/leases/lease.ts'
import { sql } from '../../../src/platform/db/tenant.ts'
import { checkIn, startHealth, type Watched } from '../../harness/health.ts'
import { startMailServer } from '../../harness/messaging/mail_server.ts'
import { createCompany, newBrowser } from '../../harness/web_client.ts'

let mail: Awaited<ReturnType<typeof startMailServer>>
let service: Watched
before(async () => {
  mail = await startMailServer()
  service = await startHealth({
    SMTP_URL: `smtp://user:p%40ss@127.0.0.1:${mail.config.port}`,
    MAIL_FROM: 'Callout <callout@mail.example>',
  })
  await service.operator.signIn(service.company.owner.email)
  await service.nextTurn()
})
after(async () => {
  await service.stop()
  await mail.stop()
})

const PATH = '/operator/health'

describe('the health page', () => {
  it('is for current operators only, by GET', async () => {
    const other = await createCompany(service, 'Globex')
    const owner = newBrowser(service)
    await owner.signIn(other.owner.email)
    assert.equal((await owner.get(PATH)).status, 404)
    assert.match((await newBrowser(service).get(PATH)).location ?? '', /^\/sign-in\?to=/)
    assert.equal((await service.operator.get(PATH)).status, 200)
    assert.equal((await service.operator.post(PATH, {})).status, 405)
    const user = await findUser(service.database, service.company.owner.email)
    await removeOperator(service.database, user)
    assert.equal((await service.operator.get(PATH)).status, 404)
    await service.database.send([sql`insert into operators (user_id) values (${user.id})`])
  })

  it('asks an operator for a recent confirmation', async () => {
    await service.database.send([sql`update sessions set confirmed_at = now() - interval '20 minutes'`])
    const { status, location } = await service.operator.get(PATH)
    assert.equal(status, 303)
    assert.equal(location, '/confirm?to=%2Foperator%2Fhealth')
    await service.database.send([sql`update sessions set confirmed_at = now()`])
    assert.equal((await service.operator.get(PATH)).status, 200)
  })

  it('shows counts of companies without email addresses', async () => {
    const { text } = await service.operator.get(PATH)
    assert.match(text, /Alder Plumbing/)
    assert.ok(!text.includes(service.company.owner.email))
    assert.match(text, /Callout \d+\.\d+\.\d+/)
    const json = JSON.stringify((await service.answer()).body)
    assert.ok(!json.includes('@example.com'))
  })

  it('is in Spanish for Spanish readers, findings included', async () => {
    await addChannel(service.database, MAILBOXES, service.company.id, 'office@alder.example')
    await service.nextTurn()
    const { text } = await service.operator.send(PATH, { headers: { 'accept-language': 'es' } })
    assert.match(text, /<h1>Estado del servicio<\/h1>/)
    assert.match(text, /127\.0\.0\.1:\d+ nos deja entrar/)
    assert.match(text, /Falta EMAIL_WEBHOOK_SECRET/)
    assert.match(text, /Qué hacer/)
    await removeChannel(service.database, MAILBOXES, 'office@alder.example')
    await service.nextTurn()
  })
})

describe('GET /health', () => {
  it('is served on the metrics port only', async () => {
    const at = (path: string, init?: RequestInit) => fetch(`${service.metricsOrigin}${path}`, init)
    const answered = await at('/health')
    assert.equal(answered.headers.get('content-type'), 'application/json')
    assert.equal(answered.headers.get('cache-control'), 'no-store')
    assert.equal((await at('/health', { method: 'POST' })).status, 405)
    assert.equal((await at('/healthy')).status, 404)
    const open: unknown = await fetch(`${service.origin}/health`).then((answer) => answer.json())
    assert.deepEqual(Object.keys(Object(open)).sort(), ['status', 'version'])
  })
})

describe('operators get a mail', () => {
  const toOperator = () => mail.taken.filter(({ to }) => to.includes(service.company.owner.email))
  const late = (minutes: number) =>
    sql`insert into chore_leases (tenant_id, chore, due_at)
      values (${SERVICE}, 'stuck_task', now() - make_interval(mins => ${minutes}))`

  async function untilMails(count: number): Promise<string> {
    for (let tries = 0; toOperator().length < count; tries++) {
      assert.ok(tries < 1_200, `${count} mails were expected, ${toOperator().length} came`)
      await sleep(100)
    }
    return toOperator().at(-1)?.mail.text ?? ''
  }

  it('once if something is wrong twice in a row, and once when it is fixed', async () => {
    await service.nextTurn()
    const before = toOperator().length
    await service.database.send([late(30)])
    await service.nextTurn()
    await sleep(4_000)
    assert.equal(toOperator().length, before, 'nobody is mailed for one turn')
    await service.nextTurn()
    const wrong = await untilMails(before + 1)
    assert.match(wrong, /^Periodic tasks: late: stuck_task \(3\d minutes\)\nStart the service/)
    assert.match(wrong, new RegExp(`${service.config.baseUrl}/operator/health`))
    for (let i = 0; i < 3; i++) await service.nextTurn()
    await sleep(4_000)
    assert.equal(toOperator().length, before + 1, 'nobody is mailed twice')
    await service.database.send([sql`delete from chore_leases where chore = 'stuck_task'`])
    await service.nextTurn()
    await service.nextTurn()
    assert.match(await untilMails(before + 2), /Fixed: Periodic tasks\./)
    assert.match(toOperator().at(-1)?.mail.subject ?? '', /^Fixed in Callout: Periodic tasks$/)
  })

  it('only once while the mail server refuses mail, delivered once it accepts mail again', async () => {
    const before = toOperator().length
    mail.how.atRecipient = () => '451 Try later'
    await service.database.send([late(40)])
    for (let i = 0; i < 6; i++) await service.nextTurn()
    const [queued] = await service.database.send([
      sql<{ count: number }>`select count(*)::int as count from account_mails
        where kind = 'health' and state in ('queued', 'attempting')`,
    ])
    assert.equal(queued.rows[0]?.count, 1)
    delete mail.how.atRecipient
    await service.database.send([sql`update account_mails set next_at = now() where state = 'queued'`])
    assert.match(await untilMails(before + 1), /stuck_task/)
    assert.equal(checkIn(await service.nextTurn(), 'account mail').ok, true)
    await service.database.send([sql`delete from chore_leases where chore = 'stuck_task'`])
    await service.nextTurn()
    await service.nextTurn()
    assert.match(await untilMails(before + 2), /Fixed: Periodic tasks\./)
  })

  it('at most 20 times a day', async () => {
    const [user] = await service.database.send([
      sql<{ id: string; email: string }>`select id, email from users
      where email = ${service.company.owner.email}`,
    ])
    await service.database.send([
      sql`insert into account_mails (id, user_id, address, kind, language, state)
        select gen_random_uuid(), ${user.rows[0]?.id}, ${user.rows[0]?.email}, 'health', 'en', 'handed_over'
        from generate_series(1, 20)`,
    ])
    const before = toOperator().length
    await service.database.send([late(50)])
    for (let i = 0; i < 3; i++) await service.nextTurn()
    await sleep(4_000)
    assert.equal(toOperator().length, before)
    await service.database.send([sql`delete from account_mails where state = 'handed_over'`])
    await service.nextTurn()
    assert.match(await untilMails(before + 1), /stuck_task/)
  })
})
