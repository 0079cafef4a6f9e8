import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { setMember } from '../../src/access/people/people.ts'
import { writeTenant, sql } from '../../src/db/tenant.ts'
import { newId } from '../../src/shape/id.ts'
import { only } from '../harness/ceilings.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { asker } from '../harness/protocol.ts'

const ZONE = 'America/New_York'
let service: TestService
let company: Company
let ana: Result
let tech: { id: string }
const today = () => Temporal.Now.plainDateISO(ZONE)
const tomorrow = () => today().add({ days: 1 }).toString()

before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  tech = await company.member('tech')
  ana = await company.call('customers_create', {
    customer_type: 'individual',
    first_name: 'Ana',
    last_name: 'Okafor',
    locations: [{ address_line1: '1 Pier Rd' }],
  })
})
after(() => service.stop())

type Content = { uri: string; mimeType: string; text: string }
const read = async (uri: string, by: { key: string } = company.owner, query = ''): Promise<Content> => {
  const { result, error } = await asker(service.url + query, by.key).handshake('resources/read', { uri })
  assert.ok(result, `${uri}: ${JSON.stringify(error)}`)
  assert.equal(result['contents'].length, 1)
  assert.equal(result['contents'][0].uri, uri)
  return result['contents'][0] as Content
}
const markdown = async (uri: string, by?: { key: string }): Promise<string> => {
  const { mimeType, text } = await read(uri, by)
  assert.equal(mimeType, 'text/markdown')
  return text
}
const json = async (uri: string, by?: { key: string }): Promise<Result> => {
  const { mimeType, text } = await read(`${uri}.json`, by)
  assert.equal(mimeType, 'application/json')
  return JSON.parse(text) as Result
}
const isAbsent = async (uri: string, by: { key: string } = company.owner, query = ''): Promise<void> => {
  const { eras } = asker(service.url + query, by.key)
  assert.deepEqual((await eras['2025-11-25']('resources/read', { uri })).error, {
    code: -32002,
    message: 'Resource not found',
    data: { uri: uri.length > 64 ? `${uri.slice(0, 64)}…` : uri },
  })
  assert.equal((await eras['2026-07-28']('resources/read', { uri })).error!.code, -32602)
}
const job = async (given: object): Promise<Result> =>
  company.call('jobs_create', { customer_id: ana['id'], title: 'Work', ...given })
const invoice = async (given: object = {}): Promise<Result> =>
  company.call('invoices_create', {
    customer_id: ana['id'],
    line_items: [{ name: 'x', unit_price_cents: 10_000 }],
    ...given,
  })

const FIXED: Readonly<Record<string, readonly string[]>> = {
  today: ['read:jobs'],
  availability: ['read:jobs'],
  team: ['read:jobs'],
  messages: ['read:customers'],
  receivables: ['read:invoices'],
  unbilled: ['read:jobs', 'read:invoices'],
  reports: ['read:invoices'],
  connection: ['read:tax_rates'],
}

