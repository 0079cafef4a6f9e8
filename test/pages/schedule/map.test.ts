import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { openSchedule, type Schedule } from '../../harness/database/schedules.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { pageTextOf } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'

const DAY = '2027-03-10'
const [NORTH, SOUTH] = [
  { latitude: 40.9, longitude: -74, city: 'Northfield' },
  { latitude: 40.5, longitude: -74, city: 'Southport' },
]

let service: TestService
let schedule: Schedule
let leo: string
let mia: string
const jobs: Result[] = []
before(async () => {
  service = await startSite()
  schedule = await openSchedule(service)
  leo = (await schedule.hire('Leo Ruiz')).id
  mia = (await schedule.hire('Mia Chen')).id
  jobs.push(
    await book('11:00', SOUTH, [leo], { title: 'Second' }),
    await book('09:00', NORTH, [leo], { title: 'First' }),
    await book('09:30', SOUTH, [mia, leo], { title: 'Of both' }),
    await book('13:00', NORTH, [], { title: 'Of nobody' }),
    await book('14:00', {}, [mia], { title: 'Somewhere' }),
  )
})
after(() => service.stop())

async function book(time: string, place: object, users: string[], more: object = {}): Promise<Result> {
  const customer = await schedule.customer('Ana', { locations: [{ address_line1: '1 Main St', ...place }] })
  const times = { scheduled_start: `${DAY}T${time}`, duration_minutes: 60 }
  return schedule.book({ customer_id: customer.id, assignees: users, ...times, ...more })
}

const open = async (query: string) => {
  const page = await schedule.page(`?day=${DAY}${query}`)
  assert.equal(page.status, 200)
  return { ...page, $: load(page.text) }
}

describe('the map of a day', () => {
  it('shows a pin for each visit with a known location, the routes between them and the towns', async () => {
    const { $ } = await open('&view=map')
    const pins = $('.map a.pin')
      .get()
      .map((pin) => `${$(pin).find('title').text().split(',')[0] ?? ''} ${$(pin).children('text').text()}`)
    assert.deepEqual(pins.sort(), [
      'Leo Ruiz: First 1',
      'Leo Ruiz: Of both 2',
      'Leo Ruiz: Second 3',
      'Mia Chen: Of both 1',
      'Unassigned: Of nobody ?',
    ])
    // Mia's other location is unknown, so she has no route.
    assert.deepEqual([$('.route').length, $('.route.p0 .arrow').length], [1, 2])
    const towns = $('.map-town')
      .get()
      .map((town) => $(town).text())
    assert.deepEqual(towns.sort(), ['Northfield', 'Southport'])
    const y = (name: string): number =>
      Number(
        $('.map-town')
          .filter((_, town) => $(town).text() === name)
          .attr('y'),
      )
    assert.ok(y('Northfield') < y('Southport'), 'north is up')
    assert.match($('.map-unit').text(), /^\d+ mi$/)
  })

  it('repeats the pins as a list by technician, with drives, delays and unknown locations', async () => {
    const { $, text } = await open('&view=map')
    const people = $('.map-person')
      .get()
      .map((one) => pageTextOf({ text: $(one).html() ?? '' }).trim())
    assert.match(
      people.find((one) => one.startsWith('Leo Ruiz')) ?? '',
      /3 visits, about .* driving 1 9:00.*First.* min drive 2 9:30.*Of both/,
    )
    assert.match(people.find((one) => one.startsWith('Mia Chen')) ?? '', /Somewhere .* place unknown/)
    assert.match(pageTextOf({ text }), /Of both .* about 5\d min late|Of both .* about \d h.* late/)
    for (const pin of $('.map a.pin').get()) {
      const target = $(pin).attr('href') ?? ''
      assert.equal($(target).length, 1, target)
      assert.equal($(target).attr('data-job'), $(pin).attr('data-job'))
    }
    const ids = $('[id]')
      .get()
      .map(({ attribs }) => attribs['id'])
    assert.equal(new Set(ids).size, ids.length)
    assert.equal($('.map').attr('aria-hidden'), 'true')
    assert.equal($('.map a:not([tabindex="-1"])').length, 0)
  })

  it('says when there are no visits or no known locations', async () => {
    assert.match(pageTextOf(await schedule.page('?day=2027-03-11&view=map')), /No visits/)
    const customer = await schedule.customer('Bo')
    await schedule.book({ customer_id: customer.id, scheduled_start: '2027-03-12T09:00', assignees: [leo] })
    assert.match(pageTextOf(await schedule.page('?day=2027-03-12&view=map')), /This day has no mapped addresses yet/)
  })

  it('escapes hostile text', async () => {
    const evil = '"><script>x</script>'
    const customer = await schedule.customer(evil, { locations: [{ address_line1: '1 St', ...NORTH, city: evil }] })
    await schedule.book({
      customer_id: customer.id,
      title: evil,
      scheduled_start: '2027-03-15T09:00',
      assignees: [leo],
    })
    const { text } = await schedule.page('?day=2027-03-15&view=map')
    assert.doesNotMatch(text, /<script>x/)
    assert.doesNotMatch(text, / style=/)
  })
})

