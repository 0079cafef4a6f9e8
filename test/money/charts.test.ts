import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load, type CheerioAPI } from 'cheerio'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import type { Result, TestService } from '../harness/harness.ts'
import { openOffice, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let office: Office
const quotes: Result[] = []

const OUTCOMES = ['draft', 'sent', 'accepted', 'declined', 'archived'] as const

/** Fixed sample of quotes and invoices over some days of 2025. */
const samples = fc.sample(
  fc.record({
    day: fc.integer({ min: 0, max: 150 }),
    cents: fc.integer({ min: 1, max: 99_999 }),
    outcome: fc.constantFrom(...OUTCOMES),
  }),
  { numRuns: 24, seed: 20_267 },
)

const SOURCES = ['Radio', ' ', 'Website'] as const

before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  const customers = await Promise.all(
    SOURCES.map((lead_source, i) => office.customer(`Customer ${i}`, lead_source === ' ' ? {} : { lead_source })),
  )
  for (const [i, { day, cents, outcome }] of samples.entries()) {
    const fields = {
      customer_id: customers[i % 3]?.['id'],
      issue_date: Temporal.PlainDate.from('2025-02-01').add({ days: day }).toString(),
      line_items: [{ name: 'x', unit_price_cents: cents }],
    }
    quotes.push({
      ...(await office.call('quotes_create', { ...fields, title: 'Work', valid_until: '2099-12-31' })),
      outcome,
    })
    const { id } = quotes.at(-1) ?? {}
    if (outcome === 'archived') await office.call('quotes_archive', { id })
    else if (outcome !== 'draft') await office.call('quotes_update', { id, status: outcome })
    const invoice = await office.call('invoices_create', fields)
    await office.call('invoices_update', { id: invoice['id'], status: 'sent' })
    await office.call('jobs_create', { customer_id: fields.customer_id, title: 'Work' })
  }
})
after(() => service.stop())

const days = 'from=2025-01-01&to=2025-12-31'
const open = async (query = days): Promise<CheerioAPI> =>
  load((await office.browser.get(`${office.at('reports')}?${query}`)).text)
const file = async (name: string): Promise<string[][]> =>
  parse((await office.browser.get(`${office.at('reports', name)}?${days}`)).text, { bom: true })

/** Returns the page section with a heading. */
const partOf = ($: CheerioAPI, title: string) => $('.part').filter((_, part) => $(part).find('h2').text() === title)
const centsOf = (text: string): number => Math.round(Number(text.replace(/[$,]/g, '')) * 100)
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

