import { after, before, describe, it } from 'node:test'
import { makeRecords, type Records } from '../harness/every_tool.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'
import { openWitness, refusedEach, type Witness } from '../harness/witness.ts'

/**
 * Shows what a caller may get wrong: each answer has the right code, names the field and the way out, and leaves no trace
 * in any table.
 */
const day = (days: number): string => Temporal.Now.plainDateISO('America/New_York').add({ days }).toString()
const visit = { name: 'Visit', unit_price_cents: 100 }

let service: TestService
let witness: Witness
let company: Company
/** Is a record of each kind. */
let of: Records
let gone: { item: string; rate: string; location: string; contact: string; customer: string; quote: string }
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
  company = await makeCompany(service)
  of = await makeRecords(company, 'Harbor')
  gone = await makeGone()
})
after(async () => {
  await witness.close()
  await service.stop()
})

async function makeGone(): Promise<typeof gone> {
  const make = async (tool: string, given: object): Promise<string> => {
    const { id } = await company.call(`${tool}_create`, given)
    await company.call(`${tool}_archive`, { id })
    return id
  }
  const [item, rate, location, contact, customer, quote] = await Promise.all([
    make('catalog_items', { kind: 'fee', name: 'Gone', unit_price_cents: 1 }),
    make('tax_rates', { rate_percentage: 1 }),
    make('locations', { customer_id: of.customer, address_line1: '1 Gone' }),
    make('contacts', { customer_id: of.customer, first_name: 'Gone' }),
    make('customers', { customer_type: 'individual', first_name: 'Gone' }),
    make('quotes', { customer_id: of.customer, title: 'Gone' }),
  ])
  return { item, rate, location, contact, customer, quote }
}

type Case = readonly [given: object, text: string | RegExp]
const refused = (tool: string, cases: readonly Case[]): Promise<void> =>
  refusedEach(witness, company.owner, tool, cases)

/** Returns the four documents with lines, as their tools make and change them. */
const documents = (): [create: string, base: object, update: string, id: string][] => [
  ['jobs_create', { customer_id: of.customer, title: 'Roof' }, 'jobs_update', of.job],
  [
    'job_series_create',
    { customer_id: of.customer, title: 'Mow', rrule: 'FREQ=WEEKLY', dtstart: `${day(1)}T09:00` },
    'job_series_update',
    of.series,
  ],
  ['invoices_create', { customer_id: of.customer }, 'invoices_update', of.invoice],
  ['quotes_create', { customer_id: of.customer, title: 'Roof' }, 'quotes_update', of.quote],
  ['plans_create', { customer_id: of.customer, name: 'Care', cadence: 'weekly' }, 'plans_update', of.plan],
]

/** Shows that each patch of a document is refused alike when it is made and when it is changed. */
async function refusedOfAll(patches: readonly Case[], without: readonly string[] = []): Promise<void> {
  for (const [create, base, update, id] of documents().filter(([create]) => !without.includes(create))) {
    await refused(
      create,
      patches.map(([patch, text]) => [{ line_items: [visit], ...base, ...patch }, text]),
    )
    await refused(
      update,
      patches.map(([patch, text]) => [{ id, ...patch }, text]),
    )
  }
}

describe('lines', () => {
  it('with amounts that there are not', async () => {
    const line = (given: object): object => ({ line_items: [visit, { ...visit, ...given }] })
    await refusedOfAll([
      [line({ quantity: -1 }), 'invalid_input: line_items[1].quantity must be above 0 (got -1)'],
      [line({ quantity: 0 }), /^invalid_input: line_items\[1\]\.quantity must be above 0/],
      [line({ quantity: 1.0005 }), 'invalid_input: line_items[1].quantity must have at most 3 decimals (got 1.0005)'],
      [line({ quantity: 1_000_000 }), /^invalid_input: line_items\[1\]\.quantity must be at most 999999\.999/],
      [
        line({ unit_price_cents: -1 }),
        'invalid_input: line_items[1].unit_price_cents must be at least 0; a line of kind discount takes money off (got -1)',
      ],
      [line({ unit_price_cents: 1.5 }), /^invalid_input: line_items\[1\]\.unit_price_cents must be a whole number/],
      [
        line({ price: 1 }),
        /^invalid_input: unknown field 'line_items\[1\]\.price' \(did you mean '\w+'\?\)|^invalid_input: unknown field 'line_items\[1\]\.price'/,
      ],
    ])
  })

  it('too many', async () => {
    const lines = (count: number): object => ({ line_items: Array.from({ length: count }, () => visit) })
    await refusedOfAll(
      [[lines(201), 'invalid_input: line_items must have at most 200 (got 201 items)']],
      ['plans_create'],
    )
    await refused('plans_create', [
      [{ ...documents()[4]![1], ...lines(101) }, 'invalid_input: line_items must have at most 100 (got 101 items)'],
    ])
    await refused('plans_update', [
      [{ id: of.plan, ...lines(101) }, /at most 100/],
      [{ id: of.plan, line_items: [] }, /^invalid_input: line_items must have at least 1/],
    ])
  })

  it('with more taken off than there is', async () => {
    const off = { name: 'Off', kind: 'discount', discount_type: 'amount', discount_value: 101 }
    await refusedOfAll([
      [
        { line_items: [visit, off] },
        'invalid_input: line_items[1] must take off at most 100 cents, what is left of the subtotal (got 101)',
      ],
    ])
    await refusedOfAll(
      [
        [
          { line_items: [visit], discount: { type: 'amount', value: 101 } },
          'invalid_input: discount must take off at most 100 cents, what is left of the subtotal (got 101)',
        ],
        [{ discount: { type: 'percent', value: 100.0001 } }, /^invalid_input: discount\.value must be at most 100/],
        [
          { discount: { type: 'percent', value: 1.00001 } },
          /^invalid_input: discount\.value must have at most 4 decimals/,
        ],
      ],
      ['jobs_create', 'job_series_create'],
    )
  })
})

