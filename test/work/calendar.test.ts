import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import ICAL from 'ical.js'
import pino from 'pino'
import { createKey, revokeKey } from '../../src/identity/credentials/keys.ts'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'
import { openSettings } from '../harness/identity/settings.ts'

/** Tomorrow at nine in New York, within the year that a calendar covers. */
const START = Temporal.Now.zonedDateTimeISO('America/New_York')
  .add({ days: 1 })
  .with({ hour: 9, minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 })

let service: TestService
const lines: string[] = []
before(async () => {
  service = await startTestService(
    {},
    { log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }) },
  )
})
after(() => service.stop())

type Answer = { status: number; text: string; etag: string | null; type: string | null }

async function read(key: string, whose: 'mine' | 'company', init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${service.origin}/calendar/${key}/${whose}.ics`, init)
  return {
    status: response.status,
    text: await response.text(),
    etag: response.headers.get('etag'),
    type: response.headers.get('content-type'),
  }
}

const eventsOf = ({ text }: Answer) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component)
    return {
      summary: event.summary,
      start: event.startDate.toJSDate().getTime(),
      sequence: event.sequence,
      status: component.getFirstPropertyValue('status'),
      uid: event.uid,
      location: event.location,
      description: event.description,
    }
  })

/** Creates a company with two technicians and one visit for each. */
async function openCompany() {
  const company: Company = await makeCompany(service)
  const [first, second] = [await company.member('tech'), await company.member('tech')]
  const customer = await company.call('customers_create', {
    customer_type: 'individual',
    first_name: 'Ann',
    last_name: 'Lee',
  })
  const book = (title: string, assignees: readonly string[], more: object = {}) =>
    company.call('jobs_create', {
      customer_id: customer['id'],
      title,
      scheduled_start: START.toInstant().toString(),
      duration_minutes: 60,
      assignees,
      ...more,
    })
  return {
    company,
    first,
    second,
    book,
    firstVisit: await book('Furnace', [first.id]),
    secondVisit: await book('Drain; "main"', [second.id]),
  }
}

describe('the visit calendar feed', () => {
  it('contains the visits of one member or of the company', async () => {
    const { company, first } = await openCompany()
    const own = await read(first.key, 'mine')
    assert.equal(own.status, 200)
    assert.equal(own.type, 'text/calendar; charset=utf-8')
    assert.deepEqual(
      eventsOf(own).map(({ summary, start, status }) => ({ summary, start, status })),
      [{ summary: 'Furnace · Ann Lee', start: START.epochMilliseconds, status: 'CONFIRMED' }],
    )
    const all = await read(company.owner.key, 'company')
    assert.deepEqual(
      eventsOf(all)
        .map(({ summary }) => summary)
        .sort(),
      ['Drain; "main" · Ann Lee', 'Furnace · Ann Lee'],
    )
    assert.deepEqual(eventsOf(await read(company.owner.key, 'mine')), [])
    assert.match(eventsOf(own)[0]?.description ?? '', /\nArrival 9:00\s–\s11:00\sAM$/u)
  })

  it('contains upcoming visits even after more than 2,000 past ones', async () => {
    const { company, firstVisit } = await openCompany()
    await writeTenant(service.database, { tenant: company.tenant, options: { patient: true } }, (db) =>
      db.run(sql`insert into jobs (tenant_id, id, number, customer_id, title, title_folded, status, priority,
          scheduled_start, scheduled_end, duration_minutes, all_day, arrival_window_minutes, timezone, assignee_ids,
          line_items, subtotal_cents, completed_at, fields)
        select tenant_id, gen_random_uuid(), number + 1000 + n, customer_id, title, title_folded, 'done', priority,
          moment() - make_interval(mins => 10 * n), moment() - make_interval(mins => 10 * n - 5), 5, false, 0, timezone,
          assignee_ids, line_items, subtotal_cents, moment(), fields
        from jobs cross join generate_series(1, 2100) n where id = ${firstVisit['id']}`),
    )
    const events = eventsOf(await read(company.owner.key, 'company'))
    assert.equal(events.length, 502)
    assert.equal(events.filter(({ start }) => start === START.epochMilliseconds).length, 2)
    assert.deepEqual(
      events.map(({ start }) => start),
      events.map(({ start }) => start).sort((a, b) => a - b),
    )
  })

  it('keeps the UID with a higher SEQUENCE after a move, and reports a cancellation', async () => {
    const { company, first, firstVisit } = await openCompany()
    const [before] = eventsOf(await read(first.key, 'mine'))
    await writeTenant(service.database, { tenant: company.tenant }, (db) =>
      db.run(sql`update jobs set created_at = created_at - interval '1 minute'
        where tenant_id = ${db.tenant} and id = ${firstVisit['id']}`),
    )
    const moved = START.add({ hours: 2 })
    await company.call('jobs_update', { id: firstVisit['id'], scheduled_start: moved.toInstant().toString() })
    const [after] = eventsOf(await read(first.key, 'mine'))
    assert.equal(after?.uid, before?.uid)
    assert.equal(after?.start, moved.epochMilliseconds)
    assert.ok(after.sequence > (before?.sequence ?? Infinity))
    await company.call('jobs_cancel', { id: firstVisit['id'], reason: 'Called off' })
    assert.equal(eventsOf(await read(first.key, 'mine'))[0]?.status, 'CANCELLED')
  })

  it('returns 304 for an unchanged ETag, and no body for HEAD', async () => {
    const { first, book } = await openCompany()
    const { etag } = await read(first.key, 'mine')
    assert.ok(etag !== null)
    const headers = { 'If-None-Match': etag }
    const same = await read(first.key, 'mine', { headers })
    assert.deepEqual([same.status, same.text], [304, ''])
    await book('Second', [first.id])
    assert.equal((await read(first.key, 'mine', { headers })).status, 200)
    const head = await read(first.key, 'mine', { method: 'HEAD' })
    assert.deepEqual([head.status, head.text], [200, ''])
  })

  it('stops with 401 or 403 after the key, the right to see jobs or the membership is removed', async () => {
    const { company, first, second } = await openCompany()
    const entry = { tenant: company.tenant }
    const key = await createKey(service.database, entry, {
      user: first.id,
      name: 'Calendar',
      scopes: ['read:jobs'],
      expires_at: null,
    })
    assert.equal((await read(key.key, 'mine')).status, 200)
    await revokeKey(service.database, entry, key.id)
    assert.equal((await read(key.key, 'mine')).status, 401)
    const change = (statement: ReturnType<typeof sql>) =>
      writeTenant(service.database, entry, (db) => db.run(statement))
    await change(
      sql`update members set ceiling = ceiling || '{"Jobs & scheduling": "none"}' where user_id = ${first.id}`,
    )
    assert.equal((await read(first.key, 'mine')).status, 403)
    await change(sql`update members set deactivated_at = moment() where user_id = ${second.id}`)
    assert.equal((await read(second.key, 'mine')).status, 401)
  })

  it("refuses keys without read:jobs, a tenant key's own visits, other methods and unknown keys", async () => {
    const { company } = await openCompany()
    const other = await company.member('office', { scopes: ['read:customers'] })
    assert.equal((await read(other.key, 'company')).status, 403)
    const ofCompany = await company.tenantKey(['read:jobs'])
    assert.equal((await read(ofCompany.key, 'company')).status, 200)
    assert.equal((await read(ofCompany.key, 'mine')).status, 404)
    assert.equal((await read(company.owner.key, 'mine', { method: 'POST' })).status, 405)
    for (const key of ['svc_uk_unknown', 'nothing', '%00', 'x'.repeat(5_000)])
      assert.ok([401, 404].includes((await read(key, 'mine')).status), key)
  })

  it('contains no visits of another company', async () => {
    const [ours, theirs] = [await openCompany(), await openCompany()]
    const uids = eventsOf(await read(theirs.company.owner.key, 'company')).map(({ uid }) => uid)
    const own = eventsOf(await read(ours.company.owner.key, 'company'))
    assert.equal(own.length, 2)
    assert.ok(own.every(({ uid }) => !uids.includes(uid)))
  })

  it('keeps the key out of the log', async () => {
    const { first } = await openCompany()
    await read(first.key, 'mine')
    await fetch(`${service.origin}/calendar/${first.key}/other`).then((answer) => answer.text())
    const logged = lines.join('')
    assert.match(logged, /\/calendar\/…/)
    assert.doesNotMatch(logged, new RegExp(first.key))
  })
})

describe('the calendar settings page', () => {
  it('creates a working feed address, shows it once, and lists its key', async () => {
    const { service, at, owner: browser } = await openSettings()
    try {
      assert.match((await browser.get(at('calendar'))).text, /Create calendar address/)
      const { text } = await browser.post(at('calendar'), { whose: 'company' })
      const path = /(\/calendar\/svc_uk_\w+\/company\.ics)/.exec(text)?.[1]
      assert.ok(path !== undefined)
      assert.equal((await fetch(service.origin + path)).status, 200)
      assert.doesNotMatch((await browser.get(at('calendar'))).text, /svc_uk_/)
      assert.match((await browser.get(at('keys'))).text, /Calendar: all visits/)
    } finally {
      await service.stop()
    }
  })
})
