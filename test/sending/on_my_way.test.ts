import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../harness/harness.ts'
import { formAt, pageTextOf, sendForm } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { SENDERS, openScene, type Queued, type Scene } from './scene.ts'

let service: TestService
let scene: Scene
let dora: Result
before(async () => {
  service = await startSite(SENDERS)
  scene = await openScene(service, 'Alder Plumbing')
  dora = await scene.customer('Dora')
})
after(() => service.stop())

const of = async (id: string): Promise<Queued[]> => (await scene.listQueued()).filter(({ about_id }) => about_id === id)
const status = async (id: string): Promise<string> => (await scene.call('jobs_get', { id })).status
const visit = (more: object = {}): Promise<Result> =>
  scene.call('jobs_create', { customer_id: dora.id, title: 'Drain', scheduled_start: '2027-03-05T09:00', ...more })

describe('on my way', () => {
  it('shows the text, sends it with the minutes and sets the status', async () => {
    const { user_id, browser } = await scene.signInMember('tech')
    const { id } = await visit({ assignees: [user_id] })
    const page = scene.at('jobs', id, 'on-my-way')
    assert.match((await browser.get(scene.at('jobs', id))).text, new RegExp(`href="${page}"`))
    const opened = await browser.get(page)
    assert.match(
      pageTextOf(opened),
      /\(617\) 555-0142 : Hi Dora, Alder Plumbing is on the way \(Leo Park\) and should be with you in about … minutes\./,
    )
    const sent = await sendForm(browser, page, [...formAt(opened, page), ['minutes', '45']])
    assert.equal(sent.location, scene.at('jobs', id))
    assert.match(pageTextOf(await browser.get(sent.location)), /the customer gets a text: about 45 minutes/)
    assert.equal(await status(id), 'en_route')
    const [message, ...more] = await of(id)
    assert.equal(more.length, 0)
    assert.deepEqual([message!.channel, message!.cause, message!.recipient], ['sms', 'on_my_way', '+16175550142'])
    assert.match(message!.body, /^Hi Dora, Alder Plumbing .*Leo Park.* in about 45 minutes\.\nReply STOP to opt out\.$/)
    const entries = await scene.entries(id)
    assert.ok(
      entries.some(
        ({ tool, changed, user_id: by }) =>
          tool === 'jobs.update' && changed['status']?.[1] === 'en_route' && by === user_id,
      ),
    )
  })

  it('sends one text for two concurrent submissions', async () => {
    const { id } = await visit()
    const page = scene.at('jobs', id, 'on-my-way')
    const form: [string, string][] = [...formAt(await scene.browser.get(page), page), ['minutes', '15']]
    await Promise.all([sendForm(scene.browser, page, form), sendForm(scene.browser, page, form)])
    assert.equal((await of(id)).length, 1)
  })

  it('sends no text without minutes or to an opted-out customer, and says so before', async () => {
    const { id } = await visit()
    const page = scene.at('jobs', id, 'on-my-way')
    const form = formAt(await scene.browser.get(page), page)
    assert.equal((await sendForm(scene.browser, page, [...form, ['minutes', 'none']])).status, 303)
    assert.deepEqual([await status(id), await of(id)], ['en_route', []])
    const rita = await scene.customer('Rita', { sms_opt_out: true, phone: '+1 617 555 0188' })
    const { id: hers } = await visit({ customer_id: rita.id })
    const hersPage = scene.at('jobs', hers, 'on-my-way')
    const opened = await scene.browser.get(hersPage)
    assert.match(pageTextOf(opened), /The customer doesn’t want texts\. Only the status of the visit changes\./)
    const refused = await sendForm(scene.browser, hersPage, [...formAt(opened, hersPage), ['minutes', '30']])
    assert.equal(refused.status, 409)
    assert.deepEqual([await status(hers), await of(hers)], ['scheduled', []])
    assert.equal((await sendForm(scene.browser, hersPage, formAt(refused, hersPage))).status, 303)
    assert.deepEqual([await status(hers), await of(hers)], ['en_route', []])
  })

  it('is refused for a visit that is canceled or done', async () => {
    const [{ id: done }, { id: canceled }] = [await visit(), await visit()]
    await scene.call('jobs_update', { id: done, status: 'done' })
    await scene.call('jobs_cancel', { id: canceled })
    for (const [id, words] of [
      [done, /has already started/],
      [canceled, /the visit is canceled\./],
    ] as const) {
      const refused = await scene.browser.post(scene.at('jobs', id, 'on-my-way'), { minutes: '15' })
      assert.equal(refused.status, 409)
      assert.match(pageTextOf(refused), words)
      assert.deepEqual(await of(id), [])
    }
  })

  it("returns 404 to members who can't change visits", async () => {
    const { id } = await visit()
    const { browser } = await scene.signInMember('office', { 'Jobs & scheduling': 'view' })
    assert.equal((await browser.get(scene.at('jobs', id, 'on-my-way'))).status, 404)
    assert.equal((await browser.post(scene.at('jobs', id, 'on-my-way'), { minutes: '15' })).status, 404)
    assert.equal(await status(id), 'scheduled')
  })
})
