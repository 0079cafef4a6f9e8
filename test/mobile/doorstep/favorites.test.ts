import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result } from '../../harness/harness.ts'
import { fieldEvent, phoneOf, type Phone } from '../../harness/messaging/phones.ts'
import { openAtWork, type AtWork } from '../at_work.ts'

let work: AtWork
let items: Result[]
before(async () => {
  work = await openAtWork()
  items = await Promise.all(
    ['Anode', 'Bracket', 'Coupling', 'Drain'].map((name) =>
      work.office.call('catalog_items_create', { kind: 'product', name, unit_price_cents: 2_500 }),
    ),
  )
})
after(() => work.service.stop())

const readCatalog = async (phone: Phone): Promise<[string, boolean][]> =>
  ((await phone.day())['catalog'] as Result[]).map(({ name, favorite }) => [name, favorite === true])
const part = (job: Result, at: number, favorite?: unknown): Result =>
  fieldEvent('part', job, {
    catalog_item_id: items[at]!['id'],
    quantity: 1,
    ...(favorite !== undefined && { favorite }),
  })
const outcomes = ({ body }: { body: Result }): string[] => (body['acts'] as Result[]).map(({ outcome }) => outcome)

describe('favorite catalog items', () => {
  it("are listed first on their user's phone only, and are set and unset once if sent again", async () => {
    const { office, service, luis, book, jobNow } = work
    const other = await office.signInMember('tech')
    const eva = phoneOf(service, office, other.user_id, other.browser)
    const job = await book()
    const version = (await luis.day())['catalog_version']
    const sent = [part(job, 3, true), part(job, 1)]
    for (let i = 0; i < 3; i++) assert.deepEqual(outcomes(await luis.send(sent)), ['done', 'done'])
    assert.deepEqual(
      (await jobNow(job)).line_items.map(({ name }: Result) => name),
      ['Drain', 'Bracket'],
    )
    assert.deepEqual(await readCatalog(luis), [
      ['Drain', true],
      ['Bracket', false],
      ['Anode', false],
      ['Coupling', false],
    ])
    assert.notEqual((await luis.day())['catalog_version'], version)
    assert.deepEqual(
      (await readCatalog(eva)).filter(([, favorite]) => favorite),
      [],
    )
    await luis.send([part(job, 3, true), part(job, 2, true)])
    assert.deepEqual(
      (await readCatalog(luis))
        .slice(0, 2)
        .map(([name]) => name)
        .sort(),
      ['Coupling', 'Drain'],
    )
    const drop = part(job, 3, false)
    await luis.send([drop])
    await luis.send([part(job, 3, true)])
    assert.deepEqual(outcomes(await luis.send([drop])), ['done'], 'an old event changes nothing again')
    assert.equal((await readCatalog(luis)).filter(([, favorite]) => favorite).length, 2)
  })

  it('are saved with the part or not at all', async () => {
    const { office, luis, book } = work
    const job = await book()
    assert.deepEqual(outcomes(await luis.send([part(job, 0, 'yes')])), ['refused'])
    const gone = items[0]!
    await office.call('catalog_items_archive', { id: gone['id'] })
    assert.deepEqual(outcomes(await luis.send([part(job, 0, true)])), ['refused'])
    assert.equal(
      (await readCatalog(luis)).some(([name]) => name === gone['name']),
      false,
    )
  })
})
