import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { changeMember } from '../../src/identity/people/people.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { onlyAreas } from '../harness/identity/ceilings.ts'
import { makeCompany, type Result } from '../harness/harness.ts'
import { newProtocolClient } from '../harness/clients/protocol.ts'
import { openResourceScene, today, tomorrow, type Content, type Reading } from './resource_scene.ts'

let opened: Reading
let { service, company, ana, tech, read, markdown, json, isAbsent, job, late } = {} as Reading
before(async () => {
  opened = await openResourceScene()
  ;({ service, company, ana, tech, read, markdown, json, isAbsent, job, late } = opened)
})
after(() => opened.service.stop())

const FIXED: Readonly<Record<string, readonly string[]>> = {
  today: ['read:jobs'],
  availability: ['read:jobs'],
  team: ['read:jobs'],
  messages: ['read:customers', 'read:communications'],
  receivables: ['read:invoices'],
  unbilled: ['read:jobs', 'read:invoices'],
  reports: ['read:invoices'],
  connection: ['read:tax_rates'],
}

describe('an overview', () => {
  it('is listed and readable only with the scopes of its records', async () => {
    const all = Object.keys(FIXED).map((path) => `callout://${path}`)
    const listOverviews = async (by: { key: string }): Promise<string[]> => {
      const { result } = await newProtocolClient(service.url, by.key).handshake('resources/list')
      return (result!['resources'] as Content[]).map(({ uri }) => uri).filter((uri) => uri.startsWith('callout:'))
    }
    assert.deepEqual(await listOverviews(company.owner), all)
    for (const [path, scopes] of Object.entries(FIXED)) {
      const by = await company.tenantKey(scopes)
      const listed = await listOverviews(by)
      assert.ok(listed.includes(`callout://${path}`), path)
      for (const uri of all) await (listed.includes(uri) ? read(uri, by) : isAbsent(uri, by))
      for (const missing of scopes) {
        const fewer = await company.tenantKey([...scopes.filter((scope) => scope !== missing), 'write:jobs'])
        assert.ok(!(await listOverviews(fewer)).includes(`callout://${path}`), `${path} without ${missing}`)
        await isAbsent(`callout://${path}`, fewer)
      }
    }
  })

  it('lists its templates by the same scopes', async () => {
    const templates = async (scopes: string[]): Promise<string[]> => {
      const { result } = await newProtocolClient(service.url, (await company.tenantKey(scopes)).key).handshake(
        'resources/templates/list',
      )
      return (result!['resourceTemplates'] as { uriTemplate: string }[])
        .map(({ uriTemplate }) => uriTemplate)
        .filter((uri) => uri.startsWith('callout:'))
    }
    assert.deepEqual(await templates(['read:jobs']), [
      'callout://day/{date}',
      'callout://plan/{date}',
      'callout://plan/{date}/without/{user_id}',
      'callout://availability/{date}',
      'callout://history/{kind}/{id}',
      'callout://plans/{id}',
    ])
    assert.deepEqual(await templates(['read:invoices']), [
      'callout://reports/{month}',
      'callout://history/{kind}/{id}',
      'callout://plans/{id}',
    ])
    assert.deepEqual(await templates(['write:invoices']), [])
  })

  it('follows a change of rights immediately', async () => {
    const office = await company.member('office', { ceiling: onlyAreas({ 'Jobs & scheduling': 'view' }) })
    await read('callout://today', office)
    await changeMember(service.database, { tenant: company.tenant }, office.id, {
      areas: onlyAreas({ Invoices: 'view' }),
    })
    await isAbsent('callout://today', office)
    await read('callout://receivables', office)
  })

  it("follows the client's narrowed tools", async () => {
    await isAbsent('callout://today', company.owner, '?toolsets=customers')
    await isAbsent('callout://unbilled', company.owner, '?toolsets=jobs')
    assert.ok(!(await read('callout://today', company.owner, '?toolsets=jobs')).text.includes('Overdue'))
    assert.equal(
      (await read('callout://unbilled', company.owner, '?toolsets=jobs,invoices&readonly=1')).mimeType,
      'text/markdown',
    )
  })

  it('returns not found for any other URI', async () => {
    for (const path of [
      '',
      'todays',
      'today/x',
      'TODAY',
      'today.csv',
      'day/2026-02-30',
      'day/1850-01-01',
      'day/tomorrow',
      'day/2026-11-22/x',
      'availability/+2026-11-22',
      'reports/2026-13',
      'reports/2026',
      `messages/${newId()}`,
      'messages/ana',
      `history/job/${newId()}`,
      `history/jobs/${ana['id']}`,
      `history/job/${ana['id']}`,
      `history/constructor/${ana['id']}`,
      `day/${'9'.repeat(5000)}`,
    ])
      await isAbsent(`callout://${path}`)
  })

  it('contains no records of another company', async () => {
    const other = await makeCompany(service)
    const theirs = await other.call('customers_create', { customer_type: 'individual', first_name: 'Zebra' })
    await other.call('jobs_create', {
      customer_id: theirs['id'],
      title: 'Zebra work',
      scheduled_start: `${today().toString()}T12:00`,
    })
    for (const uri of Object.keys(FIXED)) assert.ok(!(await read(`callout://${uri}`)).text.includes('Zebra'), uri)
    await isAbsent(`callout://history/customer/${theirs['id']}`)
    await isAbsent(`callout://messages/${theirs['id']}`)
  })
})

