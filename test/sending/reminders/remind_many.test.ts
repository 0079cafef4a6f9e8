import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { todayIn } from '../../../src/platform/validation/formats/instants.ts'
import type { TestService } from '../../harness/harness.ts'
import { followRedirects, pageTextOf, submit } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'
import { SENDERS, openScene, type Scene } from '../scene.ts'

let service: TestService
let scene: Scene
before(async () => {
  service = await startSite(SENDERS)
  scene = await openScene(service, 'Alder Plumbing')
})
after(() => service.stop())

const day = (days: number): string => todayIn('America/New_York').add({ days }).toString()

/** Makes a customer's sent invoice, due `days` days from today. */
async function makeInvoice(
  customer: string,
  days: number,
  status = 'sent',
): Promise<{ id: string; display_number: string }> {
  const made = await scene.invoice(customer, { issue_date: day(-40), due_date: day(days) })
  if (status !== 'draft') await scene.call('invoices_update', { id: made['id'], status })
  return made as never
}

const remindPage = (...ids: string[]): string => `${scene.at('invoices', 'remind')}?ids=${ids.join(',')}`

describe('reminders for selected invoices', () => {
  it('are previewed, use the template for each due date and record who sent them', async () => {
    const [ana, ben] = [await scene.customer('Ana'), await scene.customer('Ben', { email: null })]
    const [late, today, soon] = [
      await makeInvoice(ana.id, -5),
      await makeInvoice(ana.id, 0),
      await makeInvoice(ben.id, 5),
    ]
    const list = await scene.browser.get(scene.at('invoices'))
    assert.match(list.text, /<button[^>]*name="act" value="remind"/)
    const chosen = await scene.browser.post(scene.at('invoices', 'bulk'), {
      act: 'remind',
      ids: [late.id, today.id, soon.id].join(','),
    })
    assert.equal(chosen.location, remindPage(late.id, today.id, soon.id))
    const page = await scene.browser.get(chosen.location!)
    assert.match(pageTextOf(page), /Send 3 reminders\?.*ana@example\.com.*ana@example\.com.*\(617\) 555-0142/)
    const before = (await scene.listQueued()).length
    assert.equal(before, 0)
    const sent = await submit(scene.browser, chosen.location!, {}, scene.at('invoices', 'remind'))
    assert.match(pageTextOf(await followRedirects(scene.browser, sent)), /3 reminders are on their way\./)
    const queued = await scene.listQueued()
    assert.deepEqual(
      queued.map(({ about_id, channel, cause }) => [about_id, channel, cause]),
      [
        [late.id, 'email', 'reminder'],
        [today.id, 'email', 'reminder'],
        [soon.id, 'sms', 'reminder'],
      ],
    )
    assert.match(queued[0]!.subject!, /past due/)
    assert.match(queued[1]!.subject!, /due today/)
    assert.match(queued[2]!.body, /a reminder that invoice/)
    assert.match(pageTextOf(await scene.browser.get(scene.at('invoices', late.id))), /Reminder, by Ana Ruiz/)
  })

  it('are sent once for repeated submissions', async () => {
    const { id } = await makeInvoice((await scene.customer('Cora')).id, -3)
    const page = await scene.browser.get(remindPage(id))
    const key = /name="idempotency_key" value="([^"]+)"/.exec(page.text)![1]!
    const before = (await scene.listQueued()).length
    await Promise.all(
      [1, 2, 3].map(async () =>
        followRedirects(
          scene.browser,
          await scene.browser.post(scene.at('invoices', 'remind'), { idempotency_key: key, ids: id }),
        ),
      ),
    )
    assert.equal((await scene.listQueued()).length, before + 1)
  })

  it("skip invoices not owed and customers who can't be reached, and show the reason", async () => {
    const [dora, eve, flo] = [
      await scene.customer('Dora'),
      await scene.customer('Eve', { email_opt_out: true, phone: null }),
      await scene.customer('Flo', { email: null, phone: null }),
    ]
    const [draft, optedOut, nowhere] = [
      await makeInvoice(dora.id, -1, 'draft'),
      await makeInvoice(eve.id, -1),
      await makeInvoice(flo.id, -1),
    ]
    const excluded = await makeInvoice((await scene.customer('Gus')).id, -1)
    await writeTenant(service.database, { tenant: scene.id }, (db) =>
      db.run(sql`insert into reminder_exclusions (tenant_id, customer_id)
        select tenant_id, customer_id from invoices where tenant_id = ${db.tenant} and id = ${excluded.id}`),
    )
    const all = [draft.id, optedOut.id, nowhere.id, excluded.id]
    const page = await scene.browser.get(remindPage(...all, '019b0000-0000-7000-8000-000000000000', 'x'))
    assert.match(
      pageTextOf(page),
      /No reminder can be sent.*Nothing is owed on it.*They opted out.*There is no address.*The customer gets no reminders/,
    )
    assert.doesNotMatch(page.text, />Send<\/button>/)
    const before = (await scene.listQueued()).length
    const sent = await scene.browser.post(scene.at('invoices', 'remind'), { ids: all.join(',') })
    assert.match(
      pageTextOf(await followRedirects(scene.browser, sent)),
      /0 reminders are on their way\. 4 were left out\./,
    )
    assert.equal((await scene.listQueued()).length, before)
  })

  it("return 404 to members who can't send invoices", async () => {
    const { id } = await makeInvoice((await scene.customer('Hal')).id, -1)
    for (const areas of [{ Invoices: 'view' }, { 'Customers & contacts': 'none' }] as const) {
      const { browser } = await scene.signInMember('office', areas)
      assert.equal((await browser.get(remindPage(id))).status, 404)
      assert.equal((await browser.post(scene.at('invoices', 'remind'), { ids: id })).status, 404)
      assert.doesNotMatch((await browser.get(scene.at('invoices'))).text, /value="remind"/)
    }
  })
})
