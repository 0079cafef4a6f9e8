import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import type { Result, TestService } from '../../harness/harness.ts'
import { openOffice, type Office } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'

let service: TestService
let office: Office
let dora: Result
let emil: Result

/** Number of invoices per customer. The list of both customers has two pages. */
const EACH = 15

const line = (dollars: number) => [{ name: 'Work', quantity: 1, unit_price_cents: dollars * 100 }]

before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  dora = await office.customer('Dora', { last_name: 'Vance' })
  emil = await office.customer('Emil', { last_name: 'Østergård' })
  for (let i = 0; i < EACH; i++)
    for (const { id } of [dora, emil])
      await office.call('invoices_create', {
        customer_id: id,
        issue_date: '2026-01-10',
        due_date: `2026-02-${String(10 + ((i * 7) % EACH)).padStart(2, '0')}`,
        line_items: line(((i * 4) % EACH) + 1),
        ...(i === 3 && id === dora.id ? { subject: 'Cellar pump' } : {}),
      })
})
after(() => service.stop())

type Listed = {
  rows: string[][]
  head: (label: string) => ReturnType<ReturnType<typeof load>>
  next: string | undefined
}

async function list(path: string): Promise<Listed> {
  const page = await office.browser.get(path)
  assert.equal(page.status, 200, page.text)
  const $ = load(page.text)
  return {
    rows: $('.list tbody tr')
      .get()
      .map((row) =>
        $(row)
          .find('td[data-label]')
          .get()
          .map((cell) => $(cell).text().replace(/\s+/g, ' ').trim()),
      ),
    head: (label) => $('.list th').filter((_, one) => $(one).text() === label),
    next: $('a[rel=next]').attr('href'),
  }
}

/** Returns a column across all pages of a list. */
async function column(path: string, at: number): Promise<string[]> {
  const found: string[] = []
  for (let next: string | undefined = path; next !== undefined;) {
    const page: Listed = await list(next)
    found.push(...page.rows.map((row) => row[at]!))
    next = page.next
  }
  return found
}

const cents = (text: string): number => Number(text.replace(/[^\d]/g, ''))
const isSorted = (values: readonly number[], way: 1 | -1): boolean =>
  values.every((value, i) => i === 0 || (value - values[i - 1]!) * way >= 0)

describe('a sorted list', () => {
  it('is sorted across all pages by the link in a column header, with aria-sort', async () => {
    const start = await list(`${office.at('invoices')}?status=draft&page=2`)
    const first = start.head('Total').find('a').attr('href')!
    assert.equal(first, `${office.at('invoices')}?status=draft&sort=total_desc`)
    const down = await list(first)
    assert.equal(down.head('Total').attr('aria-sort'), 'descending')
    assert.equal(down.head('Due').attr('aria-sort'), undefined)
    const totals = (await column(first, 5)).map(cents)
    assert.deepEqual([totals.length, isSorted(totals, -1)], [2 * EACH, true])
    const second = down.head('Total').find('a').attr('href')!
    assert.equal((await list(second)).head('Total').attr('aria-sort'), 'ascending')
    assert.ok(isSorted((await column(second, 5)).map(cents), 1))
  })

  it('can be sorted by number, balance and due date, with every row once', async () => {
    for (const [sort, at, way] of [
      ['number_asc', 0, 1],
      ['number_desc', 0, -1],
      ['balance_asc', 6, 1],
      ['balance_desc', 6, -1],
    ] as const) {
      const values = (await column(`${office.at('invoices')}?sort=${sort}`, at)).map(cents)
      assert.deepEqual([values.length, isSorted(values, way)], [2 * EACH, true], sort)
    }
    const due = async (sort: string): Promise<string[]> => column(`${office.at('invoices')}?sort=${sort}`, 4)
    const days = (texts: readonly string[]): number[] => texts.map((text) => Number(/Feb (\d+)/.exec(text)![1]))
    assert.ok(isSorted(days(await due('due_asc')), 1))
    assert.ok(isSorted(days(await due('due_desc')), -1))
    const numbers = new Set(await column(`${office.at('invoices')}?sort=due_asc&status=draft`, 0))
    assert.equal(numbers.size, 2 * EACH)
  })

  it('is exported in the same order', async () => {
    const { text } = await office.browser.get(`${office.at('invoices')}.csv?sort=total_desc`)
    const totals = text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((row) => Number(row.split(',')[7]))
    assert.deepEqual([totals.length, isSorted(totals, -1)], [2 * EACH, true])
  })

  it('can be a list of quotes or jobs', async () => {
    for (const [title, cost] of [
      ['Low', 1],
      ['High', 9],
      ['Middle', 5],
    ] as const)
      await office.call('quotes_create', { customer_id: dora.id, title, line_items: line(cost) })
    assert.deepEqual(
      (await column(`${office.at('quotes')}?sort=total_asc`, 0)).map((text) => text.split(' ')[1]),
      ['Low', 'Middle', 'High'],
    )
    for (const day of ['2027-03-02', '2027-03-01', '2027-03-03'])
      await office.call('jobs_create', { customer_id: dora.id, title: day, scheduled_start: `${day}T09:00` })
    const head = (await list(`${office.at('jobs')}?scheduled_from=2027-01-01`)).head('When').find('a').attr('href')!
    assert.deepEqual(
      (await column(head, 0)).map((text) => text.split(' ')[1]),
      ['2027-03-03', '2027-03-02', '2027-03-01'],
    )
  })

  it('returns 422 for an unknown sort key', async () => {
    assert.equal((await office.browser.get(`${office.at('invoices')}?sort=name`)).status, 422)
  })
})