describe('times', () => {
  it('an end before its start', async () => {
    const [start, before] = [`${day(1)}T09:00`, `${day(1)}T08:59`]
    const END = /^invalid_input: scheduled_end must be after scheduled_start \(/
    await refused('jobs_create', [
      [{ customer_id: of.customer, title: 'x', scheduled_start: start, scheduled_end: before }, END],
      [
        { customer_id: of.customer, title: 'x', scheduled_end: start },
        'invalid_input: scheduled_end needs scheduled_start; send both, or duration_minutes alone',
      ],
      [
        { customer_id: of.customer, title: 'x', scheduled_start: start, scheduled_end: `${day(16)}T09:00` },
        /^invalid_input: scheduled_end must be at most 14 days after scheduled_start/,
      ],
      [
        {
          customer_id: of.customer,
          title: 'x',
          scheduled_start: start,
          scheduled_end: `${day(1)}T10:00`,
          duration_minutes: 90,
        },
        /^invalid_input: duration_minutes is 90, but .*; send one of the two/,
      ],
    ])
    await refused('jobs_update', [[{ id: of.job, scheduled_start: start, scheduled_end: before }, END]])
    const series = { customer_id: of.customer, title: 'Mow', rrule: 'FREQ=WEEKLY', dtstart: start }
    await refused('job_series_create', [
      [
        { ...series, end_date: day(0) },
        `invalid_input: end_date must be on or after dtstart, ${day(1)} (got ${day(0)})`,
      ],
    ])
    await refused('job_series_update', [
      [{ id: of.series, end_date: day(-1) }, /^invalid_input: end_date must be on or after dtstart/],
    ])
    await refused('invoices_create', [
      [
        { customer_id: of.customer, issue_date: day(1), due_date: day(0) },
        /^invalid_input: due_date must be on or after issue_date .*; null takes the usual terms/,
      ],
    ])
    await refused('invoices_update', [
      [{ id: of.invoice, due_date: day(-1) }, /^invalid_input: due_date must be on or after issue_date/],
    ])
    await refused('quotes_create', [
      [
        { customer_id: of.customer, title: 'x', valid_until: day(-1) },
        `invalid_input: valid_until must be today, ${day(0)}, or later (got ${day(-1)})`,
      ],
    ])
    await refused('plans_create', [
      [
        {
          customer_id: of.customer,
          name: 'x',
          cadence: 'weekly',
          line_items: [visit],
          start_date: day(2),
          end_date: day(1),
        },
        /^invalid_input: end_date must be on or after start_date/,
      ],
    ])
    await refused('plans_update', [
      [{ id: of.plan, end_date: day(1) }, /^invalid_input: end_date must be on or after start_date/],
    ])
  })

  it('two faults at once, one of them found while the other is looked for', async () => {
    await refused('quotes_create', [
      [
        { customer_id: of.customer, title: 'x', valid_until: day(-1), line_items: [{ catalog_item_id: gone.item }] },
        /^invalid_input: valid_until/,
      ],
    ])
    await refused('jobs_update', [
      [
        { id: crypto.randomUUID(), line_items: [{ catalog_item_id: gone.item }], location_id: gone.location },
        /^(not_found|invalid_input): /,
      ],
    ])
    await refused('invoices_create', [
      [
        {
          customer_id: gone.customer,
          line_items: [{ catalog_item_id: gone.item }],
          location_id: gone.location,
          tax_rate_id: gone.rate,
        },
        /^(not_found|invalid_input): /,
      ],
    ])
  })

  it('a rule that never occurs or is none, a zone that there is not', async () => {
    const series = (given: object): object => ({
      customer_id: of.customer,
      title: 'Mow',
      rrule: 'FREQ=WEEKLY',
      dtstart: `${day(1)}T09:00`,
      ...given,
    })
    const ZONE = /^invalid_input: timezone: '.*' is not in the tz database; .+/
    const cases: [object, RegExp][] = [
      [
        { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' },
        /^invalid_input: rrule: rule never occurs; no day from dtstart to \d{4}-\d\d-\d\d matches it/,
      ],
      [
        { rrule: 'FREQ=HOURLY' },
        /^invalid_input: rrule: FREQ=HOURLY is not supported; use DAILY, WEEKLY, MONTHLY or YEARLY/,
      ],
      [{ rrule: 'every Tuesday' }, /^invalid_input: rrule: only A-Z, 0-9 and .*; leave out spaces/],
      [{ rrule: 'FREQ=WEEKLY;DAY=TU' }, /^invalid_input: rrule: '.*' is no part of a rule; the parts are FREQ/],
      [{ rrule: 'FREQ=WEEKLY;INTERVAL=-1' }, /^invalid_input: rrule: INTERVAL=-1 is out of range; use 1/],
      [{ timezone: 'Mars/Olympus' }, ZONE],
      [{ timezone: 'UTC+5' }, ZONE],
      [{ dtstart: 'tomorrow' }, /^invalid_input: dtstart: 'tomorrow' is not a start; use 2027-03-02T09:00, or/],
    ]
    await refused(
      'job_series_create',
      cases.map(([given, text]) => [series(given), text]),
    )
    await refused(
      'job_series_update',
      cases.map(([given, text]) => [{ id: of.series, ...given }, text]),
    )
  })
})
