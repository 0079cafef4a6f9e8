import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { mailWeeklyReport } from '../../src/messaging/notices/weekly_report.ts'
import { createSenders } from '../../src/messaging/outbox/senders/senders.ts'
import { readTenant, sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { configurableTasks } from '../../src/worker/configurable_tasks.ts'
import { callerOf, type TestService } from '../harness/harness.ts'
import { createCompany, startSite, newBrowser } from '../harness/web_client.ts'

const ZONE = 'America/New_York'
/** Monday morning in New York. */
const MONDAY = Temporal.Instant.from('2027-03-08T12:00:00Z')

let service: TestService
before(async () => {
  service = await startSite({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Callout <callout@mail.example>' })
})
after(() => service.stop())

async function openCompany(name: string) {
  const company = await createCompany(service, name)
  const browser = newBrowser(service)
  await browser.signIn(company.owner.email)
  const { key } = await createKey(
    service.database,
    { tenant: company.id },
    { user: company.owner.user_id, name: 'Agent', scopes: SCOPES, expires_at: null },
  )
  const tenant = { id: company.id, timezone: ZONE, currency: 'USD', country: 'US' }
  const send = (now = MONDAY, senders = createSenders(service.config)) =>
    writeTenant(service.database, { tenant: company.id }, (db) => mailWeeklyReport(db, { now, tenant, senders }))
  const mails = () =>
    readTenant(service.database, { tenant: company.id }, (db) =>
      db.all<{ recipient: string; subject: string; body: string }>(sql`select o.recipient, m.subject, m.body
        from outbox o join communications m on m.tenant_id = o.tenant_id and m.id = o.id
        where o.tenant_id = ${db.tenant} order by o.recipient, o.id`),
    )
  const turn = (on: boolean) =>
    browser.post(`/${company.id}/settings/messages`, { quote_answers: 'yes', ...(on ? { weekly_report: 'yes' } : {}) })
  return { company, browser, call: callerOf(service.url, key).call, send, mails, turn }
}

describe('the weekly report', () => {
  it("shows last week's sales, quotes and visits next to the week before", async () => {
    const { company, call, send, mails, turn } = await openCompany('Alder')
    const { id: customer_id } = await call('customers_create', { customer_type: 'individual', first_name: 'Dora' })
    const line_items = (cents: number) => [{ kind: 'service', name: 'Visit', quantity: 1, unit_price_cents: cents }]
    for (const [issue_date, cents] of [
      ['2027-02-21', 1_000],
      ['2027-02-22', 20_000],
      ['2027-02-28', 5_000],
      ['2027-03-01', 40_000],
      ['2027-03-07', 2_500],
      ['2027-03-08', 900_000],
    ] as const) {
      const { id } = await call('invoices_create', {
        customer_id,
        issue_date,
        due_date: issue_date > '2027-03-07' ? issue_date : '2027-03-07',
        line_items: line_items(cents),
      })
      await call('invoices_update', { id, status: 'sent' })
    }
    const { id: quote } = await call('quotes_create', {
      customer_id,
      title: 'Heater',
      issue_date: '2027-03-02',
      valid_until: '2027-04-02',
      line_items: line_items(70_000),
    })
    await call('quotes_update', { id: quote, status: 'sent' })
    await call('quotes_update', { id: quote, status: 'accepted' })
    const book = async (day: string, status?: string): Promise<void> => {
      const { id } = await call('jobs_create', {
        customer_id,
        title: 'Visit',
        scheduled_start: `${day}T09:00:00-05:00`,
      })
      if (status !== undefined) await call('jobs_update', { id, status })
    }
    await book('2027-03-01', 'done')
    await book('2027-03-05', 'done')
    await book('2027-03-09')
    await book('2027-03-16')
    const { id: dropped } = await call('jobs_create', {
      customer_id,
      title: 'Dropped',
      scheduled_start: '2027-03-10T09:00:00-05:00',
    })
    await call('jobs_cancel', { id: dropped })

    await send()
    assert.deepEqual(await mails(), [], 'nobody turned it on')
    assert.equal((await turn(true)).status, 303)
    await send()
    const [mail, ...more] = await mails()
    assert.deepEqual(more, [])
    assert.equal(mail!.recipient, company.owner.email)
    assert.equal(mail!.subject, 'Your week, Mar 1 to Mar 7: $425.00 in sales')
    assert.deepEqual(mail!.body.split('\n\n').slice(0, 6), [
      'Sales: $425.00 (the week before: $250.00)',
      'Received: $0.00 (the week before: $0.00)',
      'Quotes: 1 sent, 1 won, $700.00',
      'Visits: 2 done',
      'This week: one visit booked',
      'Unpaid: $9,685.00, of which $685.00 is past due',
    ])
    assert.match(mail!.body, new RegExp(`/${company.id}/reports`))
  })

  it('is sent once a week to owners only, in their language, and stops when turned off', async () => {
    const { company, browser, send, mails, turn } = await openCompany('Birch')
    await company.hire('office')
    await company.hire('tech')
    await turn(true)
    assert.match(
      (await browser.get(`/${company.id}/settings/messages`)).text,
      /name="weekly_report" value="yes" checked/,
    )
    await browser.post(`/${company.id}/settings/you`, { name: 'Ana Ruiz', language: 'es', keys: 'yes' })
    await Promise.all([send(), send(), send(MONDAY.add({ hours: 50 }))])
    assert.equal((await mails()).length, 1)
    assert.match((await mails())[0]!.subject, /^Su semana, del /)
    await send(MONDAY.add({ hours: 7 * 24 - 1 }))
    assert.equal((await mails()).length, 2, 'the Monday after, though its night is shorter')
    await turn(false)
    await send(MONDAY.add({ hours: 14 * 24 }))
    assert.equal((await mails()).length, 2)
  })

  it('waits for a configured sender, and can be turned on by owners only', async () => {
    const { company, send, mails, turn } = await openCompany('Cedar')
    const clerk = newBrowser(service)
    await clerk.signIn((await company.hire('office')).email)
    assert.equal((await clerk.post(`/${company.id}/settings/messages`, { weekly_report: 'yes' })).status, 404)
    await turn(true)
    await send(MONDAY, { ...createSenders(service.config), email: null })
    assert.deepEqual(await mails(), [])
    await send()
    assert.equal((await mails()).length, 1)
  })

  it('is a task of each company, due on Mondays at 6:30 local time', () => {
    const task = configurableTasks(service.config, service.database).find(({ name }) => name === 'weekly_report')
    assert.equal(task?.of, 'tenant')
    assert.equal(task.next(MONDAY, ZONE)?.toString(), '2027-03-15T10:30:00Z')
    assert.equal(task.next(MONDAY.subtract({ hours: 2 }), ZONE)?.toString(), '2027-03-08T11:30:00Z')
  })
})
