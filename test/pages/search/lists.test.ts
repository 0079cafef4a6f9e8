import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { screens } from '../../../src/records/screens.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { openOffice, pageTextOf, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, newBrowser, type Browser, type BrowserResponse } from '../../harness/web_client.ts'

let service: TestService
let office: Office
let customer: Result
let job: Result
let tag: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  customer = await office.customer('Dora', { last_name: 'Vance' })
  job = await office.call('jobs_create', {
    customer_id: customer.id,
    title: 'Boiler visit',
    scheduled_start: '2027-03-01T09:00',
  })
  tag = await office.call('tags_create', { name: 'Key' })
})
after(() => service.stop())

const linkOf = ({ text }: BrowserResponse, rel: 'prev' | 'next'): string | undefined =>
  new RegExp(`rel="${rel}" href="([^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&')
const rowsOf = ({ text }: BrowserResponse, entity: string): string[] => [
  ...new Set([...text.matchAll(new RegExp(`/${entity}/([0-9a-f-]{36})"`, 'g'))].map(([, id]) => id!)),
]

/** Returns all pages of a list and the IDs on them. */
async function walk(path: string, entity: string): Promise<{ pages: BrowserResponse[]; ids: string[] }> {
  const pages = [await office.browser.get(path)]
  for (let next = linkOf(pages[0]!, 'next'); next !== undefined; next = linkOf(pages.at(-1)!, 'next'))
    pages.push(await office.browser.get(next))
  return { pages, ids: pages.flatMap((page) => rowsOf(page, entity)) }
}

describe('a list', () => {
  it('is paged forward and back with its filters', async () => {
    await Promise.all(
      Array.from({ length: 55 }, (_, i) => office.call('tags_create', { name: `Zone ${String(i).padStart(2, '0')}` })),
    )
    const { pages, ids } = await walk(`${office.at('tags')}?query=Zone`, 'tags')
    assert.deepEqual([pages.length, ids.length, new Set(ids).size], [3, 55, 55])
    assert.ok(pages.every((page, i) => (linkOf(page, 'prev') === undefined) === (i === 0)))
    const back = linkOf(pages[2]!, 'prev')!
    assert.equal(new URL(back, service.config.baseUrl).searchParams.get('query'), 'Zone')
    assert.deepEqual(rowsOf(await office.browser.get(back), 'tags'), rowsOf(pages[1]!, 'tags'))
  })

  it('of customers is paged with a cursor', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, i) => office.customer('Paged', { last_name: `Person ${i}` })))
    const { pages, ids } = await walk(`${office.at('customers')}?query=Paged`, 'customers')
    assert.deepEqual([pages.length, ids.length, new Set(ids).size], [2, 30, 30])
    assert.deepEqual(
      rowsOf(await office.browser.get(linkOf(pages[1]!, 'prev')!), 'customers'),
      rowsOf(pages[0]!, 'customers'),
    )
  })

  it("returns 422 with the filter's label for an invalid filter, and keeps the others", async () => {
    for (const [query, says] of [
      ['scheduled_from=soon', 'From: Enter a date.'],
      ['status=lost', 'Status: Choose one of the options.'],
      ['page=0', 'Enter a whole number from 1'],
      ['customer_id=x', 'Choose from the list.'],
    ] as const) {
      const page = await office.browser.get(`${office.at('jobs')}?${query}&title=Boiler`)
      assert.deepEqual([page.status, pageTextOf(page).includes('Check your filters')], [422, true])
      assert.ok(pageTextOf(page).includes(says), `${query}: ${pageTextOf(page)}`)
      assert.match(page.text, /<input [^>]*name="title" value="Boiler"/)
    }
  })

  it('links to all records when nothing matches', async () => {
    const page = await office.browser.get(`${office.at('jobs')}?title=nothing+of+that+name`)
    const [, all] = /No matches\. <a href="([^"]*)">Show all<\/a>/.exec(page.text)!
    assert.deepEqual(rowsOf(await office.browser.get(all!), 'jobs'), [job.id])
  })

  it('exists for every entity, and shows the search text it was given', async () => {
    for (const {
      entity: { name },
      listing,
      startsFrom,
    } of screens) {
      const search = listing.filters().find(({ kind }) => kind === 'search')
      const page = await office.browser.get(
        `${office.at(name)}?${new URLSearchParams({ ...(startsFrom === 'customer' ? { customer_id: customer.id } : {}), ...(search === undefined ? {} : { [search.name]: 'a "b"' }) }).toString()}`,
      )
      assert.equal(page.status, 200, name)
      if (search !== undefined)
        assert.match(page.text, new RegExp(`<input [^>]*name="${search.name}" value="a &quot;b&quot;"`), name)
    }
  })
})