describe('the month schedule', () => {
  it('shows each day with its first three visits and the number of the others', async () => {
    const { $, text } = await open('&view=month')
    assert.match($('h1').text(), /March 2027/)
    assert.equal($('.month td').length, 35)
    const cell = $(`#on-nobody-${DAY}`)
    assert.deepEqual(
      [cell.find('.visit').length, cell.find('.month-count').text().startsWith('5'), cell.find('.week-more').text()],
      [3, true, 'and 2 more'],
    )
    assert.equal(cell.find('.month-day').attr('href'), `${schedule.at('schedule')}?day=${DAY}`)
    assert.match(text, new RegExp(`rel="next" href="[^"]*day=2027-04-10&amp;view=month"`))
    assert.match(text, new RegExp(`rel="prev" href="[^"]*day=2027-02-10&amp;view=month"`))
    assert.equal($('.tray, .agenda-days').length, 0)
  })
})

describe('schedule colors', () => {
  it('follow the status or the technician, and the choice carries over to the other views', async () => {
    assert.equal((await open('')).$('.visit.p0, .visit.p1').length, 0)
    const { $ } = await open('&colors=person')
    const classesIn = (lane: string): string[] => [
      ...new Set(
        $(`#track-${lane} .visit`)
          .get()
          .flatMap((one) => /\bp\d\b/.exec($(one).attr('class') ?? '') ?? 'none'),
      ),
    ]
    assert.deepEqual([classesIn(leo), classesIn(mia), classesIn('nobody')], [['p0'], ['p1'], ['none']])
    for (const view of ['week', 'month', 'map'])
      assert.equal($(`nav a[href$="?day=${DAY}&view=${view}&colors=person"]`).length, 1, view)
    for (const view of ['week', 'month'])
      assert.ok((await open(`&view=${view}&colors=person`)).$('.p0').length > 0, view)
  })
})

describe('the small map and the print sheet', () => {
  it('shows a small map beside the board, which links to the large one and uses the same colors', async () => {
    const { $ } = await open('')
    assert.equal($('.small-map a').attr('href'), `${schedule.at('schedule')}?day=${DAY}&view=map`)
    assert.equal($('.small-map .pin').length, 5)
    const jobsOf = (selector: string): string[] =>
      $(selector)
        .get()
        .map((one) => $(one).attr('data-job') ?? '')
    for (const job of jobsOf('.small-map .pin')) assert.ok(jobsOf('.board .visit').includes(job), job)
    assert.ok($(`#lane-${leo} .lane-name .swatch`).hasClass('p0'))
    assert.equal($('#lane-nobody .swatch, .small-map .map-town').length, 0)
  })

  it("prints a map of each technician's stops with the numbers of the list", async () => {
    const page = await schedule.browser.get(`${schedule.at('schedule', 'print')}?day=${DAY}`)
    const $ = load(page.text)
    const sheet = $('.day-sheet').filter((_, one) => $(one).find('h1').text() === 'Leo Ruiz')
    const numbers = (selector: string): string[] =>
      sheet
        .find(selector)
        .get()
        .map((one) => $(one).text())
    assert.deepEqual(numbers('.day-sheet-number'), ['1', '2', '3'])
    assert.deepEqual(numbers('.pin text').sort(), ['1', '2', '3'])
    assert.ok(numbers('.map-town').length === 2 && sheet.find('a.pin').length === 0)
  })
})
