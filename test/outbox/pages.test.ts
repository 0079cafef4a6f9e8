import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import type { OutgoingMessage } from '../../src/messaging/outbox/outgoing.ts'
import { queueMessage } from '../../src/messaging/outbox/queue.ts'
import { newId } from '../../src/platform/validation/id.ts'
import type { TestService } from '../harness/harness.ts'
import { openOffice, pageTextOf, sendForm, submit, type Office } from '../harness/identity/people_pages.ts'
import { MAIL } from '../harness/messaging/outbox_scene.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let office: Office
before(async () => {
  service = await startSite({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Callout <callout@mail.example>' })
  office = await openOffice(service, 'Alder Plumbing')
})
after(() => service.stop())

const queue = async (outgoing: Partial<OutgoingMessage>): Promise<string> =>
  (
    await writeTenant(service.database, { tenant: office.id }, (db) =>
      queueMessage(db, { ...MAIL, by: office.owner.user_id, ...outgoing }),
    )
  ).id
const set = (id: string, state: string, reason: string | null = null, reply: string | null = null): Promise<number> =>
  writeTenant(service.database, { tenant: office.id }, (db) =>
    db.run(
      sql`update outbox set state = ${state}, reason = ${reason}, reply = ${reply} where tenant_id = ${office.id} and id = ${id}`,
    ),
  )
const page = async (...steps: string[]): Promise<string> =>
  pageTextOf(await office.browser.get(office.at('outbox', ...steps)))
const press = async (id: string, act: string): Promise<string> => {
  const at = office.at('outbox', id)
  const answered = await sendForm(office.browser, at, [['act', act]])
  return pageTextOf(answered.location === null ? answered : await office.browser.get(answered.location))
}

describe('the outbox', () => {
  it('lists messages with the reason for waiting, newest first, and shows a message in full', async () => {
    const { id: customer } = await office.customer('Ana', { email: 'ana@example.com' })
    const id = await queue({
      toName: 'Ana',
      subject: '<b>Invoice</b>',
      body: `First line\n${'x'.repeat(300)} end`,
      customerId: customer,
      about: { kind: 'customers', id: customer },
    })
    await set(id, 'queued', 'retry', '450 Greylisted')
    await queue({ to: 'ben@example.com', subject: 'Second', by: null })
    const list = await page()
    assert.match(
      list,
      /Second Email Waiting to be sent Automatic .*Ana ana@example\.com <b>Invoice<\/b> Email Waiting to be sent Next try .*: 450 Greylisted Ana Ruiz/,
    )
    assert.doesNotMatch(list, /Email is not sent|Nothing is sent/)
    assert.match(list, /Texts are not sent: no sender is set up/)
    const whole = await page(id)
    assert.match(whole, /x{300} end/)
    assert.match(whole, /Customer Ana About Customer Sent by Ana Ruiz/)
    assert.match(pageTextOf(await office.browser.get(office.at('messages'))), /Outbox/)
  })

  it("shows the reason for a failure in the reader's language", async () => {
    const id = await queue({ to: 'gone@example.com' })
    await set(id, 'failed', 'suppressed', 'gone@example.com is an address whose owner reported our mail as spam')
    assert.match(await page(id), /The owner of this address reported your mail as spam\./)
    await submit(office.browser, office.at('settings'), { language: 'es' }, office.at('settings', 'you'))
    assert.match(await page(id), /El dueño de esta dirección marcó su correo como no deseado\./)
    await submit(office.browser, office.at('settings'), { language: 'en' }, office.at('settings', 'you'))
  })

  it('filters by state', async () => {
    const id = await queue({ to: 'filter@example.com', subject: 'Filtered' })
    const shows = async (view: string): Promise<boolean> =>
      pageTextOf(await office.browser.get(`${office.at('outbox')}?view=${view}`)).includes('Filtered')
    for (const [state, view] of [
      ['queued', 'waiting'],
      ['uncertain', 'undecided'],
      ['held', 'undecided'],
      ['failed', 'failed'],
      ['delivered', 'sent'],
    ] as const) {
      await set(id, state)
      for (const one of ['waiting', 'undecided', 'failed', 'sent']) assert.equal(await shows(one), one === view, state)
    }
    assert.equal(await shows('nonsense'), true)
  })

  it('splits a long list into pages', async () => {
    for (let i = 0; i < 26; i++) await queue({ to: `many${i}@example.com`, subject: `Many ${i}` })
    const first = await office.browser.get(office.at('outbox'))
    const [, next] = /rel="next" href="([^"]+)"/.exec(first.text)!
    const second = pageTextOf(await office.browser.get(next!.replaceAll('&amp;', '&')))
    assert.ok(pageTextOf(first).includes('Many 25') && !pageTextOf(first).includes('Many 0 '))
    assert.ok(second.includes('Many 0 ') && !second.includes('Many 25'))
  })
})

