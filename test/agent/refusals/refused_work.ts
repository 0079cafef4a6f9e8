import { day, visit, type Refused, type Scene } from '../scene.ts'

/** Jobs and job series, and the lines that every document has. */
export const refusedOfWork = (scene: Scene): Refused[] => [...jobs(scene), ...lines(scene), ...series(scene)]

function jobs({ of, over, other, company }: Scene): Refused[] {
  const work = { customer_id: of.customer, title: 'Roof' }
  const [start, end] = [`${day(1)}T09:00`, `${day(1)}T10:00`]
  return [
    {
      tool: 'jobs_list',
      given: { seriesId: of.series, series_id: of.job },
      field: 'series_id',
      rule: 'is an alias of seriesId and differs from it',
      way: 'send one of them',
    },
    {
      tool: 'jobs_list',
      given: { assignee: of.user, unassigned: true },
      field: 'assignee and unassigned',
      rule: 'exclude each other',
      way: 'send one of them',
    },
    {
      tool: 'jobs_list',
      given: { sort: 'created_desc', updated_since: day(0) + 'T00:00' },
      field: 'sort',
      rule: "can't go with updated_since",
      way: 'leave one out',
    },
    {
      tool: 'jobs_list',
      given: { assignee: 'Test' },
      field: 'assignee',
      rule: 'is not a member of this account',
      got: 'got Test',
      way: `Test owner (${company.owner.id})`,
    },
    {
      tool: 'jobs_list',
      given: { status: ['open'] },
      field: 'status[0]',
      rule: 'must be one of unscheduled, scheduled',
      got: 'got "open"',
    },
    {
      tool: 'jobs_list',
      given: { scheduled_from: '3/1/2027' },
      field: 'scheduled_from',
      rule: 'must be a date, year-month-day, such as 2027-03-31',
      got: 'got "3/1/2027"',
    },
    {
      tool: 'jobs_get',
      given: { id: of.customer },
      code: 'not_found',
      field: 'job',
      rule: 'not found',
      way: 'jobs_list',
    },
    {
      tool: 'jobs_create',
      given: { ...work, customer_id: over.customer },
      code: 'not_found',
      field: 'customer',
      rule: 'not found',
      way: 'customers_search',
    },
    {
      tool: 'jobs_create',
      given: { ...work, assignees: ['nobody@example.com'] },
      field: 'assignees[0]',
      rule: 'is not an active member',
      got: 'got nobody@example.com',
      way: `Test owner (${company.owner.id})`,
    },
    {
      tool: 'jobs_create',
      given: { ...work, location_id: other.location },
      field: 'location_id',
      rule: 'is not a live location of this customer',
      way: 'locations_list',
    },
    {
      tool: 'jobs_create',
      given: { ...work, contact_id: other.contact },
      field: 'contact_id',
      rule: 'is not a live contact of this customer',
      way: 'contacts_list',
    },
    {
      tool: 'jobs_create',
      given: { ...work, quote_id: other.quote },
      field: 'quote_id',
      rule: 'is not a live quote of this customer',
      way: 'quotes_list',
    },
    {
      tool: 'jobs_create',
      given: { ...work, scheduled_start: 'tomorrow' },
      field: 'scheduled_start',
      rule: 'must be an instant such as',
      got: 'got "tomorrow"',
    },
    {
      tool: 'jobs_create',
      given: { ...work, scheduled_start: '1999-01-01T09:00' },
      field: 'scheduled_start',
      rule: 'must be from 2000 to 2100',
      got: 'got 1999-01-01T09:00',
    },
    {
      tool: 'jobs_create',
      given: { ...work, scheduled_end: end },
      field: 'scheduled_end',
      rule: 'needs scheduled_start',
      way: 'send both, or duration_minutes alone',
    },
    {
      tool: 'jobs_create',
      given: { ...work, scheduled_start: end, scheduled_end: start },
      field: 'scheduled_end',
      rule: 'must be after scheduled_start',
    },
    {
      tool: 'jobs_create',
      given: { ...work, scheduled_start: start, scheduled_end: `${day(16)}T09:00` },
      field: 'scheduled_end',
      rule: 'must be at most 14 days after scheduled_start',
    },
    {
      tool: 'jobs_create',
      given: { ...work, scheduled_start: start, scheduled_end: end, duration_minutes: 90 },
      field: 'duration_minutes',
      rule: 'scheduled_end lies 60 minutes after scheduled_start',
      got: 'is 90',
      way: 'send one of the two',
    },
    {
      tool: 'jobs_update',
      given: { id: of.job, status: 'cancelled' },
      field: 'status',
      rule: "can't become cancelled by an update",
      way: 'jobs_cancel',
    },
    {
      tool: 'jobs_update',
      given: { id: of.job, status: 'scheduled', scheduled_start: null },
      field: 'status scheduled',
      rule: 'needs scheduled_start',
      way: 'send both',
    },
    {
      tool: 'jobs_update',
      given: { id: of.job, status: 'unscheduled', scheduled_start: start },
      field: 'status unscheduled',
      rule: 'clears the schedule',
      got: 'scheduled_start',
      way: 'send one of the two',
    },
    {
      tool: 'jobs_update',
      given: { id: of.job, customer_id: other.customer },
      field: 'customer_id',
      rule: 'cannot be changed',
      got: `got ${other.customer}`,
      way: 'leave it out',
    },
    {
      tool: 'jobs_update',
      given: { id: over.job, title: 'x' },
      code: 'conflict',
      field: 'the job',
      rule: "can't be changed",
      got: 'is cancelled',
      way: 'jobs_create',
    },
    {
      tool: 'jobs_cancel',
      given: { id: of.customer },
      code: 'not_found',
      field: 'job',
      rule: 'not found',
      way: 'jobs_list',
    },
  ]
}

