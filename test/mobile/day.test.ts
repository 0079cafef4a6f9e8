import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Result } from '../harness/harness.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { phoneOf, today } from '../harness/messaging/phones.ts'
import { openAtWork, type AtWork } from './at_work.ts'

let work: AtWork
let { office, luis, ann, book } = {} as AtWork
before(async () => {
  work = await openAtWork({
    last_name: 'Lee',
    phone: '(512) 555-0143',
    locations: [{ address_line1: '9 Elm St', city: 'Austin', access_notes: 'Gate 12' }],
  })
  ;({ office, luis, ann, book } = work)
})
after(() => work.service.stop())

describe("a phone's day", () => {
  it('has the visits of today and tomorrow, own ones first, with the details needed on site', async () => {
    const tomorrow = Temporal.PlainDate.from(today()).add({ days: 1 }).toString()
    await book('Of nobody', { scheduled_start: `${today()}T07:00`, assignees: [] })
    await book('Tomorrow', { scheduled_start: `${tomorrow}T09:00` })
    await book('In a week', {
      scheduled_start: `${Temporal.PlainDate.from(today()).add({ days: 7 }).toString()}T09:00`,
    })
    await office.call('jobs_cancel', { id: (await book('Canceled')).id })
    const pump = await office.call('catalog_items_create', { kind: 'product', name: 'Pump', unit_price_cents: 9_000 })
    await book('Leak', { instructions: 'Ring twice', line_items: [{ catalog_item_id: pump.id, quantity: 2 }] })
    const day = await luis.day()
    const visits = day['visits'] as Result[]
    assert.deepEqual(
      visits.map(({ title, mine }) => [title, mine]),
      [
        ['Leak', true],
        ['Tomorrow', true],
        ['Of nobody', false],
      ],
    )
    const [{ contact, address, access_notes, instructions, bring, parts, day: on, time, url, id }] = visits as [Result]
    assert.deepEqual(
      { contact, lines: address.lines, access_notes, instructions, on, url },
      {
        contact: { name: 'Ann Lee', phone: '+15125550143', may_text: true },
        lines: ['9 Elm St', 'Austin'],
        access_notes: 'Gate 12',
        instructions: 'Ring twice',
        on: today(),
        url: office.at('jobs', id),
      },
    )
    const priced = bring.map((part: Result) => ({ ...part, price_cents: 9_000, total_cents: 18_000 }))
    assert.deepEqual([bring[0].name, bring[0].quantity, priced, time.state], ['Pump', 2, parts, 'none'])
    assert.deepEqual([day['today'], day['person'].user_id, day['catalog'][0].name], [today(), luis.user, 'Pump'])
    assert.deepEqual(day['may'], {
      status: true,
      notes: true,
      parts: true,
      photos: true,
      equipment: true,
      payments: false,
      receipts: false,
      late: true,
      quotes: false,
      charges: false,
    })
  })

  it('returns 304 for its ETag until something changes', async () => {
    const job = await book('Changing')
    const first = await luis.ask('day.json')
    const etag = first.headers.get('etag')!.replace(/^W\//, '')
    assert.deepEqual([etag, first.headers.get('cache-control')], [`"${first.body['version']}"`, 'private, no-cache'])
    for (const tag of [etag, `W/${etag}`])
      assert.equal((await luis.ask('day.json', { headers: { 'if-none-match': tag } })).status, 304)
    assert.equal((await luis.browser.send(luis.at('day.json'), { method: 'HEAD' })).status, 200)
    await office.call('notes_create', { body: 'Bring a ladder', subject_type: 'job', subject_id: job.id })
    const { status, body } = await luis.ask('day.json', { headers: { 'if-none-match': etag } })
    assert.equal(status, 200)
    const changed = (body['visits'] as Result[]).find(({ id }) => id === job.id)!
    assert.deepEqual([changed.notes.length, changed.notes[0].body], [1, 'Bring a ladder'])
  })

  it('is under 200 kB compressed, however long the texts are', async () => {
    const dense = (length: number): string =>
      Array.from({ length }, () => String.fromCodePoint(0x4e00 + randomInt(20_000))).join('')
    const jobs = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        book(`Long ${i}`, { instructions: dense(3_000), description: dense(3_000) }),
      ),
    )
    for (const { id } of jobs)
      for (let i = 0; i < 3; i++)
        await office.call('notes_create', { body: dense(5_000), subject_type: 'job', subject_id: id })
    const day = await luis.day()
    const sent = gzipSync(JSON.stringify(day)).length
    assert.ok(sent < 200_000, `${sent} bytes`)
    const long = (day['visits'] as Result[]).filter(({ title }) => String(title).startsWith('Long'))
    assert.deepEqual([long.length, long[0]!.instructions.length], [20, 600])
    assert.ok(long.every(({ notes }) => notes.length === 3 && notes[0].body.endsWith('…')))
  })

  it('has the same arrival window as the pages of the job and its series', async () => {
    const job = await book('With a window', { arrival_window_minutes: 90 })
    const series = await office.call('job_series_create', {
      customer_id: ann.id,
      title: 'Filters',
      rrule: 'FREQ=WEEKLY',
      dtstart: `${today()}T09:00`,
      arrival_window_minutes: 90,
    })
    const visit = ((await luis.day())['visits'] as Result[]).find(({ id }) => id === job.id)!
    assert.equal(visit['arrival_window_minutes'], 90)
    for (const page of [office.at('jobs', job.id), office.at('job_series', series.id)])
      assert.match(pageTextOf(await office.browser.get(page)), /arrival within 1 h 30 min/)
  })

  it("draws a route through today's own visits in order, once two locations are known", async () => {
    const { user_id, browser } = await office.signInMember('tech')
    const phone = phoneOf(work.service, office, user_id, browser)
    const place = (postal_code: string) =>
      office.call('locations_create', {
        customer_id: ann.id,
        address_line1: '1 Main St',
        city: 'Austin',
        region: 'TX',
        postal_code,
      })
    const [north, south] = [await place('78757'), await place('78745')]
    const at = (title: string, time: string, location: Result, assignees: string[]) =>
      book(title, { scheduled_start: `${today()}T${time}`, location_id: location.id, assignees })
    const second = await at('<b>Second', '13:00', north, [user_id])
    await at('Of others', '08:00', south, [luis.user])
    assert.equal((await phone.day())['map'], null)
    const first = await at('First', '10:00', south, [user_id])
    const { map, visits, version } = await phone.day()
    assert.deepEqual(
      [...String(map).matchAll(/href="#v-([0-9a-f-]{36})"[^]*?<text y="5">(\d)<\/text>/g)].map(([, id, mark]) => [
        id,
        mark,
      ]),
      [
        [first.id, '1'],
        [second.id, '2'],
      ],
    )
    assert.ok(String(map).includes('&lt;b&gt;Second') && !String(map).includes('Of others'))
    const before = (visits as Result[]).find(({ id }) => id === first.id)!['position']
    assert.deepEqual([Math.round(before.latitude), Math.round(before.longitude)], [30, -98])
    await office.call('locations_update', { id: south.id, postal_code: '78701' })
    const later = await phone.day()
    assert.notEqual(later['version'], version)
    assert.notDeepEqual((later['visits'] as Result[]).find(({ id }) => id === first.id)!['position'], before)
  })
})
