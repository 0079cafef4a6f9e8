import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load, type CheerioAPI } from 'cheerio'
import type { TestService } from '../../harness/harness.ts'
import { openOffice, type Office } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'

let service: TestService
let office: Office
const ZONE = 'America/New_York'

before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
})
after(() => service.stop())

const open = async (browser = office.browser, at = office.at()): Promise<CheerioAPI> =>
  load((await browser.get(at)).text)
const today = Temporal.Now.plainDateISO(ZONE)

/** Returns the worklist groups by title: their counts, rows and button links. */
const groupsOn = ($: CheerioAPI): Map<string, { count: string; rows: string[]; steps: string[] }> =>
  new Map(
    $('.work-group')
      .toArray()
      .map((group) => {
        const head = $(group).find('h3')
        const title = head.contents().first().text().trim()
        return [
          title,
          {
            count: head.children('span').text(),
            rows: $(group)
              .find('li')
              .map((_, row) => $(row).text().replace(/\s+/g, ' ').trim())
              .get(),
            steps: $(group)
              .find('li .button')
              .map((_, step) => step.attribs['href'] ?? '')
              .get(),
          },
        ]
      }),
  )

describe('the worklist on Today', () => {
  it('lists every non-empty group with a working link to its next step', async () => {
    assert.equal(groupsOn(await open()).size, 0)
    const customer = await office.customer('Ana Ruiz')
    const customer_id = customer['id']
    for (let i = 0; i < 5; i++)
      await office.call('jobs_create', { customer_id, title: `Job ${i}`, priority: i === 4 ? 'urgent' : 'normal' })
    const job = await office.call('jobs_create', {
      customer_id,
      title: 'Nobody’s',
      scheduled_start: today
        .add({ days: 1 })
        .toZonedDateTime({ timeZone: ZONE, plainTime: '10:00' })
        .toInstant()
        .toString(),
    })
    const line_items = [{ name: 'Pump', unit_price_cents: 12_345 }]
    const due_date = today.subtract({ days: 9 }).toString()
    const invoice = await office.call('invoices_create', { customer_id, issue_date: due_date, due_date, line_items })
    await office.call('invoices_update', { id: invoice['id'], status: 'sent' })
    const quote = await office.call('quotes_create', { customer_id, title: 'New pump', line_items })
    await office.call('quotes_update', { id: quote['id'], status: 'sent' })
    const groups = groupsOn(await open())
    assert.deepEqual(
      [...groups.keys()],
      ['Visits without a technician', 'To schedule', 'Overdue invoices', 'Quotes waiting'],
    )
    assert.deepEqual(groups.get('Visits without a technician')?.steps, [office.at('schedule', 'move', job['id'])])
    const waiting = groups.get('To schedule')
    assert.deepEqual([waiting?.count, waiting?.rows.length], ['5', 4])
    assert.match(waiting?.rows[0] ?? '', /Job 4.*Urgent/)
    const late = groups.get('Overdue invoices')
    assert.match(late?.rows[0] ?? '', /Ana Ruiz, 9 days late\$123\.45Remind INV-1001/)
    for (const step of [...groups.values()].flatMap(({ steps }) => steps))
      assert.equal((await office.browser.get(step)).status, 200, step)
    assert.match((await open()).text(), /Show all: To schedule/)
  })

  it('shows a technician no money, and offers no write steps with view access', async () => {
    const tech = await office.signInMember('tech')
    const $ = await open(tech.browser)
    assert.deepEqual([...groupsOn($).keys()], ['Quotes waiting'])
    assert.doesNotMatch($.text(), /Sales this month|INV-/)
    const reader = await office.signInMember('office', { Invoices: 'view', Quotes: 'none' })
    const groups = groupsOn(await open(reader.browser))
    assert.deepEqual(groups.get('Overdue invoices')?.steps, [])
    assert.equal(groups.get('Quotes waiting'), undefined)
  })

  it("comes with a chart of this month's and last month's sales by day", async () => {
    const { id } = await office.customer('Ben')
    for (const [cents, day] of [
      [10_000, today.with({ day: 1 })],
      [30_000, today.with({ day: 1 }).subtract({ months: 1 })],
    ] as const) {
      const invoice = await office.call('invoices_create', {
        customer_id: id,
        issue_date: day.toString(),
        line_items: [{ name: 'x', unit_price_cents: cents }],
      })
      await office.call('invoices_update', { id: invoice['id'], status: 'sent' })
    }
    const $ = await open()
    const part = $('.part').filter((_, one) => $(one).find('h2').text() === 'Sales this month')
    const cells = part
      .find('tbody tr')
      .first()
      .find('td')
      .map((_, cell) => $(cell).text())
      .get()
    assert.deepEqual(cells[1], '$300.00')
    assert.equal(part.find('tbody tr').length, today.daysInMonth)
    const last = part.find('tbody tr').last().find('td').first().text()
    assert.equal(last === '–', today.day < today.daysInMonth)
    assert.equal(part.find('.line').length, 2)
    assert.equal($('.cockpit > .column').first().find(part).length, 1, 'it stands in the first column, not at the end')
  })
})