function lines({ of, over }: Scene): Refused[] {
  const off = { name: 'Off', kind: 'discount', discount_type: 'amount', discount_value: 101 }
  const each: [line: object, said: Pick<Refused, 'field' | 'rule' | 'got' | 'way'>][] = [
    [{ name: 'x' }, { field: 'line_items[1].unit_price_cents', rule: 'is required without catalog_item_id' }],
    [{ unit_price_cents: 1 }, { field: 'line_items[1].name', rule: 'is required without catalog_item_id' }],
    [
      { ...visit, price: 1 },
      { field: 'line_items[1].price', rule: 'unknown field', way: "did you mean 'unit_price_cents'?" },
    ],
    [
      { ...visit, quantity: -1 },
      { field: 'line_items[1].quantity', rule: 'must be above 0', got: 'got -1' },
    ],
    [
      { ...visit, unit_price_cents: -1 },
      {
        field: 'line_items[1].unit_price_cents',
        rule: 'must be at least 0',
        got: 'got -1',
        way: 'a line of kind discount takes money off',
      },
    ],
    [
      { catalog_item_id: over.item },
      { field: 'line_items[1].catalog_item_id', rule: 'is not a live catalog item', way: 'catalog_items_list' },
    ],
    [
      { catalog_item_id: 'Pump' },
      { field: 'line_items[1].catalog_item_id', rule: 'must be a UUID', got: 'got "Pump"', way: 'catalog_items_list' },
    ],
    [
      { ...visit, tax_rate_id: over.rate },
      { field: 'line_items[1].tax_rate_id', rule: 'is not a live tax rate', way: 'tax_rates_list' },
    ],
    [
      { ...visit, discount_value: 5 },
      { field: 'line_items[1].discount_value', rule: 'is for a line of kind discount only' },
    ],
    [
      { ...visit, kind: 'part' },
      {
        field: 'line_items[1].kind',
        rule: 'must be one of service, product, labor, fee, bundle, discount',
        got: 'got "part"',
      },
    ],
    [
      { name: 'Off', kind: 'discount' },
      { field: 'line_items[1].discount_type', rule: 'is required for a discount line' },
    ],
    [
      { ...off, quantity: 2 },
      { field: 'line_items[1].quantity', rule: 'is not for a discount line' },
    ],
    [
      { ...off, discount_type: 'percent' },
      { field: 'line_items[1].discount_value', rule: 'must be at most 100', got: 'got 101' },
    ],
    [
      { catalog_item_id: over.discount, kind: 'fee' },
      { field: 'line_items[1].kind', rule: "can't be fee for a catalog item of kind discount" },
    ],
    [
      off,
      { field: 'line_items[1]', rule: 'must take off at most 100 cents, what is left of the subtotal', got: 'got 101' },
    ],
  ]
  return each.flatMap(([line, said]) => [
    { tool: 'jobs_create', given: { customer_id: of.customer, title: 'x', line_items: [visit, line] }, ...said },
    { tool: 'quotes_update', given: { id: of.quote, line_items: [visit, line] }, ...said },
  ])
}