describe('outbox actions', () => {
  it('cancel a queued message, but not one that is being sent', async () => {
    const id = await queue({ to: 'cancel@example.com' })
    assert.match(await press(id, 'cancel'), /The message was canceled\..*Canceled/)
    const going = await queue({ to: 'going@example.com' })
    await set(going, 'attempting')
    assert.match(await press(going, 'cancel'), /That didn't work This message is already on its way\./)
    assert.doesNotMatch(await page(going), /Cancel message|Send again|Mark as sent/)
  })

  it('mark an uncertain message as sent, or resend it under the same id', async () => {
    const [sent, again] = [await queue({ to: 'u1@example.com' }), await queue({ to: 'u2@example.com' })]
    await set(sent, 'uncertain', 'interrupted')
    await set(again, 'uncertain', 'no_answer', 'timeout')
    assert.match(await page(), /May have been sent The service stopped while sending it/)
    assert.match(await press(sent, 'sent'), /The message is marked as sent\..*Sent Marked as sent/)
    assert.match(await press(again, 'again'), /The message will be sent again\..*Waiting/)
    assert.deepEqual(
      (await office.entries(again)).map(({ tool, user_id }) => [tool, user_id]),
      [
        ['messages.send', office.owner.user_id],
        ['messages.decide', office.owner.user_id],
      ],
    )
    assert.match(await press(again, 'sent'), /You can mark a message as sent only while/)
  })

  it('resend a failed message as a new one, unless the recipient is suppressed', async () => {
    const id = await queue({ to: 'failed@example.com', subject: 'Try me' })
    await set(id, 'failed', 'refused', '550 No such user')
    assert.match(await page(id), /Failed Refused: 550 No such user/)
    const answered = await sendForm(office.browser, office.at('outbox', id), [['act', 'again']])
    assert.notEqual(answered.location, office.at('outbox', id))
    assert.match(pageTextOf(await office.browser.get(answered.location!)), /Waiting to be sent.*failed@example\.com/)
    await writeTenant(service.database, { tenant: office.id }, (db) =>
      db.run(sql`select suppress(${office.id}, 'email', array['failed@example.com'], 'bounced', '550 No such user')`),
    )
    assert.match(await press(id, 'again'), /That didn't work Mail to this address came back\./)
  })

  it('remove a suppressed email address, but not a STOP', async () => {
    await writeTenant(service.database, { tenant: office.id }, (db) =>
      db.run(
        sql`select suppress(${office.id}, 'sms', array['+16175550199'], 'stopped', null), suppress(${office.id}, 'email', array['gone@example.com'], 'bounced', '550 Gone')`,
      ),
    )
    const list = await page('suppressed')
    assert.match(list, /gone@example\.com Email bounced 550 Gone .* Remove/)
    assert.match(list, /\(617\) 555-0199 They replied STOP\./)
    const lift = (channel: string, address: string) =>
      sendForm(office.browser, office.at('outbox', 'suppressed'), [
        ['channel', channel],
        ['address', address],
      ])
    await lift('email', 'gone@example.com')
    await lift('sms', '+16175550199')
    const left = await page('suppressed')
    assert.ok(!left.includes('550 Gone') && left.includes('(617) 555-0199'))
  })

  it('change the limits, for an owner', async () => {
    const at = office.at('outbox', 'limits')
    const bad = await submit(office.browser, at, { emails_a_day: 'many', quiet_from: '25:00' })
    assert.equal(bad.status, 422)
    assert.match(pageTextOf(bad), /Enter a whole number up to 100,000\..*Enter a time, such as 21:00\./)
    const good = await submit(office.browser, at, { emails_a_day: '20', quiet_from: '20:30' })
    assert.equal(good.status, 303)
    assert.match((await office.browser.get(at)).text, /name="emails_a_day"[^>]* value="20"/)
  })

  it('require access to customers, write access to change them, and ownership for the limits', async () => {
    const id = await queue({ to: 'rights@example.com' })
    const technician = await office.signInMember('tech')
    for (const steps of [[], [id], ['suppressed']])
      assert.equal((await technician.browser.get(office.at('outbox', ...steps))).status, 200, steps.join('/'))
    assert.equal((await technician.browser.get(office.at('outbox', 'limits'))).status, 404)
    const blind = await office.signInMember('tech', { 'Customers & contacts': 'none' })
    for (const steps of [[], [id], ['suppressed'], ['limits']])
      assert.equal((await blind.browser.get(office.at('outbox', ...steps))).status, 404, steps.join('/'))
    assert.equal((await sendForm(technician.browser, office.at('outbox', id), [['act', 'cancel']])).status, 404)
    const looker = await office.signInMember('office', { 'Customers & contacts': 'view' })
    assert.equal((await looker.browser.get(office.at('outbox', id))).status, 200)
    assert.equal((await looker.browser.get(office.at('outbox', 'limits'))).status, 404)
    assert.equal((await sendForm(looker.browser, office.at('outbox', id), [['act', 'cancel']])).status, 404)
    assert.equal((await office.browser.get(office.at('outbox', newId()))).status, 404)
    assert.equal((await office.browser.get(office.at('outbox', '0'.repeat(36)))).status, 404)
  })
})
