import { after, before, describe, it } from 'node:test'
import { day, startRefusing, visit } from './refusing.ts'

let { documents, gone, of, assertToolRefuses, assertPatchesRefused, stop } = {} as Awaited<
  ReturnType<typeof startRefusing>
>
before(async () => {
  ;({ documents, gone, of, assertToolRefuses, assertPatchesRefused, stop } = await startRefusing())
})
after(() => stop())

describe('line items', () => {
  it('are refused for an out-of-range quantity or price and for an unknown field', async () => {
    const line = (given: object): object => ({ line_items: [visit, { ...visit, ...given }] })
    await assertPatchesRefused([
      [line({ quantity: -1 }), 'invalid_input: line_items[1].quantity must be above 0 (got -1)'],
      [line({ quantity: 0 }), /^invalid_input: line_items\[1\]\.quantity must be above 0/],
      [line({ quantity: 1.0005 }), 'invalid_input: line_items[1].quantity must have at most 3 decimals (got 1.0005)'],
      [line({ quantity: 1_000_000 }), /^invalid_input: line_items\[1\]\.quantity must be at most 999999\.999/],
      [
        line({ unit_price_cents: -1 }),
        'invalid_input: line_items[1].unit_price_cents must be at least 0; to take money off, add a line of kind discount (got -1)',
      ],
      [line({ unit_price_cents: 1.5 }), /^invalid_input: line_items\[1\]\.unit_price_cents must be a whole number/],
      [
        line({ price: 1 }),
        /^invalid_input: unknown field 'line_items\[1\]\.price' \(did you mean '\w+'\?\)|^invalid_input: unknown field 'line_items\[1\]\.price'/,
      ],
    ])
  })

  it('are refused when there are too many, or none on a plan', async () => {
    const lines = (count: number): object => ({ line_items: Array.from({ length: count }, () => visit) })
    await assertPatchesRefused(
      [[lines(201), 'invalid_input: line_items must have at most 200 (got 201 items)']],
      ['plans_create'],
    )
    await assertToolRefuses('plans_create', [
      [{ ...documents[4]![1], ...lines(101) }, 'invalid_input: line_items must have at most 100 (got 101 items)'],
    ])
    await assertToolRefuses('plans_update', [
      [{ id: of.plan, ...lines(101) }, /at most 100/],
      [{ id: of.plan, line_items: [] }, /^invalid_input: line_items must have at least 1/],
    ])
  })

  it('are refused when a discount exceeds the subtotal or its percentage is out of range', async () => {
    const off = { name: 'Off', kind: 'discount', discount_type: 'amount', discount_value: 101 }
    await assertPatchesRefused([
      [
        { line_items: [visit, off] },
        'invalid_input: line_items[1] must take off at most 100 cents, the rest of the subtotal (got 101)',
      ],
    ])
    await assertPatchesRefused(
      [
        [
          { line_items: [visit], discount: { type: 'amount', value: 101 } },
          'invalid_input: discount must take off at most 100 cents, the rest of the subtotal (got 101)',
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

describe('dates and times', () => {
  it('are refused for an end before its start, too late or without a start, and a conflicting duration', async () => {
    const [start, before] = [`${day(1)}T09:00`, `${day(1)}T08:59`]
    const END = /^invalid_input: scheduled_end must be after scheduled_start \(/
    await assertToolRefuses('jobs_create', [
      [{ customer_id: of.customer, title: 'x', scheduled_start: start, scheduled_end: before }, END],
      [
        { customer_id: of.customer, title: 'x', scheduled_end: start },
        'invalid_input: scheduled_end needs scheduled_start; send both, or only duration_minutes',
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
    await assertToolRefuses('jobs_update', [[{ id: of.job, scheduled_start: start, scheduled_end: before }, END]])
    const series = { customer_id: of.customer, title: 'Mow', rrule: 'FREQ=WEEKLY', dtstart: start }
    await assertToolRefuses('job_series_create', [
      [
        { ...series, end_date: day(0) },
        `invalid_input: end_date must be on or after dtstart, ${day(1)} (got ${day(0)})`,
      ],
    ])
    await assertToolRefuses('job_series_update', [
      [{ id: of.series, end_date: day(-1) }, /^invalid_input: end_date must be on or after dtstart/],
    ])
    await assertToolRefuses('invoices_create', [
      [
        { customer_id: of.customer, issue_date: day(1), due_date: day(0) },
        /^invalid_input: due_date must be on or after issue_date .*; send null for the default terms/,
      ],
    ])
    await assertToolRefuses('invoices_update', [
      [{ id: of.invoice, due_date: day(-1) }, /^invalid_input: due_date must be on or after issue_date/],
    ])
    await assertToolRefuses('quotes_create', [
      [
        { customer_id: of.customer, title: 'x', valid_until: day(-1) },
        `invalid_input: valid_until must be today, ${day(0)}, or later (got ${day(-1)})`,
      ],
    ])
    await assertToolRefuses('plans_create', [
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
    await assertToolRefuses('plans_update', [
      [{ id: of.plan, end_date: day(1) }, /^invalid_input: end_date must be on or after start_date/],
    ])
  })

  it('are refused with an expected error when several references and dates are invalid at once', async () => {
    await assertToolRefuses('quotes_create', [
      [
        { customer_id: of.customer, title: 'x', valid_until: day(-1), line_items: [{ catalog_item_id: gone.item }] },
        /^invalid_input: valid_until/,
      ],
    ])
    await assertToolRefuses('jobs_update', [
      [
        { id: crypto.randomUUID(), line_items: [{ catalog_item_id: gone.item }], location_id: gone.location },
        /^(not_found|invalid_input): /,
      ],
    ])
    await assertToolRefuses('invoices_create', [
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

  it('are refused for an invalid or never-matching rrule, an unknown time zone and an invalid dtstart', async () => {
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
      [{ rrule: 'FREQ=WEEKLY;DAY=TU' }, /^invalid_input: rrule: '.*' is not a part of a rule; the parts are FREQ/],
      [{ rrule: 'FREQ=WEEKLY;INTERVAL=-1' }, /^invalid_input: rrule: INTERVAL=-1 is out of range; use 1/],
      [{ timezone: 'Mars/Olympus' }, ZONE],
      [{ timezone: 'UTC+5' }, ZONE],
      [{ dtstart: 'tomorrow' }, /^invalid_input: dtstart: 'tomorrow' is not a valid start; use 2027-03-02T09:00, or/],
    ]
    await assertToolRefuses(
      'job_series_create',
      cases.map(([given, text]) => [series(given), text]),
    )
    await assertToolRefuses(
      'job_series_update',
      cases.map(([given, text]) => [{ id: of.series, ...given }, text]),
    )
  })
})