describe('report charts', () => {
  it('show the same values in columns, table and footer, and they add up', async () => {
    const $ = await open()
    const part = partOf($, 'Sales')
    const total = sum(samples.map(({ cents }) => cents))
    const columns = part
      .find('.chart-tip > span')
      .map((_, tip) => centsOf($(tip).text()))
      .get()
    const rows = part
      .find('tbody td')
      .map((_, cell) => centsOf($(cell).text()))
      .get()
    assert.equal(columns.length, 12)
    assert.deepEqual(rows, columns)
    assert.deepEqual([sum(columns), centsOf(part.find('tfoot td').text())], [total, total])
    for (const [i, month] of columns.entries())
      assert.equal(
        month,
        sum(
          samples
            .filter((_, s) => String(quotes[s]?.['issue_date']).startsWith(`2025-${String(i + 1).padStart(2, '0')}`))
            .map(({ cents }) => cents),
        ),
      )
    for (const title of ['Sales by customer', 'Sales by technician', 'Sales by service'])
      assert.equal(
        sum(
          partOf($, title)
            .find('dd span')
            .map((_, one) => centsOf($(one).text()))
            .get(),
        ),
        total,
        title,
      )
  })

  it('draw each bar from zero at a height proportional to its value', async () => {
    const part = partOf(await open(), 'Sales')
    const heights = part
      .find('rect')
      .map((_, bar) => Number(bar.attribs['height']))
      .get()
    const feet = part
      .find('rect')
      .map((_, bar) => Number(bar.attribs['y']) + Number(bar.attribs['height']))
      .get()
    const $ = load('')
    const values = part
      .find('.chart-tip > span')
      .map((_, tip) => centsOf($(tip).text()))
      .get()
      .filter((cents) => cents > 0)
    assert.equal(heights.length, values.length)
    const scale = Math.max(...heights) / Math.max(...values)
    for (const [i, height] of heights.entries()) assert.ok(Math.abs(height - (values[i] ?? 0) * scale) < 0.2)
    for (const foot of feet) assert.ok(Math.abs(foot - 240) < 0.11)
  })

  it('compare with the preceding period of the same length', async () => {
    const $ = await open('from=2025-05-01&to=2025-06-30')
    const text = partOf($, 'Sales').find('.chart-sum').text()
    const within = (from: string, to: string): number =>
      sum(
        samples
          .filter((_, i) => String(quotes[i]?.['issue_date']) >= from && String(quotes[i]?.['issue_date']) <= to)
          .map(({ cents }) => cents),
      )
    const [now, earlier] = [within('2025-05-01', '2025-06-30'), within('2025-03-01', '2025-04-30')]
    const percent = Math.round(((now - earlier) / earlier) * 100)
    assert.ok(text.includes(`${Math.abs(percent)}% ${percent < 0 ? 'less' : 'more'} than`), text)
    assert.equal(centsOf(/than (\$[\d,.]+) in/.exec(text)?.[1] ?? ''), earlier)
  })

  it('open on the current month and offer other periods', async () => {
    const $ = load((await office.browser.get(office.at('reports'))).text)
    const month = Temporal.Now.plainDateISO('America/New_York').toPlainYearMonth()
    assert.equal($('input[name=from]').attr('value'), `${month.toString()}-01`)
    assert.equal($('input[name=to]').attr('value'), month.toPlainDate({ day: month.daysInMonth }).toString())
    assert.match($('main').text(), /This year/)
  })

  it('compare a year in progress with the previous year up to the same day', async () => {
    const birch = await openOffice(service, 'Birch Plumbing')
    const { id: customer_id } = await birch.customer('Ana')
    const { year, monthCode, day } = Temporal.Now.plainDateISO('America/New_York')
    const bill = async (issue_date: string, unit_price_cents: number): Promise<void> => {
      const line_items = [{ name: 'x', unit_price_cents }]
      const { id } = await birch.call('invoices_create', { customer_id, issue_date, line_items })
      await birch.call('invoices_update', { id, status: 'sent' })
    }
    await bill(`${year - 1}-01-01`, 10_000)
    await bill(`${year - 1}-12-31`, 90_000)
    await bill(`${year}-01-01`, 15_000)
    const whole = `${birch.at('reports')}?from=${year}-01-01&to=${year}-12-31`
    const $ = load((await birch.browser.get(whole)).text)
    const isLastDay = monthCode === 'M12' && day === 31
    assert.match(
      partOf($, 'Sales').find('.chart-sum').text(),
      isLastDay
        ? /85% less than \$1,000\.00 by this day/
        : /50% more than \$100\.00 by this day of the previous period/,
    )
    assert.deepEqual(
      partOf($, 'Sales')
        .find('tfoot td')
        .map((_, cell) => $(cell).text())
        .get(),
      ['$150.00', '$1,000.00'],
    )
  })

  it('count quotes by outcome, without drafts and unanswered archived quotes', async () => {
    const [, ...rows] = await file('quotes.csv')
    const countSamples = (outcome: string): number => samples.filter((one) => one.outcome === outcome).length
    const column = (i: number): number => sum(rows.map((row) => Number(row[i])))
    assert.deepEqual([column(1), column(2), column(3)], ['accepted', 'sent', 'declined'].map(countSamples))
    const amounts = (outcome: string): number =>
      sum(samples.filter((one) => one.outcome === outcome).map(({ cents }) => cents))
    assert.deepEqual(
      [4, 5, 6].map((i) => Math.round(column(i) * 100)),
      ['accepted', 'sent', 'declined'].map(amounts),
    )
  })

  it('count jobs by source, and blank sources as unknown', async () => {
    const year = new Date().getFullYear()
    const text = (
      await office.browser.get(`${office.at('reports', 'sources.csv')}?from=${year - 1}-12-31&to=${year + 1}-01-02`)
    ).text
    assert.deepEqual(
      new Map(parse(text, { bom: true, from: 2 }).map(([name, count]: string[]) => [name, count])),
      new Map([
        ['Radio', '8'],
        ['Unknown source', '8'],
        ['Website', '8'],
      ]),
    )
  })

  it('split the working hours of the next two weeks into booked and free', async () => {
    const tech = await office.signInMember('tech')
    const [, ...free] = await file('booked.csv')
    assert.equal(free.length, 14)
    const weekday = free.find(([, booked, open], i) => i > 0 && booked === '0.00' && Number(open) > 0)
    assert.ok(weekday !== undefined)
    const start = Temporal.PlainDate.from(weekday[0] ?? '').toZonedDateTime({
      timeZone: 'America/Chicago',
      plainTime: '10:00',
    })
    const { rows } = await office.call('customers_search', { limit: 1 })
    await office.call('jobs_create', {
      customer_id: rows[0].id,
      title: 'Boiler',
      assignees: [tech.user_id],
      scheduled_start: start.toInstant().toString(),
      scheduled_end: start.add({ hours: 2 }).toInstant().toString(),
    })
    const after = (await file('booked.csv')).find(([day]) => day === weekday[0])
    assert.ok(Number(after?.[1]) >= 2, 'two hours and the way there')
    assert.equal(Number(after?.[1]) + Number(after?.[2]), Number(weekday[1]) + Number(weekday[2]))
  })
})