function series({ of, over }: Scene): Refused[] {
  const mow = { customer_id: of.customer, title: 'Mow', rrule: 'FREQ=WEEKLY', dtstart: `${day(1)}T09:00` }
  return [
    {
      tool: 'job_series_list',
      given: { status: 'paused' },
      field: 'status',
      rule: 'must be one of active, ended',
      got: 'got "paused"',
    },
    {
      tool: 'job_series_get',
      given: { id: of.job },
      code: 'not_found',
      field: 'job series',
      rule: 'not found',
      way: 'job_series_list',
    },
    {
      tool: 'job_series_create',
      given: { ...mow, rrule: 'FREQ=HOURLY' },
      field: 'rrule',
      rule: 'is not supported',
      got: 'FREQ=HOURLY',
      way: 'use DAILY, WEEKLY, MONTHLY or YEARLY',
    },
    {
      tool: 'job_series_create',
      given: { ...mow, rrule: 'FREQ=WEEKLY;DAY=TU' },
      field: 'rrule',
      rule: 'is no part of a rule',
      got: 'DAY=TU',
      way: 'the parts are FREQ',
    },
    {
      tool: 'job_series_create',
      given: { ...mow, rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' },
      field: 'rrule',
      rule: 'rule never occurs',
    },
    {
      tool: 'job_series_create',
      given: { ...mow, timezone: 'Central' },
      field: 'timezone',
      rule: 'is not in the tz database',
      got: 'Central',
    },
    {
      tool: 'job_series_create',
      given: { ...mow, dtstart: 'monday' },
      field: 'dtstart',
      rule: 'is not a start',
      got: 'monday',
      way: 'use 2027-03-02T09:00, or 2027-03-02 for all day',
    },
    {
      tool: 'job_series_create',
      given: { ...mow, dtstart: '2015-01-01T09:00' },
      field: 'dtstart',
      rule: 'a year back',
      got: 'got 2015-01-01',
    },
    {
      tool: 'job_series_create',
      given: { ...mow, dtstart: day(1), all_day: false },
      field: 'all_day false',
      rule: 'needs a dtstart with a time',
      way: 'such as 2027-03-02T09:00',
    },
    {
      tool: 'job_series_create',
      given: { ...mow, end_date: day(0) },
      field: 'end_date',
      rule: `must be on or after dtstart, ${day(1)}`,
      got: `got ${day(0)}`,
    },
    {
      tool: 'job_series_create',
      given: { ...mow, end_date: day(4000) },
      field: 'end_date',
      rule: 'must be at most ten years after dtstart',
      got: `got ${day(4000)}`,
      way: 'leave it out for an ongoing series',
    },
    {
      tool: 'job_series_update',
      given: { id: of.series, status: 'ended' },
      field: 'status',
      rule: 'is set to ended by',
      way: 'job_series_end',
    },
    {
      tool: 'job_series_update',
      given: { id: of.series, customer_id: of.job },
      field: 'customer_id',
      rule: 'cannot be changed',
      got: `got ${of.job}`,
      way: 'leave it out',
    },
    {
      tool: 'job_series_update',
      given: { id: over.series, title: 'x' },
      code: 'conflict',
      field: 'the series',
      rule: "can't be changed",
      got: 'ended at',
      way: 'job_series_create',
    },
    {
      tool: 'job_series_end',
      given: { id: over.series },
      code: 'conflict',
      field: 'the series',
      rule: "can't be changed",
      got: 'ended at',
      way: 'job_series_create',
    },
    {
      tool: 'job_series_end',
      given: { id: of.series, end_date: '06.01.2027' },
      field: 'end_date',
      rule: 'must be a date, year-month-day, such as',
      got: 'got "06.01.2027"',
    },
  ]
}
