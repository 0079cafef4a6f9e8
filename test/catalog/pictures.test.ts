import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { pino } from 'pino'
import { isPublic } from '../../src/identity/public_addresses.ts'
import type { Network } from '../../src/identity/public_request.ts'
import { pictureFetcher } from '../../src/files/catalog_pictures.ts'
import { openStorage } from '../../src/platform/storage/open_storage.ts'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { configurableTasks } from '../../src/worker/configurable_tasks.ts'
import { enrollAll, runDue } from '../../src/worker/worker.ts'
import { pngOf } from '../browser/harness/png.ts'
import { openPortalScene, type PortalScene } from '../customer_portal/portal_scene.ts'
import { certificate, privateKey } from '../harness/identity/client_certificate.ts'
import type { Result } from '../harness/harness.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { copyPicturesFrom, fetchBytes } from '../harness/files/catalog_pictures.ts'
import { phoneOf, type Phone } from '../harness/messaging/phones.ts'

const KB = 1_024
const [RED, BLUE] = [pngOf(40, 30, [200, 0, 0]), pngOf(40, 30, [0, 0, 200])]

type Answer = (req: IncomingMessage, res: ServerResponse) => unknown

let portal: PortalScene
let luis: Phone
let answer: Answer
let asked: string[]
let port: number
/** Hours that the worker's clock is ahead, so that each run is later than the last. */
let ahead = 0
const server = createServer({ cert: certificate, key: privateKey }, (req, res) => {
  asked.push(req.url ?? '')
  answer(req, res)
})
before(async () => {
  portal = await openPortalScene()
  const { user_id, browser } = await portal.office.signInMember('tech')
  luis = phoneOf(portal.service, portal.office, user_id, browser)
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  port = (server.address() as AddressInfo).port
})
after(async () => {
  server.closeAllConnections()
  server.close()
  await portal.service.stop()
})
beforeEach(() => {
  asked = []
  answer = picture
})

const send =
  (bytes: Buffer, headers: Record<string, string> = {}): Answer =>
  (_req, res) =>
    res.writeHead(200, { 'content-type': 'image/png', ...headers }).end(bytes)
const picture = send(RED)
const at = (path: string, host = 'client.test'): string => `https://${host}:${port}${path}`
const nearby: Network = {
  resolve: async (host) => [host === 'inner.test' ? '10.0.0.1' : '127.0.0.1'],
  isAllowed: (address) => address === '127.0.0.1' || isPublic(address),
  ca: certificate,
}

const add = (name: string, image_url: string): Promise<Result> =>
  portal.office.call('catalog_items_create', { name, kind: 'product', unit_price_cents: 4_250, image_url })
const change = (item: Result, fields: object): Promise<Result> =>
  portal.office.call('catalog_items_update', { id: item['id'], ...fields })

/** Runs the waiting tasks as the worker would some hours later. */
async function work({ hours = 1, network = nearby } = {}): Promise<void> {
  ahead += hours
  const context = {
    database: portal.service.database,
    log: pino({ level: 'silent' }),
    clock: () => Temporal.Now.instant().add({ hours: ahead }),
    stopping: new AbortController().signal,
  }
  const tasks = configurableTasks(portal.service.config, portal.service.database, { network }).filter(({ name }) =>
    ['catalog_pictures', 'file_removals'].includes(name),
  )
  await enrollAll(context, tasks)
  await runDue(context, tasks)
  await runDue(context, tasks)
}

type Copy = { picture_id: string | null; storage_key: string | null; source_url: string; tries: number }
const copyOf = async (item: Result): Promise<Copy | undefined> =>
  (
    await portal.all<Copy>(sql`select picture_id, storage_key, source_url, tries from catalog_pictures
      where tenant_id = ${portal.office.id} and item_id = ${item['id']}`)
  )[0]
/** Moves the attempts for an image URL back by some days. */
const passDays = (item: Result, days = 1): Promise<number> =>
  writeTenant(portal.service.database, { tenant: portal.office.id }, (db) =>
    db.run(sql`update catalog_pictures set tried_at = tried_at - make_interval(days => ${days})
      where tenant_id = ${portal.office.id} and item_id = ${item['id']}`),
  )
/** Returns when the worker checks pictures next. */
const nextRun = async (): Promise<string | undefined> =>
  (
    await portal.all<{ due_at: string }>(sql`select due_at from chore_leases
      where tenant_id = ${portal.office.id} and chore = 'catalog_pictures'`)
  )[0]?.due_at
const onPhone = async (item: Result): Promise<string | undefined> =>
  ((await luis.day())['catalog'] as Result[]).find(({ id }) => id === item['id'])?.['picture']