describe('searching a list', () => {
  it('finds invoices by customer, subject and number, and totals them', async () => {
    const searchInvoices = async (query: string) =>
      (await list(`${office.at('invoices')}?${new URLSearchParams({ query }).toString()}`)).rows
    assert.equal((await searchInvoices('ostergard')).length, EACH)
    assert.deepEqual(
      (await searchInvoices('vance cellar')).map((row) => row[2]),
      ['Dora Vance'],
    )
    const [number] = (await searchInvoices('cellar pump'))[0]!
    for (const query of [number!, number!.toLowerCase(), number!.replace('INV-', '')])
      assert.deepEqual(
        (await searchInvoices(query)).map((row) => row[0]),
        [number],
        query,
      )
    assert.deepEqual(await searchInvoices('nobody of that name'), [])
    assert.deepEqual(await searchInvoices('…'), [])
    const page = await office.browser.get(`${office.at('invoices')}?query=vance`)
    assert.match(load(page.text)('tfoot').text(), /Total of all 15/)
  })

  it('keeps the sort order and the other filters', async () => {
    const { rows } = await list(`${office.at('invoices')}?query=vance&sort=total_desc&due_from=2026-02-20`)
    assert.ok(rows.length > 0 && rows.length < EACH)
    assert.ok(rows.every((row) => row[2] === 'Dora Vance'))
    assert.ok(
      isSorted(
        rows.map((row) => cents(row[5]!)),
        -1,
      ),
    )
  })

  it('finds jobs by title, customer, number and address', async () => {
    const place = await office.call('locations_create', {
      customer_id: emil.id,
      address_line1: '410 Quarry Road',
      city: 'Albany',
      region: 'NY',
      postal_code: '12201',
    })
    const job = await office.call('jobs_create', { customer_id: emil.id, location_id: place.id, title: 'Leak' })
    await office.call('jobs_create', { customer_id: dora.id, title: 'Elsewhere' })
    const searchJobs = async (query: string) =>
      (await list(`${office.at('jobs')}?${new URLSearchParams({ title: query }).toString()}`)).rows.map((row) => row[0])
    const name = `${String(job.display_number)} Leak`
    assert.deepEqual(await searchJobs('quarry'), [name])
    assert.deepEqual(await searchJobs('410 quarry road'), [name])
    assert.deepEqual(await searchJobs('leak'), [name])
    assert.deepEqual(await searchJobs('eak'), [name])
    assert.deepEqual(await searchJobs(String(job.display_number)), [name])
    assert.deepEqual(await searchJobs('østergård'), [name])
  })

  it('finds all 310 matches, more than one index lookup returns', async () => {
    const many = await office.customer('Zelda', { last_name: 'Many' })
    for (let i = 0; i < 31; i++)
      await Promise.all(
        Array.from({ length: 10 }, () => office.call('jobs_create', { customer_id: many.id, title: 'Mowing' })),
      )
    assert.equal((await column(`${office.at('jobs')}?title=mowing+zelda`, 0)).length, 310)
  })

  it('finds nothing of another company', async () => {
    const other = await openOffice(service, 'Birch Heating')
    const page = await other.browser.get(`${other.at('invoices')}?query=vance`)
    assert.ok(!page.text.includes('Dora Vance'))
  })
})