describe('callout://today', () => {
  it('contains visits by person with their details, unscheduled jobs and overdue invoices', async () => {
    const first = await job({ title: 'Boiler', scheduled_start: `${today().toString()}T09:00`, assignees: [tech.id] })
    await job({
      title: 'Gutter',
      scheduled_start: `${today().toString()}T08:00`,
      priority: 'urgent',
      duration_minutes: 90,
    })
    await job({ title: 'Roof', scheduled_start: `${today().toString()}T00:00`, all_day: true, assignees: [tech.id] })
    await company.call('jobs_cancel', {
      id: (await job({ title: 'Gone', scheduled_start: `${today().toString()}T10:00` }))['id'],
    })
    await job({ title: 'Another day', scheduled_start: `${tomorrow()}T09:00` })
    await job({ title: 'Waiting', priority: 'urgent' })
    const overdueOne = await late()
    const text = await markdown('callout://today')
    assert.match(text, new RegExp(`^# \\w+day, ${today().toString()}\n`))
    assert.ok(text.includes('|nobody|08:00-09:30|'), text)
    assert.ok(
      text.includes(`|Test tech|09:00-10:00|${first['display_number']}|«Boiler»|«Ana Okafor»|«1 Pier Rd»|scheduled|`),
    )
    assert.ok(text.includes('|Test tech|any time|'))
    assert.ok(text.includes('|scheduled, urgent|'))
    assert.ok(!text.includes('Gone') && !text.includes('Another day'))
    assert.ok(text.includes('Unscheduled jobs: 1, 1 of them urgent'))
    assert.ok(text.includes(`|${overdueOne['display_number']}|«Ana Okafor»|${overdueOne['due_date']}|10|100.00|`))
    assert.ok((await markdown(`callout://day/${tomorrow()}`)).includes('«Another day»'))
    const { visits, overdue, sums } = await json('callout://today')
    assert.equal(visits.length, 3)
    assert.deepEqual([overdue[0].balance_due_cents, sums.overdue.balance_due_cents], [10_000, 10_000])
  })

  it("omits sections that the caller can't read", async () => {
    const text = await markdown('callout://today', await company.tenantKey(['read:jobs']))
    assert.ok(text.includes('Visits') && !text.includes('Overdue') && !text.includes('unread'))
  })

  it('includes a visit that started on an earlier day and continues', async () => {
    const day = today().add({ days: 20 })
    await job({ title: 'Three days', scheduled_start: `${day.toString()}T09:00`, duration_minutes: 3 * 1440 })
    for (const ahead of [0, 1, 3])
      assert.ok((await markdown(`callout://day/${day.add({ days: ahead }).toString()}`)).includes('«Three days»'))
    assert.ok(!(await markdown(`callout://day/${day.add({ days: 4 }).toString()}`)).includes('«Three days»'))
  })
})