const bytesOf = (phone: Phone, id: unknown) =>
  fetchBytes(portal.service, phone.at(`pictures/${String(id)}`), phone.browser.jar)

describe('a catalog item picture', () => {
  it('is fetched once per URL and served unchanged to members with catalog access', async () => {
    const item = await add('Valve', at('/valve.png'))
    assert.equal(await onPhone(item), undefined)
    await work()
    await work()
    assert.deepEqual(asked, ['/valve.png'])
    const copy = await copyOf(item)
    assert.equal(await onPhone(item), copy?.picture_id)
    const { status, headers, bytes } = await bytesOf(luis, copy?.picture_id)
    assert.deepEqual([status, headers.get('content-type'), bytes], [200, 'image/png', RED])
    assert.deepEqual(
      ['cache-control', 'content-security-policy', 'x-content-type-options'].map((name) => headers.get(name)),
      ['no-store', "default-src 'none'; sandbox", 'nosniff'],
    )
    const planned = await nextRun()
    assert.ok(planned)
    await change(item, { name: 'Ball valve' })
    await change(item, { unit_price_cents: 4_300, image_url: at('/valve.png') })
    assert.equal(await nextRun(), planned, 'the same address is no reason to look')
    await work()
    assert.deepEqual(asked, ['/valve.png'])
    await change(item, { image_url: at('/other.png') })
    assert.notEqual(await nextRun(), planned)
  })

  it('is rechecked weekly with ETag or Last-Modified, replaced if it changed, and kept if the site fails', async () => {
    const item = await add('Sink', at('/sink.png'))
    const conditions: unknown[][] = []
    let [bytes, version] = [RED, { etag: '"1"' } as Record<string, string>]
    answer = (req, res) => {
      if (req.url !== '/sink.png') return picture(req, res)
      const [match, since] = [req.headers['if-none-match'], req.headers['if-modified-since']]
      conditions.push([match, since])
      const isSame =
        match === undefined ? since !== undefined && since === version['last-modified'] : match === version['etag']
      return isSame ? res.writeHead(304).end() : send(bytes, version)(req, res)
    }
    await work()
    const first = await copyOf(item)
    await passDays(item, 6)
    await work({ hours: 25 })
    assert.deepEqual(conditions, [[undefined, undefined]], 'not within a week')
    const nextWeek = async (): Promise<Copy | undefined> => {
      await passDays(item, 8)
      await work({ hours: 25 })
      return copyOf(item)
    }
    assert.deepEqual(await nextWeek(), first)
    version = { 'last-modified': 'Wed, 25 Nov 2026 08:00:00 GMT' }
    assert.deepEqual(await nextWeek(), first, 'the same bytes under another version')
    assert.deepEqual(await nextWeek(), first)
    version = { etag: 'x'.repeat(201) }
    bytes = BLUE
    const second = await nextWeek()
    assert.notEqual(second?.picture_id, first?.picture_id)
    assert.equal(await onPhone(item), second?.picture_id)
    assert.deepEqual((await bytesOf(luis, second?.picture_id)).bytes, BLUE)
    assert.equal(await openStorage(portal.service.config.storage).get(String(first?.storage_key)), undefined)
    assert.deepEqual(await nextWeek(), second)
    const wrong: Answer[] = [
      (_req, res) => res.writeHead(404).end(),
      (_req, res) => res.writeHead(304).end(),
      send(Buffer.from('<html>sold</html>')),
      send(Buffer.alloc(600 * KB)),
    ]
    for (const one of wrong) {
      answer = one
      assert.deepEqual(await nextWeek(), second, 'a copy outlives its site')
    }
    assert.deepEqual(conditions, [
      [undefined, undefined],
      ['"1"', undefined],
      ['"1"', undefined],
      [undefined, 'Wed, 25 Nov 2026 08:00:00 GMT'],
      [undefined, 'Wed, 25 Nov 2026 08:00:00 GMT'],
      [undefined, undefined],
    ])
  })

  it('is removed at once when its URL changes, fetched again, and the old copy deleted from storage', async () => {
    const item = await add('Tap', at('/red.png'))
    await work()
    const before = await copyOf(item)
    await change(item, { image_url: at('/blue.png') })
    assert.equal(await onPhone(item), undefined)
    answer = send(BLUE)
    await work()
    const after = await copyOf(item)
    assert.notEqual(after?.picture_id, before?.picture_id)
    assert.deepEqual((await bytesOf(luis, after?.picture_id)).bytes, BLUE)
    assert.equal((await bytesOf(luis, before?.picture_id)).status, 404)
    const storage = openStorage(portal.service.config.storage)
    assert.equal(await storage.get(String(before?.storage_key)), undefined)
    await change(item, { image_url: null })
    assert.equal(await onPhone(item), undefined)
    await work({ hours: 25 })
    assert.equal(await copyOf(item), undefined)
    assert.equal(await storage.get(String(after?.storage_key)), undefined)
  })

  it('is omitted if invalid or unreachable, without blocking others, and retried up to five times', async () => {
    const wrong: Answer[] = [
      send(Buffer.from('<html>not a picture</html>')),
      send(RED.subarray(0, 60)),
      send(pngOf(4_001, 1, [0, 0, 0])),
      send(RED, { 'content-length': String(512 * KB + 1) }),
      (_req, res) => res.writeHead(200).end(Buffer.alloc(600 * KB)),
      (_req, res) => res.writeHead(404).end(),
      (_req, res) => res.writeHead(302, { location: at('/', 'inner.test') }).end(),
      (_req, res) => res.writeHead(302, { location: `https://127.0.0.1:${port}/` }).end(),
      (_req, res) => res.writeHead(302, { location: 'http://client.test/plain' }).end(),
      (_req, res) => res.writeHead(302, { location: at('/wrong/9') }).end(),
      (_req, res) => res.destroy(),
    ]
    const items: Result[] = []
    for (const [i] of wrong.entries()) items.push(await add(`Wrong ${i}`, at(`/wrong/${i}`)))
    items.push(await add('Inner', at('/inner', 'inner.test')), await add('Number', `https://127.0.0.1:${port}/number`))
    const good = await add('Zinc', at('/good'))
    answer = (req, res) => (wrong[Number(/^\/wrong\/(\d+)/.exec(req.url ?? '')?.[1] ?? NaN)] ?? picture)(req, res)
    await work()
    assert.ok(!asked.includes('/inner') && !asked.includes('/number') && !asked.includes('/'), asked.join())
    assert.ok((await copyOf(good))?.picture_id)
    for (const item of items) {
      const copy = await copyOf(item)
      assert.deepEqual([copy?.picture_id, copy?.tries], [null, 1], item['name'])
      assert.equal(await onPhone(item), undefined)
    }
    const pageOf = async (item: Result): Promise<string> =>
      pageTextOf(await portal.office.browser.get(portal.office.at('catalog_items', String(item['id']))))
    const hint = 'Phones and quotes can’t show it. Use a PNG or JPEG up to 512 KB.'
    const [first] = items as [Result]
    assert.ok((await pageOf(first)).includes(hint))
    assert.ok(!(await pageOf(good)).includes(hint))
    for (let i = 2; i <= 7; i++) {
      await work({ hours: 25 })
      assert.equal((await copyOf(first))?.tries, Math.min(i - 1, 5), 'within a day')
      await passDays(first)
      await work({ hours: 25 })
      assert.equal((await copyOf(first))?.tries, Math.min(i, 5))
    }
    await change(first, { image_url: at('/right') })
    await work()
    assert.ok((await copyOf(first))?.picture_id)
  })

  it('is fetched in batches of twenty per run', async () => {
    for (let i = 0; i < 41; i++) await add(`Part ${i}`, at(`/part-${i}.png`))
    await copyPicturesFrom(portal.service, portal.office.id, RED)
    const countPictures = async (): Promise<number> =>
      (
        await portal.all(sql`select 1 from catalog_pictures p join catalog_items i on i.tenant_id = p.tenant_id
          and i.id = p.item_id where p.tenant_id = ${portal.office.id} and i.name like 'Part %'`)
      ).length
    assert.equal(await countPictures(), 20)
    await work()
    assert.equal(await countPictures(), 41)
    const waiting = async (): Promise<number> =>
      (
        await portal.all(sql`select 1 from catalog_pictures where tenant_id = ${portal.office.id}
          and tried_at < moment() - interval '7 days'`)
      ).length
    await writeTenant(portal.service.database, { tenant: portal.office.id }, (db) =>
      db.run(sql`update catalog_pictures p set tried_at = tried_at - interval '8 days'
        from catalog_items i where i.tenant_id = ${portal.office.id} and i.id = p.item_id and i.name like 'Part %'
          and p.tenant_id = ${portal.office.id}`),
    )
    assert.equal(await waiting(), 41)
    await copyPicturesFrom(portal.service, portal.office.id, RED)
    assert.equal(await waiting(), 21, 'looks come in turns too')
    await work()
    assert.equal(await waiting(), 0)
  })

  it('is given up if the server never finishes', async () => {
    answer = (_req, res) => {
      res.writeHead(200).write(RED.subarray(0, 20))
    }
    await assert.rejects(pictureFetcher(nearby, 500)(at('/slow'), null))
    assert.deepEqual(asked, ['/slow'])
  })
})