describe('record actions', () => {
  const action = (...steps: string[]): string => office.at('jobs', job.id, 'do', ...steps)

  it('ask for confirmation on GET, and change nothing', async () => {
    const page = await office.browser.get(action('jobs_cancel'))
    assert.ok(
      page.status === 200 &&
        pageTextOf(page).includes('Cancel job?') &&
        pageTextOf(page).includes('A canceled job stays canceled'),
    )
    assert.equal((await office.call('jobs_get', { id: job.id })).status, 'scheduled')
  })

  it('run on POST only', async () => {
    const page = await office.browser.get(action('jobs_update-in_progress'))
    assert.deepEqual([page.status, page.text.includes('<h1>Start</h1>')], [200, true])
    assert.equal((await office.call('jobs_get', { id: job.id })).status, 'scheduled')
    assert.equal((await office.browser.post(action('jobs_update-in_progress'), {})).location, office.at('jobs', job.id))
    assert.equal((await office.call('jobs_get', { id: job.id })).status, 'in_progress')
  })

  it("return 404 for other tools and for transitions that aren't possible now", async () => {
    for (const step of [
      'customers_archive',
      'jobs_update',
      'jobs_update-cancelled',
      'jobs_get',
      'nothing',
      'jobs_update-scheduled',
    ]) {
      assert.deepEqual(
        [(await office.browser.get(action(step))).status, (await office.browser.post(action(step), {})).status],
        [404, 404],
        step,
      )
    }
    assert.equal((await office.call('jobs_get', { id: job.id })).status, 'in_progress')
  })

  it('redirect to the list after a delete, and return 404 the second time', async () => {
    const { id } = await office.call('tags_create', { name: 'Short-lived' })
    assert.equal(
      (await office.browser.post(office.at('tags', id, 'do', 'tags_delete'), {})).location,
      office.at('tags'),
    )
    assert.equal((await office.browser.post(office.at('tags', id, 'do', 'tags_delete'), {})).status, 404)
  })
})

describe('page access', () => {
  const pagesOf = ({ at }: Pick<Office, 'at'>): string[] => [
    ...['tags', 'jobs'].flatMap((name) => [at(name), at(name, 'new'), `${at(name)}.csv`]),
    ...[
      ['tags', tag.id, 'tags_delete'],
      ['jobs', job.id, 'jobs_cancel'],
    ].flatMap(([name, id, step]) => [at(name, id), at(name, id, 'edit'), at(name, id, 'do', step)]),
  ]
  const statuses = async (browser: Browser, paths: readonly string[]): Promise<number[]> => {
    const found = []
    for (const path of paths) found.push((await browser.get(path)).status)
    return found
  }

  it("returns 404 for another company's records, under either company's URL", async () => {
    const other = await openOffice(service, 'North Cleaning')
    const strange = pagesOf(office)
    assert.deepEqual(
      await statuses(other.browser, strange),
      strange.map(() => 404),
    )
    const borrowed = pagesOf(other).filter((path) => path.includes(tag.id) || path.includes(job.id))
    assert.deepEqual(
      await statuses(other.browser, borrowed),
      borrowed.map(() => 404),
    )
    assert.equal((await other.browser.post(other.at('tags', tag.id, 'do', 'tags_delete'), {})).status, 404)
    assert.equal((await office.call('tags_get', { id: tag.id })).name, 'Key')
  })

  it('returns 404 without access to the area, and hides it from the menu', async () => {
    const { browser } = await office.signInMember('office', {
      'Customers & contacts': 'none',
      'Jobs & scheduling': 'none',
    })
    const closed = pagesOf(office)
    assert.deepEqual(
      await statuses(browser, closed),
      closed.map(() => 404),
    )
    const menu = (await browser.get(office.at())).text
    assert.ok(
      !menu.includes(office.at('tags')) && !menu.includes(office.at('jobs')) && menu.includes(office.at('invoices')),
    )
  })

  it('returns 404 for forms and actions with view access', async () => {
    const { browser } = await office.signInMember('office', {
      'Customers & contacts': 'view',
      'Jobs & scheduling': 'view',
    })
    const [open, closed] = [
      [office.at('tags'), office.at('tags', tag.id), office.at('jobs', job.id)],
      [
        office.at('tags', 'new'),
        office.at('tags', tag.id, 'edit'),
        office.at('tags', tag.id, 'do', 'tags_delete'),
        office.at('jobs', job.id, 'edit'),
      ],
    ]
    assert.deepEqual(await statuses(browser, [...open, ...closed]), [200, 200, 200, 404, 404, 404, 404])
    for (const path of closed) assert.equal((await browser.post(path, { name: 'Taken' })).status, 404, path)
    const { text } = await browser.get(office.at('tags', tag.id))
    assert.ok(!text.includes('>Edit<') && !text.includes('Delete the tag') && text.includes('>History<'))
  })

  it('returns 404 for unknown URLs and for IDs of another entity', async () => {
    for (const path of [
      office.at('nothing'),
      office.at('tags', 'no-id'),
      office.at('tags', customer.id),
      `${office.at('tags')}/`,
      '/00000000-0000-0000-0000-000000000000/tags',
    ]) {
      assert.equal((await office.browser.get(path)).status, 404, path)
    }
  })

  it('redirects signed-out users to sign-in, whether or not the page exists', async () => {
    for (const path of [
      office.at('tags'),
      office.at('jobs', job.id, 'edit'),
      '/00000000-0000-0000-0000-000000000000/tags',
    ]) {
      const { status, location } = await newBrowser(service).get(path)
      assert.deepEqual([status, location], [303, `/sign-in?to=${encodeURIComponent(path)}`])
    }
  })
})