describe('an overview', () => {
  it('is listed and read by whoever has the scopes of its records, and absent for others', async () => {
    const all = Object.keys(FIXED).map((path) => `callout://${path}`)
    const listedFor = async (by: { key: string }): Promise<string[]> => {
      const { result } = await asker(service.url, by.key).handshake('resources/list')
      return (result!['resources'] as Content[]).map(({ uri }) => uri).filter((uri) => uri.startsWith('callout:'))
    }
    assert.deepEqual(await listedFor(company.owner), all)
    for (const [path, scopes] of Object.entries(FIXED)) {
      const by = await company.tenantKey(scopes)
      const listed = await listedFor(by)
      assert.ok(listed.includes(`callout://${path}`), path)
      for (const uri of all) await (listed.includes(uri) ? read(uri, by) : isAbsent(uri, by))
      for (const missing of scopes) {
        const fewer = await company.tenantKey([...scopes.filter((scope) => scope !== missing), 'write:jobs'])
        assert.ok(!(await listedFor(fewer)).includes(`callout://${path}`), `${path} without ${missing}`)
        await isAbsent(`callout://${path}`, fewer)
      }
    }
  })

  it('has its templates listed by the same rule', async () => {
    const templates = async (scopes: string[]): Promise<string[]> => {
      const { result } = await asker(service.url, (await company.tenantKey(scopes)).key).handshake(
        'resources/templates/list',
      )
      return (result!['resourceTemplates'] as { uriTemplate: string }[])
        .map(({ uriTemplate }) => uriTemplate)
        .filter((uri) => uri.startsWith('callout:'))
    }
    assert.deepEqual(await templates(['read:jobs']), [
      'callout://day/{date}',
      'callout://availability/{date}',
      'callout://history/{kind}/{id}',
    ])
    assert.deepEqual(await templates(['read:invoices']), ['callout://reports/{month}', 'callout://history/{kind}/{id}'])
    assert.deepEqual(await templates(['write:invoices']), [])
  })

  it('goes by the rights of this moment', async () => {
    const office = await company.member('office', { ceiling: only({ 'Jobs & scheduling': 'view' }) })
    await read('callout://today', office)
    await setMember(service.database, { tenant: company.tenant }, office.id, { areas: only({ Invoices: 'view' }) })
    await isAbsent('callout://today', office)
    await read('callout://receivables', office)
  })

  it('goes with the tools that a client narrowed to', async () => {
    await isAbsent('callout://today', company.owner, '?toolsets=customers')
    await isAbsent('callout://unbilled', company.owner, '?toolsets=jobs')
    assert.ok(!(await read('callout://today', company.owner, '?toolsets=jobs')).text.includes('Overdue'))
    assert.equal(
      (await read('callout://unbilled', company.owner, '?toolsets=jobs,invoices&readonly=1')).mimeType,
      'text/markdown',
    )
  })

  it('is absent under any other address', async () => {
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

  it("never shows another company's records", async () => {
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
  it('has visits by person with time, customer, address and status, what waits and what is overdue', async () => {
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
    const late = await invoice({
      issue_date: today().subtract({ days: 40 }).toString(),
      due_date: today().subtract({ days: 10 }).toString(),
    })
    await company.call('invoices_update', { id: late['id'], status: 'sent' })
    const text = await markdown('callout://today')
    assert.match(text, new RegExp(`^# \\w+day, ${today().toString()}\n`))
    assert.ok(text.includes('|nobody|08:00-09:30|'), text)
    assert.ok(
      text.includes(`|Test tech|09:00-10:00|${first['display_number']}|«Boiler»|«Ana Okafor»|«1 Pier Rd»|scheduled|`),
    )
    assert.ok(text.includes('|Test tech|any time|'))
    assert.ok(text.includes('|scheduled, urgent|'))
    assert.ok(!text.includes('Gone') && !text.includes('Another day'))
    assert.ok(text.includes('1 jobs wait for a time, 1 of them urgent'))
    assert.ok(text.includes(`|${late['display_number']}|«Ana Okafor»|${late['due_date']}|10|100.00|`))
    assert.ok((await markdown(`callout://day/${tomorrow()}`)).includes('«Another day»'))
    const { visits, overdue, customer_words, sums } = await json('callout://today')
    assert.equal(visits.length, 3)
    assert.deepEqual(customer_words, ['title', 'customer', 'address'])
    assert.deepEqual([overdue[0].balance_due_cents, sums.overdue.balance_due_cents], [10_000, 10_000])
  })

  it('shows no part that the caller may not read', async () => {
    const text = await markdown('callout://today', await company.tenantKey(['read:jobs']))
    assert.ok(text.includes('Visits') && !text.includes('Overdue') && !text.includes('unread'))
  })

  it('has a visit that began before and goes on', async () => {
    const day = today().add({ days: 20 })
    await job({ title: 'Three days', scheduled_start: `${day.toString()}T09:00`, duration_minutes: 3 * 1440 })
    for (const ahead of [0, 1, 3])
      assert.ok((await markdown(`callout://day/${day.add({ days: ahead }).toString()}`)).includes('«Three days»'))
    assert.ok(!(await markdown(`callout://day/${day.add({ days: 4 }).toString()}`)).includes('«Three days»'))
  })
})

describe('callout://availability', () => {
  it('has what working hours leave beside visits and the way to them', async () => {
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

describe('callout://team', () => {
  it('has who works here with the ids that assignees take, and marks whom the caller acts for', async () => {
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

describe('money', () => {
  it('has what is owed by customer and age, and what is overdue', async () => {
    const { customers, overdue, sums } = await json('callout://receivables')
    assert.deepEqual(customers, [
      {
        customer: 'Ana Okafor',
        invoices: 1,
        current_cents: null,
        to_30_cents: 10_000,
        to_60_cents: null,
        to_90_cents: null,
        over_90_cents: null,
        balance_cents: 10_000,
      },
    ])
    assert.equal(overdue[0].days_late, 10)
    assert.equal(sums.customers.balance_cents, 10_000)
  })

  it('has work that is done and on no invoice that stands', async () => {
    const done = async (more: object = {}): Promise<Result> => {
      const made = await job({ line_items: [{ name: 'x', unit_price_cents: 700 }], ...more })
      return company.call('jobs_update', { id: made['id'], status: 'done' })
    }
    const [open, billed, voided] = [
      await done({ title: 'Open' }),
      await done({ title: 'Billed' }),
      await done({ title: 'Voided' }),
    ]
    await invoice({ job_ids: [billed['id']] })
    await company.call('invoices_void', { id: (await invoice({ job_ids: [voided['id']] }))['id'] })
    const { jobs, sums } = await json('callout://unbilled')
    assert.deepEqual(
      jobs.map(({ job, title }: Result) => [job, title]),
      [
        [open['display_number'], 'Open'],
        [voided['display_number'], 'Voided'],
      ],
    )
    assert.equal(sums.jobs.subtotal_cents, 1400)
    assert.ok(
      (await markdown('callout://unbilled')).includes(
        `|${open['display_number']}|«Open»|«Ana Okafor»|${today().toString()}|7.00|`,
      ),
    )
  })

  it('has invoiced, received and overdue by month and by customer', async () => {
    const paying = await makeCompany(service)
    const make = (name: string) => paying.call('customers_create', { customer_type: 'company', company_name: name })
    const [big, small] = [await make('Big'), await make('Small')]
    const sent = async (customer_id: string, cents: number, issue_date: string, due_date: string, status = 'sent') => {
      const { id } = await paying.call('invoices_create', {
        customer_id,
        issue_date,
        due_date,
        line_items: [{ name: 'x', unit_price_cents: cents }],
      })
      await paying.call('invoices_update', { id, status })
    }
    const month = today().with({ day: 1 }).subtract({ months: 1 })
    const day = (n: number) => month.add({ days: n }).toString()
    await sent(big['id'], 5000, day(0), day(9))
    await sent(big['id'], 300, day(0), day(9), 'paid')
    await sent(small['id'], 70, day(3), today().add({ days: 60 }).toString())
    await paying.call('invoices_create', {
      customer_id: small['id'],
      issue_date: day(1),
      line_items: [{ name: 'draft', unit_price_cents: 9 }],
    })
    const { months } = await json('callout://reports', paying.owner)
    assert.deepEqual(months, [
      { month: day(0).slice(0, 7), invoiced_cents: 5370, received_cents: 0, overdue_cents: 5000 },
      { month: today().toString().slice(0, 7), invoiced_cents: 0, received_cents: 300, overdue_cents: 0 },
    ])
    const { customers } = await json(`callout://reports/${day(0).slice(0, 7)}`, paying.owner)
    assert.deepEqual(customers, [
      { customer: 'Big', invoiced_cents: 5300, received_cents: 0, overdue_cents: 5000 },
      { customer: 'Small', invoiced_cents: 70, received_cents: 0, overdue_cents: 0 },
    ])
  })
})

describe('callout://history and callout://connection', () => {
  it('say who changed what from what to what, newest first', async () => {
    const made = await job({ title: 'Before', scheduled_start: `${tomorrow()}T09:00` })
    await company.call('jobs_update', { id: made['id'], title: 'After' })
    const { changes } = await json(`callout://history/job/${made['id']}`)
    assert.deepEqual(
      changes.map(({ who, tool, changed }: Result) => [who, tool, changed]),
      [
        ['Test owner with owner', 'jobs.update', 'title: Before → After'],
        ['Test owner with owner', 'jobs.create', 'created'],
      ],
    )
    const mine = (await json('callout://connection'))['changes']
    assert.deepEqual(
      [mine[0].number, mine[0].changed, mine[1].changed],
      [made['display_number'], 'title: Before → After', 'created'],
    )
  })

  it('hide what the reader may not see', async () => {
    const item = await company.call('catalog_items_create', {
      kind: 'product',
      name: 'Pump',
      unit_price_cents: 1,
      cost_cents: 4711,
    })
    await company.call('catalog_items_update', { id: item['id'], cost_cents: 4712 })
    const uri = `callout://history/catalog_item/${item['id']}`
    assert.ok((await markdown(uri)).includes('4712'))
    assert.ok(!(await markdown(uri, await company.tenantKey(['read:catalog_items']))).includes('4712'))
    await isAbsent(uri, await company.tenantKey(['read:jobs']))
    const key = await company.member('owner', { scopes: ['write:tax_rates', 'write:customers', 'read:customers'] })
    await key.call('tax_rates_create', { name: 'Hidden rate', rate_percentage: 1 })
    await key.call('customers_create', { customer_type: 'individual', first_name: 'Shown' })
    const { changes } = await json('callout://connection', key)
    assert.deepEqual(
      changes.map(({ tool, customer }: Result) => [tool, customer]),
      [['customers.create', 'Shown']],
    )
  })
})

describe('callout://messages', () => {
  it('has what a customer and the company wrote, and what nobody has read', async () => {
    const message = (direction: string, subject: string | null, body: string, minute: number): Promise<unknown> =>
      writeTenant(service.database, { tenant: company.tenant }, (db) =>
        db.run(sql`insert into communications (tenant_id, id, channel, direction, status, provider, provider_message_id, sender, sender_address, recipients, subject, body, customer_id, occurred_at)
          values (${db.tenant}, ${newId()}, 'email', ${direction}, ${direction === 'inbound' ? 'received' : 'delivered'}, 'email', ${newId()}, 'ana@example.com', 'ana@example.com',
            ${['office@example.com']}, ${subject}, ${body}, ${ana['id']}, ${`2026-11-20T10:0${minute}:00Z`})`),
      )
    await message('inbound', 'Gate', `The code is 4711.\n${'More. '.repeat(200)}`, 1)
    await message('outbound', null, 'Thank you', 2)
    const { messages } = await json(`callout://messages/${ana['id']}`)
    assert.deepEqual(
      messages.map(({ from, subject }: Result) => [from, subject]),
      [
        ['Ana Okafor', 'Gate'],
        ['the company', null],
      ],
    )
    assert.ok(messages[0].text.startsWith('The code is 4711.') && messages[0].text.length < 400)
    assert.deepEqual(
      (await json('callout://messages'))['messages'].map(({ customer_id }: Result) => customer_id),
      [ana['id']],
    )
  })
})

describe('a company with a lot of everything', () => {
  it('gets each answer in one read of 1,500 tokens at most, and is told that there is more', async () => {
    const busy = await makeCompany(service)
    const long = 'Replacement of the old tankless water heater behind the garage and of its valves'
    const crew = await Promise.all(Array.from({ length: 14 }, () => busy.member('tech')))
    const customers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        busy.call('customers_create', {
          customer_type: 'company',
          company_name: `Northern Lakeside Property Management ${i}`,
          locations: [
            {
              address_line1: `${i}404 Old Brushy Creek Mountain Road`,
              city: 'Cedar Park',
              region: 'TX',
              postal_code: '78613',
            },
          ],
        }),
      ),
    )
    for (const [i, { id: customer_id }] of customers.entries()) {
      const lines = { line_items: [{ name: long, unit_price_cents: 123_456 + i }] }
      for (const hour of [9, 12, 15])
        await busy.call('jobs_create', {
          customer_id,
          title: long,
          scheduled_start: `${today().toString()}T${String(hour).padStart(2, '0')}:${String(10 + i)}`,
          assignees: [crew[i % 14]!.id],
          ...lines,
        })
      const done = await busy.call('jobs_create', { customer_id, title: long, ...lines })
      await busy.call('jobs_update', { id: done['id'], status: 'done' })
      const owed = await busy.call('invoices_create', {
        customer_id,
        issue_date: today()
          .subtract({ days: 100 - i })
          .toString(),
        due_date: today()
          .subtract({ days: 95 - 3 * i })
          .toString(),
        ...lines,
      })
      await busy.call('invoices_update', { id: owed['id'], status: 'sent' })
    }
    const uris = [
      ...Object.keys(FIXED),
      `availability/${tomorrow()}`,
      `history/customer/${customers[0]!['id']}`,
      `reports/${today().toString().slice(0, 7)}`,
    ]
    for (const uri of uris) {
      const text = await markdown(`callout://${uri}`, busy.owner)
      const tokens = encode(text).length
      assert.ok(tokens <= 1500, `${uri} has ${tokens} tokens`)
    }
    assert.match(
      await markdown('callout://today', busy.owner),
      /## Visits \(90\)[^]*… and 72 more: jobs_list with scheduled_from/,
    )
    assert.match(await markdown('callout://unbilled', busy.owner), /## Jobs \(30\)[^]*… and 5 more/)
    assert.match(await markdown('callout://availability', busy.owner), /… and 4 more/)
  })
})

describe('a variable of an overview', () => {
  const complete = async (uri: string, name: string, value: string, by: { key: string } = company.owner) =>
    asker(service.url, by.key).handshake('completion/complete', {
      ref: { type: 'ref/resource', uri },
      argument: { name, value },
    })

  it('is completed: days, months and customers', async () => {
    const values = async (uri: string, name: string, value: string): Promise<string[]> =>
      (await complete(uri, name, value)).result!['completion'].values as string[]
    assert.deepEqual((await values('callout://day/{date}', 'date', '2027-02')).length, 28)
    assert.equal((await values('callout://reports/{month}', 'month', ''))[0], today().toString().slice(0, 7))
    assert.deepEqual(await values('callout://messages/{customer_id}', 'customer_id', 'okafor'), [ana['id']])
    assert.deepEqual(await values('callout://history/{kind}/{id}', 'id', ''), [])
  })

  it('is refused by another name, and to who may not read the overview', async () => {
    assert.match((await complete('callout://day/{date}', 'day', '')).error!.message, /unknown argument "day"/)
    const { error } = await complete('callout://day/{date}', 'date', '', await company.tenantKey(['read:invoices']))
    assert.match(error!.message, /unknown resource template "callout:\/\/day\/\{date\}"/)
  })
})
