import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pageTextOf, submit } from '../../harness/identity/people_pages.ts'
import { march, openReminderScene, type ReminderScene } from './reminder_scene.ts'

let { service, begin, workAt, stop } = {} as ReminderScene
before(async () => void ({ service, begin, workAt, stop } = await openReminderScene()))
after(() => stop())

describe('the recipient of a reminder', () => {
  it('is skipped if excluded, opted out or unreachable, with the reason in the log', async () => {
    const { scene, abouts, logPage } = await begin('Gum Plumbing', {
      invoice_on_off: 'yes',
      invoice_hour: '10',
      invoice_on: 'yes',
    })
    const [excluded, refusing, unreachable, gone] = [
      await scene.customer('Eva', { phone: null }),
      await scene.customer('Rita', { email_opt_out: true }),
      await scene.customer('Nils', { email: null, phone: null }),
      await scene.customer('Gus'),
    ]
    for (const customer of [excluded, refusing, unreachable, gone]) {
      const invoice = await scene.invoice(customer.id, {
        issue_date: march(1).toString(),
        due_date: march(20).toString(),
      })
      await scene.call('invoices_update', { id: invoice.id, status: 'sent' })
    }
    const at = scene.at('customers', excluded.id)
    const stopped = await submit(scene.browser, at, {}, `${at}/reminders`)
    assert.equal(stopped.status, 303)
    assert.match(pageTextOf(await scene.browser.get(at)), /Reminders This customer gets none\./)
    await scene.call('customers_archive', { id: gone.id })
    await workAt(march(20), '10:00')
    assert.deepEqual(await abouts(), [])
    const log = await logPage()
    for (const part of [
      /Eva Vance due Mar 20, \d{4} Left out The customer gets no reminders\./,
      /Rita Vance due Mar 20, \d{4} Left out They opted out/,
      /Nils Vance due Mar 20, \d{4} Left out There is no address to write to\./,
    ])
      assert.match(log, part)
    assert.doesNotMatch(log, /Gus/)
  })

  it('stays excluded when merged into another customer', async () => {
    const { scene, dora } = await begin('Hazel Plumbing', {})
    const twin = await scene.customer('Dora', { email: 'twin@example.com' })
    await scene.browser.post(scene.at('customers', twin.id, 'reminders'), { excluded: 'yes' })
    await submit(
      scene.browser,
      `${scene.at('customers', twin.id, 'merge')}?with=${dora.id}`,
      { keep: dora.id },
      scene.at('customers', twin.id, 'merge'),
    )
    assert.match(
      pageTextOf(await scene.browser.get(scene.at('customers', dora.id))),
      /Reminders This customer gets none\./,
    )
  })

  it('is reached by the other channel if the first has no sender, and not at all without any', async () => {
    const { scene, makeSentInvoice, abouts, logPage } = await begin('Ivy Plumbing', {
      invoice_on_off: 'yes',
      invoice_hour: '10',
      invoice_on: 'yes',
      invoice_before: '',
      invoice_channel: 'email',
    })
    const { id } = await makeSentInvoice(march(20))
    const later = await makeSentInvoice(march(22))
    const texting = { ...service.config, mailServer: null }
    await workAt(march(20), '10:00', texting)
    assert.deepEqual(
      (await scene.listQueued()).map(({ channel, about_id }) => [channel, about_id]),
      [['sms', id]],
    )
    await workAt(march(22), '10:00', { ...texting, smsAccount: null, smsFrom: null })
    assert.ok(!(await abouts()).includes(later.id))
    assert.match(await logPage(), /Left out No sender is set up\./)
  })
})
