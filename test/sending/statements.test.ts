import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { createSenders } from '../../src/messaging/outbox/senders/senders.ts'
import { listDueStatements, sendDueStatement } from '../../src/messaging/statements/send.ts'
import { todayIn } from '../../src/platform/validation/formats/instants.ts'
import { enrollmentTask } from '../../src/worker/tasks/enrollment.ts'
import { statementTask } from '../../src/worker/tasks/statements.ts'
import { runDue } from '../../src/worker/worker.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { idAt, pageTextOf, sendForm, submit } from '../harness/identity/people_pages.ts'
import { startSite, type Browser } from '../harness/web_client.ts'
import { captureLines } from '../harness/processes/workers.ts'
import { SENDERS, openScene, type Queued, type Scene } from './scene.ts'

let service: TestService
let scene: Scene
before(async () => {
  service = await startSite(SENDERS)
  scene = await openScene(service, 'Alder Plumbing')
})
after(() => service.stop())

const today = () => todayIn('America/New_York')
const month = () => ({ from: today().with({ day: 1 }).toString(), to: today().toString() })

const { log, lines } = captureLines()
async function work(): Promise<void> {
  const tasks = [statementTask(createSenders(service.config))]
  const now = Temporal.Now.instant().add({ seconds: 5 })
  await runDue({ database: service.database, log, clock: () => now, stopping: new AbortController().signal }, [
    ...tasks,
    enrollmentTask(tasks),
  ])
  assert.deepEqual(lines, [])
}

async function owing(name: string, contact: object = {}, of = scene): Promise<{ id: string; invoice: Result }> {
  const { id } = await of.customer(name, contact)
  const made = await of.invoice(String(id))
  return { id: String(id), invoice: await of.call('invoices_update', { id: made['id'], status: 'sent' }) }
}

const mailsIn = async (of: Scene): Promise<Queued[]> =>
  (await of.listQueued()).filter(({ attachments }) => attachments[0]?.document === 'statements')
const start = (of: Scene, range = month(), browser: Browser = of.browser) =>
  sendForm(browser, of.at('reports', 'statements'), Object.entries(range))
const runText = async (of: Scene, location: string | null): Promise<string> =>
  pageTextOf(await of.browser.get(of.at('reports', 'statements', idAt(location))))

describe('a customer statement', () => {
  it('is emailed from its page with PDF and balance, once per form', async () => {
    const { id } = await owing('Anna')
    const page = scene.at('customers', id, 'statement')
    const { text } = await scene.browser.get(`${page}?from=${month().from}&to=${month().to}`)
    assert.match(text, /value="anna@example\.com"/)
    const key = /name="idempotency_key" value="([^"]+)"/.exec(text)![1]!
    for (let i = 0; i < 2; i++)
      await sendForm(scene.browser, `${page}?from=${month().from}&to=${month().to}`, [
        ['to', 'anna@example.com'],
        ['idempotency_key', key],
      ])
    const [mail, ...more] = (await mailsIn(scene)).filter(({ about_id }) => about_id === id)
    assert.deepEqual([more, mail!.recipient, mail!.cause], [[], 'anna@example.com', 'sent'])
    assert.match(mail!.body, /Your balance on .* is \$2,000\.00\./)
    assert.match(mail!.subject!, /^Your statement of /)
  })

  it('can be sent only with write access to invoices', async () => {
    const { id } = await owing('Berta')
    const blind = await scene.signInMember('office', { Invoices: 'view' })
    const page = scene.at('customers', id, 'statement')
    assert.ok(!(await blind.browser.get(page)).text.includes('Email statement'))
    assert.equal((await sendForm(blind.browser, page, [['to', 'berta@example.com']])).status, 404)
    assert.equal((await start(scene, month(), blind.browser)).status, 404)
    assert.equal((await blind.browser.get(scene.at('reports', 'statements'))).status, 404)
  })
})

describe('statements for many customers', () => {
  it('are sent once to everyone who owes and can be emailed, and list the others with a reason', async () => {
    const of = await openScene(service, 'Month End')
    const [zoe, paid] = [await owing('Zoe', {}, of), await owing('Paula', {}, of)]
    await owing('Nemo', { email: null }, of)
    await owing('Otto', { email_opt_out: true }, of)
    const { location } = await start(of)
    await submit(of.browser, of.at('invoices', String(paid.invoice['id']), 'payment'), { method: 'cash' })
    assert.match(await runText(of, location), /4 are waiting\. You can leave this page, and sending continues\./)
    assert.match(
      pageTextOf(await of.browser.get((await start(of)).location!)),
      /The statements for these days are already being sent/,
    )
    await work()
    await work()
    assert.deepEqual(
      (await mailsIn(of)).map(({ recipient, about_id }) => [recipient, about_id]),
      [['zoe@example.com', zoe.id]],
    )
    const text = await runText(of, location)
    for (const words of [
      'One statement is sent. 3 customers were left out.',
      'There is no email address.',
      'Everyone with an email address opted out, or email to them bounced.',
      'Nothing is owed on the last day.',
    ])
      assert.ok(text.includes(words), words)
    const again = await start(of)
    await work()
    assert.match(await runText(of, again.location), /This statement was sent before\./)
    assert.equal((await mailsIn(of)).length, 1)
  })

  it('are sent once by concurrent workers, one of which dies', async () => {
    const of = await openScene(service, 'Two Workers')
    for (const name of ['Ida', 'Jo', 'Kim']) await owing(name, {}, of)
    await start(of)
    const write = <T>(work: Parameters<typeof writeTenant<T>>[2]) =>
      writeTenant(service.database, { tenant: of.id }, work)
    const due = await write((db) => listDueStatements(db, '00000000-0000-0000-0000-000000000000'))
    assert.equal(due.length, 3)
    const { baseUrl } = service.config
    await assert.rejects(
      write(async (db) => {
        await sendDueStatement(db, due[0]!, baseUrl)
        throw new Error('killed')
      }),
    )
    assert.deepEqual(await mailsIn(of), [])
    await Promise.all([...due, ...due].map((one) => write((db) => sendDueStatement(db, one, baseUrl))))
    const mails = await mailsIn(of)
    assert.deepEqual(mails.map(({ recipient }) => recipient).toSorted(), [
      'ida@example.com',
      'jo@example.com',
      'kim@example.com',
    ])
  })

  it('stop when someone stops them', async () => {
    const of = await openScene(service, 'Stopped')
    await owing('Lou', {}, of)
    const { location } = await start(of)
    await sendForm(of.browser, of.at('reports', 'statements', idAt(location), 'stop'), [])
    await work()
    assert.deepEqual(await mailsIn(of), [])
    assert.match(await runText(of, location), /Sending was stopped\./)
    const state = await writeTenant(service.database, { tenant: of.id }, (db) =>
      db.all<{ state: string }>(sql`select state from statement_sendings where tenant_id = ${of.id}`),
    )
    assert.deepEqual(state, [{ state: 'skipped' }])
  })
})
