import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { makeCompany } from '../harness/harness.ts'
import { newProtocolClient } from '../harness/clients/protocol.ts'
import { openResourceScene, today, tomorrow, type Reading } from './resource_scene.ts'

let opened: Reading
let { service, company, ana, markdown } = {} as Reading
before(async () => {
  opened = await openResourceScene()
  ;({ service, company, ana, markdown } = opened)
})
after(() => opened.service.stop())

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

describe('a company with many records', () => {
  it('gets each overview within 1,500 tokens, with a note that there is more', async () => {
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
      `availability/${tomorrow()}/${customers[0]!['locations'][0].id}`,
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

describe('completion of an overview variable', () => {
  const complete = async (uri: string, name: string, value: string, by: { key: string } = company.owner) =>
    newProtocolClient(service.url, by.key).handshake('completion/complete', {
      ref: { type: 'ref/resource', uri },
      argument: { name, value },
    })

  it('suggests days, months and customers', async () => {
    const values = async (uri: string, name: string, value: string): Promise<string[]> =>
      (await complete(uri, name, value)).result!['completion'].values as string[]
    assert.deepEqual((await values('callout://day/{date}', 'date', '2027-02')).length, 28)
    assert.equal((await values('callout://reports/{month}', 'month', ''))[0], today().toString().slice(0, 7))
    assert.deepEqual(await values('callout://messages/{customer_id}', 'customer_id', 'okafor'), [ana['id']])
    assert.deepEqual(await values('callout://history/{kind}/{id}', 'id', ''), [])
  })

  it("is refused for an unknown variable and for an overview the caller can't read", async () => {
    assert.match((await complete('callout://day/{date}', 'day', '')).error!.message, /unknown argument "day"/)
    const { error } = await complete('callout://day/{date}', 'date', '', await company.tenantKey(['read:invoices']))
    assert.match(error!.message, /unknown resource template "callout:\/\/day\/\{date\}"/)
  })
})
