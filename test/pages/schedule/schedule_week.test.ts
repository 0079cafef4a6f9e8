import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import type { TestService } from '../../harness/harness.ts'
import { openSchedule, visitsOf, type Schedule } from '../../harness/database/schedules.ts'
import { startSite } from '../../harness/web_client.ts'

const DAYS = ['2026-05-11', '2026-05-12', '2026-05-13', '2026-05-14', '2026-05-15']
const [TECHNICIANS, A_DAY] = [4, 16]
/** Maximum size of a week page with 320 visits, in characters. It was once 490,000. */
const MAX_LENGTH = 240_000

let service: TestService
let schedule: Schedule

before(async () => {
  service = await startSite()
  schedule = await openSchedule(service)
  const crew = await Promise.all(Array.from({ length: TECHNICIANS }, (_, i) => schedule.hire(`Technician ${i + 1}`)))
  for (const day of DAYS)
    for (const { id } of crew)
      await Promise.all(
        Array.from({ length: A_DAY }, (_, i) =>
          schedule.book({
            title: `Seasonal inspection ${i + 1}`,
            scheduled_start: `${day}T${String(6 + (i % 14)).padStart(2, '0')}:${i < 14 ? '00' : '30'}`,
            duration_minutes: 30,
            assignees: [id],
          }),
        ),
      )
})
after(() => service.stop())

const numberIn = (text: string): number => Number(/\d+/.exec(text)![0])

describe('a week with many visits', () => {
  it('shows some visits per cell and the number of the others, with a link to the day', async () => {
    const { text } = await schedule.page('?day=2026-05-12&view=week')
    const $ = load(text)
    const cells = $('td.busy').get()
    assert.equal(cells.length, DAYS.length * TECHNICIANS)
    for (const cell of cells) {
      const more = $(cell).find('.week-more')
      assert.equal($(cell).find('li.visit').length + numberIn(more.text()), A_DAY)
      assert.equal(more.attr('href'), `${schedule.at('schedule')}?day=${cell.attribs['data-day']}`)
    }
    const shown = visitsOf({ text }).length
    assert.ok(shown > 100 && shown <= 180, String(shown))
    const days = $('.agenda-days section').filter((_, one) => $(one).find('li').length > 0)
    for (const day of days.get())
      assert.equal($(day).find('li.stop').length + numberIn($(day).find('.week-more').text()), A_DAY * TECHNICIANS)
    assert.ok($('li.stop').length <= 70)
    assert.ok(text.length < MAX_LENGTH, `${text.length} characters`)
  })

  it('shows every visit in the day view', async () => {
    const { text } = await schedule.page('?day=2026-05-12')
    assert.equal(visitsOf({ text }).length, A_DAY * TECHNICIANS)
    assert.equal(load(text)('li.stop').length, A_DAY * TECHNICIANS)
    assert.equal(load(text)('.week-more').length, 0)
  })
})

describe('a visit of several days', () => {
  const WEEK = '?day=2026-06-10&view=week'

  it('is a single bar across its days in the week, below another that it overlaps', async () => {
    const [tech] = [await schedule.hire('Bar Keeper')]
    const assignees = [tech.id]
    const book = (title: string, start: string, days: number, more: object = {}) =>
      schedule.book({ title, scheduled_start: start, duration_minutes: days * 1440, assignees, ...more })
    await book('Repipe', '2026-06-09T08:00', 2)
    await book('Framing', '2026-06-10T00:00', 3, { all_day: true })
    await schedule.book({ title: 'Short', scheduled_start: '2026-06-10T09:00', duration_minutes: 60, assignees })
    await book('From before', '2026-06-05T08:00', 3)
    const { text } = await schedule.page(WEEK)
    const $ = load(text)
    const inRow = $(`#lane-${tech.id} .visit`).get()
    const titles = inRow.map((one) => $(one).find('.visit-title').text())
    assert.deepEqual(titles.sort(), ['Framing', 'From before', 'Repipe', 'Short'].sort())
    const cellOf = (title: string) => {
      const one = $('.week .visit').filter((_, visit) => $(visit).find('.visit-title').text() === title)
      return { day: one.closest('td').attr('data-day'), classes: one.attr('class') ?? '' }
    }
    assert.deepEqual([cellOf('Repipe').day, /bar d(\d)/.exec(cellOf('Repipe').classes)?.[1]], ['2026-06-09', '3'])
    assert.deepEqual([cellOf('Framing').day, /bar d(\d)/.exec(cellOf('Framing').classes)?.[1]], ['2026-06-10', '3'])
    assert.doesNotMatch(cellOf('Short').classes, /bar/)
    const stack = (day: string) =>
      $(`#on-${tech.id}-${day} .stack > li`)
        .get()
        .map((one) => ($(one).hasClass('bar-gap') ? 'gap' : $(one).find('.visit-title').text()))
    assert.deepEqual(stack('2026-06-09'), ['Repipe'])
    assert.deepEqual(stack('2026-06-10'), ['gap', 'Framing', 'Short'])
    assert.deepEqual(stack('2026-06-12'), ['gap', 'gap'])
  })
})
