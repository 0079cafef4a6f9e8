import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  recordIn,
  makeCompany,
  startTestService,
  type Company,
  type Result,
  type TestService,
} from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/witness.ts'

/**
 * Fifty calls at once on what only one may have. Elsewhere are those on tags' names (tags), the primary contact and
 * location (contacts, locations), the default rate (tax_rates), invoice numbers (invoices_races), names of categories and
 * external ids (catalog_categories, customers), idempotency keys and updates of the customer side (idempotency, edit_conflict).
 */
const FIFTY = 50
const FULL = 60_000

let service: TestService
let witness: Witness
let company: Company
let customer: string
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
  company = await makeCompany(service)
  customer = await person()
})
after(async () => {
  await witness.close()
  await service.stop()
})

const person = async (given: object = {}): Promise<string> =>
  (await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana', ...given })).id
const fifty = <T>(one: (i: number) => T): T[] => Array.from({ length: FIFTY }, (_, i) => one(i))
const tomorrow = Temporal.Now.plainDateISO('America/New_York').add({ days: 1 }).toString()
const visit = { name: 'Visit', unit_price_cents: 100 }

type Answers = { ok: Result[]; refused: string[] }

/** All of them sent before the first has come back. A refusal is one of these, and never a fault. */
async function race(
  calls: readonly (readonly [tool: string, given: object])[],
  ...refusals: RegExp[]
): Promise<Answers> {
  const answers = await Promise.all(calls.map(([tool, given]) => company.owner.send(tool, given)))
  const refused = answers.filter(({ isError }) => isError).map(({ text }) => text)
  for (const text of refused)
    assert.ok(
      refusals.some((refusal) => refusal.test(text)),
      text,
    )
  return { ok: answers.filter(({ isError }) => !isError).map(({ text }) => recordIn(text)), refused }
}

const SKU_TAKEN = /^conflict: .*sku/
const CHANGED = /^conflict: the record changed: .* get it again and decide anew$/

describe('a sku', { timeout: FULL }, () => {
  const item = { kind: 'fee', name: 'Trip', unit_price_cents: 1 }

  it("is one item's of fifty that are made with it", async () => {
    const { ok, refused } = await race(
      fifty(() => ['catalog_items_create', { ...item, sku: 'once' }]),
      SKU_TAKEN,
    )
    assert.deepEqual([ok.length, refused.length], [1, FIFTY - 1])
    assert.equal(await witness.value(`select count(*) from catalog_items where sku = 'once'`), '1')
  })

  it("is one item's of fifty that are given it, and the next one's when that is archived", async () => {
    const items = await Promise.all(fifty(() => company.call('catalog_items_create', item)))
    const give = (): Promise<Answers> =>
      race(
        items.map(({ id }) => ['catalog_items_update', { id, sku: 'given' }]),
        SKU_TAKEN,
        /^not_found: /,
      )
    const {
      ok: [first],
      refused,
    } = await give()
    assert.equal(refused.length, FIFTY - 1)
    await company.call('catalog_items_archive', { id: first!['id'] })
    const { ok } = await give()
    assert.equal(ok.length, 1)
    assert.notEqual(ok[0]!['id'], first!['id'])
  })
})

describe('a tree of categories', { timeout: FULL }, () => {
  it('stays a tree of five levels under fifty moves at once, deletes and new branches among them', async () => {
    const made: Result[] = []
    for (let i = 0; i < 12; i++)
      made.push(
        await company.call('catalog_categories_create', {
          name: `C${i}`,
          parent_id: i % 4 === 0 ? null : made[i - 1]!['id'],
        }),
      )
    const pick = (i: number): string => made[i % made.length]!['id']
    const { ok } = await race(
      fifty((i) => {
        if (i % 10 === 7) return ['catalog_categories_delete', { id: pick(i * 5) }]
        if (i % 10 === 3) return ['catalog_categories_create', { name: `New ${i}`, parent_id: pick(i) }]
        return ['catalog_categories_update', { id: pick(i * 7), parent_id: pick(i * 5 + 3) }]
      }),
      /^conflict: .*(under itself|below)/,
      /levels deep; 5 is the most/,
      /^not_found: /,
      /^invalid_input: parent_id is not a category/,
    )
    assert.ok(ok.length > 0)
    const rows = await witness.rows(
      `with recursive tree as (
        select id, 1 as depth from catalog_categories where tenant_id = $1 and parent_id is null
        union all select c.id, t.depth + 1 from catalog_categories c join tree t on c.parent_id = t.id)
      select (select count(*) from catalog_categories where tenant_id = $1)::int as all, count(*)::int as reached,
        max(depth) as deepest from tree`,
      company.tenant,
    )
    assert.equal(rows[0]!['reached'], rows[0]!['all'], 'a cycle is reached from no root')
    assert.ok(Number(rows[0]!['deepest']) <= 5)
  })
})

describe('a bundle', { timeout: FULL }, () => {
  it('holds live items alone and is whole, while fifty replace its list and archive what it holds', async () => {
    const parts = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        company.call('catalog_items_create', { kind: 'service', name: `Part ${i}`, unit_price_cents: 100 }),
      ),
    )
    const kit = await company.call('catalog_items_create', {
      kind: 'bundle',
      name: 'Kit',
      components: [{ catalog_item_id: parts[0]!['id'] }],
    })
    const list = (i: number): object[] =>
      [0, 1, 2].map((n) => ({ catalog_item_id: parts[(i + n * 3) % 10]!['id'], quantity: i + 1 }))
    await race(
      fifty((i) =>
        i % 5 === 4
          ? ['catalog_items_archive', { id: parts[i % 10]!['id'] }]
          : ['catalog_items_update', { id: kit['id'], components: list(i) }],
      ),
      /^invalid_input: components\[\d\]\.catalog_item_id .*/,
      /^conflict: .*Kit/,
      /^not_found: /,
    )
    const held = await witness.rows(
      `select c.quantity::float as quantity, i.archived_at from catalog_components c join catalog_items i on i.id = c.item_id where c.bundle_id = $1`,
      kit['id'],
    )
    assert.ok(
      held.length > 0 &&
        held.every(({ archived_at, quantity }) => archived_at === null && quantity === held[0]!['quantity']),
    )
  })
})