describe('callout://availability', () => {
  it('contains working hours minus visits and travel time', async () => {
    const monday = today().add({ days: 8 - today().dayOfWeek + 28 })
    await job({ scheduled_start: `${monday.toString()}T10:00`, assignees: [tech.id] })
    const { people } = await json(`callout://availability/${monday.toString()}`)
    assert.deepEqual(people, [
      {
        person: 'Test tech',
        [monday.toString()]: '08:00-09:45, 11:15-17:00',
        ...Object.fromEntries([1, 2, 3, 4].map((days) => [monday.add({ days }).toString(), '08:00-17:00'])),
      },
    ])
    assert.equal(
      (await json(`callout://availability/${monday.subtract({ days: 2 }).toString()}`))['people'][0][
        monday.subtract({ days: 1 }).toString()
      ],
      'off',
    )
    await job({ scheduled_start: `${monday.add({ days: 7 }).toString()}T00:00`, all_day: true, assignees: [tech.id] })
    assert.equal(
      (await json(`callout://availability/${monday.add({ days: 7 }).toString()}`))['people'][0][
        monday.add({ days: 7 }).toString()
      ],
      'full',
    )
  })
})

describe('callout://availability at a location', () => {
  it('contains the added driving per visit and excludes travel from free times', async () => {
    const monday = today().add({ days: 8 - today().dayOfWeek + 56 })
    const place = (latitude: number) => ({
      customer_id: ana['id'],
      address_line1: '1 Main St',
      latitude,
      longitude: -74,
    })
    const [home, near, unknown] = await Promise.all([
      company.call('locations_create', place(40.7)),
      company.call('locations_create', place(40.8)),
      company.call('locations_create', { customer_id: ana['id'], address_line1: '2 Main St' }),
    ])
    await job({ scheduled_start: `${monday.toString()}T10:00`, assignees: [tech.id], location_id: home['id'] })
    const freeAt = async ({ id }: Result): Promise<string> =>
      (await json(`callout://availability/${monday.toString()}/${id}`))['people'][0][monday.toString()]
    assert.equal(await freeAt(home), '08:00-10:00 (about +0 min), 11:00-17:00 (about +0 min)')
    assert.equal(await freeAt(near), '08:00-09:35 (about +25 min), 11:25-17:00 (about +25 min)')
    assert.equal(await freeAt(unknown), '08:00-09:45, 11:15-17:00')
    const least = async ({ id }: Result) =>
      /Least added driving for an hour of work: (.*)\./.exec(
        (await read(`callout://availability/${monday.toString()}/${id}`)).text,
      )?.[1]
    const name = `Test tech ${monday.toString()}`
    assert.equal(await least(near), `${name} 08:00 (about +25 min), ${name} 11:30 (about +25 min)`)
    assert.equal(await least(unknown), undefined)
  })

  it("returns not found for an unknown or another company's location, and without location rights", async () => {
    const other = await makeCompany(service)
    const theirs = await other.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Zebra',
      locations: [{ address_line1: '3 Main St' }],
    })
    for (const id of [theirs['locations'][0].id, newId(), 'x', ana['id']])
      await isAbsent(`callout://availability/${today().toString()}/${id}`)
    const own = await company.call('locations_create', { customer_id: ana['id'], address_line1: '4 Main St' })
    const uri = `callout://availability/${today().toString()}/${own['id']}`
    await read(uri)
    await isAbsent(uri, await company.tenantKey(['read:jobs']))
    await isAbsent(`callout://availability/yesterday/${own['id']}`)
  })
})

describe('callout://team', () => {
  it('lists the crew with their user ids, and marks the person the caller acts for', async () => {
    const { people } = await json('callout://team')
    assert.deepEqual(
      people.filter(({ role }: Result) => role === 'tech').map(({ user_id }: Result) => user_id),
      [tech.id],
    )
    assert.ok(
      people.some(({ user_id, name }: Result) => user_id === company.owner.id && name.endsWith('(you act for them)')),
    )
  })
})
