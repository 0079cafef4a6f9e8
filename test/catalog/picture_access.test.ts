import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { sql } from '../../src/platform/db/tenant.ts'
import { pngOf } from '../browser/harness/png.ts'
import { openPortalScene, type PortalScene } from '../customer_portal/portal_scene.ts'
import { copyPicturesFrom, fetchBytes } from '../harness/files/catalog_pictures.ts'
import type { Result } from '../harness/harness.ts'
import { phoneOf, type Phone } from '../harness/messaging/phones.ts'

const PICTURE = pngOf(40, 30, [200, 0, 0])

let portal: PortalScene
let luis: Phone
before(async () => {
  portal = await openPortalScene()
  const { user_id, browser } = await portal.office.signInMember('tech')
  luis = phoneOf(portal.service, portal.office, user_id, browser)
})
after(() => portal.service.stop())

const add = (name: string): Promise<Result> =>
  portal.office.call('catalog_items_create', {
    name,
    kind: 'product',
    unit_price_cents: 4_250,
    image_url: `https://client.test/${name}.png`,
  })
const pictureOf = async (item: Result): Promise<string> =>
  (
    await portal.all<{ picture_id: string }>(sql`select picture_id from catalog_pictures
      where tenant_id = ${portal.office.id} and item_id = ${item['id']}`)
  )[0]!.picture_id
const bytesOf = (phone: Phone, id: string) => fetchBytes(portal.service, phone.at(`pictures/${id}`), phone.browser.jar)

describe('the copy of a catalog item picture', () => {
  it('is served only to members of its company with catalog access', async () => {
    const item = await add('Pump')
    await copyPicturesFrom(portal.service, portal.office.id, PICTURE)
    const id = await pictureOf(item)
    const { user_id, browser } = await portal.office.signInMember('tech', { 'Catalog & pricing': 'none' })
    const blind = phoneOf(portal.service, portal.office, user_id, browser)
    assert.equal((await bytesOf(blind, id)).status, 403)
    assert.ok(!JSON.stringify(await blind.day()).includes(id))
    assert.equal((await fetchBytes(portal.service, luis.at(`pictures/${id}`))).status, 401)
    const other = await openPortalScene({}, portal.service)
    const theirs = await other.office.signInMember('owner')
    const stranger = phoneOf(portal.service, other.office, theirs.user_id, theirs.browser)
    assert.equal((await bytesOf(stranger, id)).status, 404)
    const { path } = await other.quoteLink()
    assert.equal((await portal.browser().get(`${path}/pictures/${id}`)).status, 404)
  })

  it("is shown from our copy on the customer's quote options, and omitted without one", async () => {
    const item = await add('Heater')
    await copyPicturesFrom(portal.service, portal.office.id, PICTURE)
    const bare = await add('Plain')
    const good = await portal.quote(
      { title: 'Good', line_items: [{ catalog_item_id: item['id'], quantity: 1 }] },
      'draft',
    )
    const { location } = await portal.office.browser.post(
      portal.office.at('quotes', String(good['id']), 'do', 'quotes_add_option'),
      {},
    )
    const copy = location?.split('/').at(-1)?.split('?')[0] ?? ''
    await portal.office.call('quotes_update', {
      id: copy,
      title: 'Plain',
      line_items: [{ catalog_item_id: bare['id'], quantity: 1 }],
    })
    for (const id of [good['id'], copy]) await portal.office.call('quotes_update', { id, status: 'sent' })
    const path = await portal.issue({ kind: 'quotes', id: String(good['id']) })
    const page = await portal.browser().get(path)
    assert.match(String(page.headers.get('content-security-policy')), /img-src 'self';/)
    const pictures = load(page.text)('img')
      .toArray()
      .map((img) => img.attribs['src'])
    assert.deepEqual(pictures, [`${path}/pictures/${await pictureOf(item)}`])
    const sent = await fetchBytes(portal.service, String(pictures[0]))
    assert.deepEqual([sent.status, sent.bytes, sent.headers.get('referrer-policy')], [200, PICTURE, 'no-referrer'])
    assert.equal((await portal.browser().get(`${path}/pictures/${String(item['id'])}`)).status, 404)
  })
})
