import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import type { TestService } from '../../harness/harness.ts'
import { openSchedule, visitsOf, type Schedule } from '../../harness/database/schedules.ts'
import { startSite } from '../../harness/visiting.ts'

const DAYS = ['2026-05-11', '2026-05-12', '2026-05-13', '2026-05-14', '2026-05-15']
const [TECHNICIANS, A_DAY] = [4, 16]
/** Maximum size of a week with 320 visits, in characters; they took 490,000. */
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
  it('draws a part of each cell, and says how many more the day has', async () => {
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

  it('leaves every visit on its day', async () => {
    const { text } = await schedule.page('?day=2026-05-12')
    assert.equal(visitsOf({ text }).length, A_DAY * TECHNICIANS)
    assert.equal(load(text)('li.stop').length, A_DAY * TECHNICIANS)
    assert.equal(load(text)('.week-more').length, 0)
  })
})