describe('an idempotency key', { timeout: FULL }, () => {
  const creates: [tool: string, given: () => object][] = [
    ['jobs_create', () => ({ customer_id: customer, title: 'Once' })],
    ['catalog_items_create', () => ({ kind: 'fee', name: 'Trip', unit_price_cents: 1, sku: 'keyed' })],
    ['quotes_create', () => ({ customer_id: customer, title: 'Once', line_items: [visit] })],
  ]
  for (const [tool, given] of creates) {
    it(`makes one record of fifty ${tool}, and everybody gets it`, async () => {
      const { ok } = await race(fifty(() => [tool, { ...given(), idempotency_key: 'fifty' }]))
      assert.equal(new Set(ok.map((answer) => JSON.stringify(answer))).size, 1)
      assert.equal(ok.length, FIFTY)
    })
  }
})

describe('expected_updated_at', { timeout: FULL }, () => {
  it('lets one of fifty changes through', async () => {
    const records: [tool: string, made: Promise<Result>, field: string][] = [
      ['notes_update', company.call('notes_create', { body: 'Seen' }), 'body'],
      ['jobs_update', company.call('jobs_create', { customer_id: customer, title: 'Seen' }), 'title'],
      ['quotes_update', company.call('quotes_create', { customer_id: customer, title: 'Seen' }), 'title'],
      [
        'catalog_items_update',
        company.call('catalog_items_create', { kind: 'fee', name: 'Seen', unit_price_cents: 1 }),
        'name',
      ],
      ['catalog_categories_update', company.call('catalog_categories_create', { name: 'Seen' }), 'name'],
      [
        'plans_update',
        company.call('plans_create', { customer_id: customer, name: 'Seen', cadence: 'weekly', line_items: [visit] }),
        'name',
      ],
      ['tax_rates_update', company.call('tax_rates_create', { rate_percentage: 1 }), 'name'],
      [
        'job_series_update',
        company.call('job_series_create', {
          customer_id: customer,
          title: 'Seen',
          rrule: 'FREQ=MONTHLY',
          dtstart: `${tomorrow}T09:00`,
        }),
        'title',
      ],
    ]
    for (const [tool, made, field] of records) {
      const { id, updated_at } = await made
      const { ok, refused } = await race(
        fifty((i) => [tool, { id, [field]: `Value ${i}`, expected_updated_at: updated_at }]),
        CHANGED,
      )
      assert.deepEqual([tool, ok.length, refused.length], [tool, 1, FIFTY - 1])
      assert.equal((await company.call(tool.replace('update', 'get'), { id }))[field], ok[0]![field])
    }
  })
})