describe('the schedule on Today', () => {
  it('shows a row per technician with late and completed visits', async () => {
    const tech = await office.signInMember('tech')
    const { id: customer_id } = await office.customer('Cara')
    const now = Temporal.Now.zonedDateTimeISO(ZONE)
    const from = now.startOfDay().add({ minutes: 1 })
    const visit = async (title: string, status: string, start: Temporal.ZonedDateTime, minutes: number) => {
      const job = await office.call('jobs_create', {
        customer_id,
        title,
        assignees: [tech.user_id],
        scheduled_start: start.toInstant().toString(),
        scheduled_end: start.add({ minutes }).toInstant().toString(),
      })
      if (status !== 'scheduled') await office.call('jobs_update', { id: job['id'], status })
    }
    await visit('Early', 'done', from, 10)
    await visit('Missed', 'scheduled', from, 10)
    await visit('At work', 'in_progress', from, 10)
    await visit('Last', 'scheduled', now.with({ hour: 23, minute: 45, second: 0, millisecond: 0 }), 10)
    const $ = await open()
    const row = $('.day-row').filter((_, one) => $(one).find('li').text().includes('Missed'))
    const passed = now.since(from).total('minutes') > 16
    const textOf = (title: string): string =>
      row
        .find('li')
        .filter((_, one) => $(one).text().includes(title))
        .text()
        .replace(/\s+/g, ' ')
    assert.match(row.find('h3').text(), /1 of 4 done/)
    if (passed) assert.match(textOf('Missed'), /About .* late/)
    for (const title of ['Early', 'At work']) assert.doesNotMatch(textOf(title), /late/)
    assert.equal(row.find('rect.done').length, 1)
    assert.equal(row.find('rect.in_progress').length, 1)
    const bars = row
      .find('rect:not(.base)')
      .toArray()
      .map(({ attribs }) => ({ x: Number(attribs['x']), width: Number(attribs['width']) }))
    const whole = Number(row.find('rect.base').attr('width'))
    assert.equal(bars.length, 4)
    for (const { x, width } of bars) assert.ok(x >= 0 && x + width <= whole)
    assert.equal(row.find('path').length, 1)
  })

  it('keeps technicians with the same name apart, and says when it shows only the first 100 visits', async () => {
    const crowded = await openOffice(service, 'Birch Plumbing')
    const { id: customer_id } = await crowded.customer('Dee')
    const [one, other] = [await crowded.signInMember('tech'), await crowded.signInMember('tech')]
    const scheduled_start = today.toZonedDateTime({ timeZone: ZONE, plainTime: '12:00' }).toInstant().toString()
    const visit = (user_id: string) =>
      crowded.call('jobs_create', { customer_id, title: 'Drain', assignees: [user_id], scheduled_start })
    await visit(one.user_id)
    await visit(other.user_id)
    const $ = await open(crowded.browser, crowded.at())
    const rows = $('.day-row')
      .map((_, row) => $(row).find('li').length)
      .get()
    assert.deepEqual(rows, [1, 1])
    assert.doesNotMatch($.text(), /Showing the first/)
    for (let i = 0; i < 11; i++) await Promise.all(Array.from({ length: 9 }, () => visit(one.user_id)))
    assert.match((await open(crowded.browser, crowded.at())).text(), /Showing the first 100 visits/)
  })
})
