import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { countSegments } from '../../src/messaging/outbox/segments.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { formAt, sendForm, submit } from '../harness/identity/people_pages.ts'
import { startSite, type BrowserResponse } from '../harness/web_client.ts'
import { SENDERS, openScene, type Scene } from './scene.ts'

let service: TestService
let scene: Scene
before(async () => {
  service = await startSite(SENDERS)
  scene = await openScene(service, 'Alder Plumbing')
})
after(() => service.stop())

const countIn = ({ text }: BrowserResponse): string => load(text)('text-parts').text()
const openFor = async ({ id }: Result, more: object = {}) => {
  const invoice = await scene.invoice(id, more)
  const page = scene.at('invoices', invoice.id, 'send')
  return { page, seen: await scene.browser.get(`${page}?by=sms`) }
}
/** Sends a text from its page and returns the queued body and its number of texts. */
async function sendText(page: string, seen: BrowserResponse, body: string): Promise<{ body: string; count: number }> {
  const fields = formAt(seen, page).map(([name, value]): [string, string] => [name, name === 'body' ? body : value])
  assert.equal((await sendForm(scene.browser, page, fields)).status, 303)
  const sent = (await scene.listQueued()).at(-1)!.body
  return { body: sent, count: countSegments(sent).count }
}

describe('the text count on the send page', () => {
  it('includes the opt-out hint for the first text to a number only', async () => {
    const dora = await scene.customer('Dora', { phone: '+1 617 555 0151' })
    const first = await openFor(dora)
    assert.match(
      countIn(first.seen),
      /“Reply STOP to opt out\.” is added, because it is the first text to this number\./,
    )
    const body = 'a'.repeat(150)
    const sent = await sendText(first.page, first.seen, body)
    assert.deepEqual(sent, { body: `${body}\nReply STOP to opt out.`, count: 2 })
    const second = await openFor(dora)
    assert.doesNotMatch(countIn(second.seen), /is added/)
    assert.deepEqual(await sendText(second.page, second.seen, `b${body}`), { body: `b${body}`, count: 1 })
  })

  it('matches the queued texts, for a new number and a known one', async () => {
    const eve = await scene.customer('Eve', { phone: '+1 617 555 0152' })
    const { page } = await openFor(eve)
    const readPreview = async (more: Record<string, string>): Promise<string> =>
      countIn(await submit(scene.browser, `${page}?by=sms`, { body: 'a'.repeat(150), seen: 'stale', ...more }, page))
    assert.match(await readPreview({}), /^Counts as 2 texts\. “Reply STOP/)
    assert.match(await readPreview({ body: `${'a'.repeat(130)} STOP ends this` }), /^Counts as one text\.$/)
    const opened = await scene.browser.get(`${page}?by=sms`)
    await sendText(page, opened, 'On our way.')
    assert.match(await readPreview({}), /^Counts as one text\.$/)
    assert.match(await readPreview({ to: 'other', other: '+16175550153' }), /^Counts as 2 texts\. “Reply STOP/)
  })

  it("shows the opt-out hint in the customer's language", async () => {
    const luz = await scene.customer('Luz', { phone: '+1 617 555 0154' }, { preferred_language: 'es' })
    assert.match(countIn((await openFor(luz)).seen), /“Responda ALTO para no recibir textos\.” is added/)
  })
})