describe('a one-way end', { timeout: FULL }, () => {
  it('of a plan happens once among fifty cancels, pauses and resumes, and nothing comes after', async () => {
    const { id } = await company.call('plans_create', {
      customer_id: customer,
      name: 'Pool care',
      cadence: 'weekly',
      line_items: [visit],
    })
    const { ok } = await race(
      fifty((i) =>
        i % 10 === 9
          ? ['plans_cancel', { id, reason: `No ${i}` }]
          : ['plans_update', { id, status: i % 2 ? 'paused' : 'active' }],
      ),
      /^conflict: plan 'Pool care' is cancelled and cannot be reactivated/,
    )
    const cancelled = ok.filter(({ status }) => status === 'cancelled')
    const { url: _, ...plan } = await company.call('plans_get', { id })
    assert.deepEqual(cancelled, [plan])
    assert.ok(ok.every(({ updated_at }) => updated_at <= plan['updated_at']))
    assert.equal(plan['next_run_date'], null)
  })

  it('of a job is kept by fifty updates and cancels', async () => {
    const { id } = await company.call('jobs_create', { customer_id: customer, title: 'Roof' })
    const { ok } = await race(
      fifty((i) =>
        i % 10 === 9
          ? ['jobs_cancel', { id, reason: `No ${i}` }]
          : ['jobs_update', { id, status: i % 2 ? 'done' : 'in_progress' }],
      ),
      /^conflict: .*cancelled/,
    )
    const job = await company.call('jobs_get', { id })
    const cancels = ok.filter(({ status }) => status === 'cancelled')
    assert.deepEqual([job['status'], cancels.length], ['cancelled', 5])
    assert.ok(
      cancels.every(
        ({ cancel_reason, cancelled_at }) =>
          cancel_reason === job['cancel_reason'] && cancelled_at === job['cancelled_at'],
      ),
    )
  })

  it('of an invoice keeps number and totals, and leaves nothing to pay, whatever was marked at the same time', async () => {
    const { id, number } = await company.call('invoices_create', { customer_id: customer, line_items: [visit] })
    await race(
      fifty((i) =>
        i % 10 === 9
          ? ['invoices_void', { id }]
          : ['invoices_update', { id, status: ['sent', 'paid', 'draft'][i % 3] }],
      ),
      /^conflict: INV-\d+ is void|^conflict: .*is void/,
    )
    const invoice = await company.call('invoices_get', { id })
    assert.deepEqual(
      [invoice['status'], invoice['number'], invoice['total_cents'], invoice['balance_due_cents']],
      ['void', number, 100, 0],
    )
  })

  it('of a series is one of fifty ends and updates, and leaves no job of a slot twice nor one after the end', async () => {
    const { id } = await company.call('job_series_create', {
      customer_id: customer,
      title: 'Mow',
      rrule: 'FREQ=WEEKLY',
      dtstart: `${tomorrow}T09:00`,
    })
    const change = (i: number): object =>
      [
        { title: `Mow ${i}` },
        { dtstart: `${tomorrow}T1${i % 10}:00` },
        { rrule: i % 2 ? 'FREQ=DAILY;INTERVAL=3' : 'FREQ=WEEKLY' },
      ][i % 3]!
    const { ok, refused } = await race(
      fifty((i) => (i === 40 || i === 45 ? ['job_series_end', { id }] : ['job_series_update', { id, ...change(i) }])),
      /^conflict: the series ended/,
    )
    assert.equal(ok.filter(({ status }) => status === 'ended').length, 1)
    assert.ok(refused.length >= 1)
    const jobs = await witness.rows(
      'select occurrence_key::text as slot, status, scheduled_start from jobs where series_id = $1',
      id,
    )
    assert.equal(new Set(jobs.map(({ slot }) => slot)).size, jobs.length)
    assert.deepEqual(
      jobs.filter(({ status }) => status !== 'cancelled'),
      [],
    )
  })
})

describe('a series', { timeout: FULL }, () => {
  it('has after fifty updates the jobs of the last one, each slot once', async () => {
    const { id } = await company.call('job_series_create', {
      customer_id: customer,
      title: 'Mow',
      rrule: 'FREQ=WEEKLY',
      dtstart: `${tomorrow}T09:00`,
    })
    const { ok } = await race(
      fifty((i) => [
        'job_series_update',
        { id, title: `Mow ${i}`, dtstart: `${tomorrow}T${String(8 + (i % 9)).padStart(2, '0')}:00` },
      ]),
    )
    const last = ok.toSorted((a, b) => (a['updated_at'] < b['updated_at'] ? 1 : -1))[0]!
    const jobs = await witness.rows(
      `select title, occurrence_key::text as slot, status from jobs where series_id = $1 order by 2`,
      id,
    )
    assert.equal(jobs.length, 13)
    assert.ok(
      jobs.every(
        ({ title, slot, status }) =>
          title === last['title'] && String(slot).endsWith(String(last['dtstart']).slice(11)) && status === 'scheduled',
      ),
      JSON.stringify([last, jobs[0]]),
    )
  })
})

describe('a quote', { timeout: FULL }, () => {
  it('takes one way of fifty, each move legal where it happened', async () => {
    const lead = await person({ status: 'lead' })
    const { id } = await company.call('quotes_create', { customer_id: lead, title: 'Pump', line_items: [visit] })
    await company.call('quotes_update', { id, status: 'sent' })
    const { ok } = await race(
      fifty((i) => ['quotes_update', { id, status: ['accepted', 'declined', 'expired'][i % 3] }]),
      /^conflict: Q-\d+ is \w+ and can't become/,
    )
    const way = ok
      .toSorted((a, b) => (a['updated_at'] < b['updated_at'] ? -1 : 1))
      .map(({ status }) => status)
      .filter((status, i, all) => status !== all[i - 1])
    assert.ok(
      [['declined'], ['expired'], ['accepted'], ['accepted', 'declined']].some((legal) => legal.join() === way.join()),
      way.join(),
    )
    assert.equal(
      (await company.call('customers_get', { id: lead }))['status'],
      way[0] === 'accepted' ? 'active' : 'lead',
    )
  })
})

describe('a customer', { timeout: FULL }, () => {
  it('that is archived has no job, invoice, quote, contact or note that came after, among fifty', async () => {
    const id = await person()
    const creates: [string, object][] = [
      ['jobs_create', { customer_id: id, title: 'Late' }],
      ['invoices_create', { customer_id: id, line_items: [visit] }],
      ['quotes_create', { customer_id: id, title: 'Late' }],
      ['contacts_create', { customer_id: id, first_name: 'Late' }],
      ['locations_create', { customer_id: id, address_line1: '1 Late Rd' }],
      ['notes_create', { body: 'Late', subject_type: 'customer', subject_id: id }],
    ]
    await race(
      fifty((i) => (i === 25 ? ['customers_archive', { id }] : creates[i % creates.length]!)),
      /^not_found: customer not found$|^not_found: /,
    )
    const late = await witness.rows(
      `
      select 'job' as kind from jobs t, customers c where c.id = t.customer_id and c.id = $1 and t.created_at > c.archived_at
      union all select 'invoice' from invoices t, customers c where c.id = t.customer_id and c.id = $1 and t.created_at > c.archived_at
      union all select 'quote' from quotes t, customers c where c.id = t.customer_id and c.id = $1 and t.created_at > c.archived_at
      union all select 'contact' from contacts t, customers c where c.id = t.customer_id and c.id = $1 and t.created_at > c.archived_at`,
      id,
    )
    assert.deepEqual(late, [])
    assert.match(
      await company.refusal('jobs_create', { customer_id: id, title: 'Later' }),
      /^not_found: customer not found: it is [^;]+, archived on /,
    )
  })
})
