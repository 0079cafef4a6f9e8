import fc, { type Arbitrary } from 'fast-check'
import type { Result } from '../harness/harness.ts'
import {
  INVOICE_STATUSES,
  JOB_STATUSES,
  QUOTE_STATUSES,
  categoryName,
  components,
  customerMore,
  dates,
  itemMore,
  jobMore,
  lines,
  nested,
  off,
  orNull,
  place,
  price,
  priced,
  record,
  ref,
  schedule,
  start,
  subject,
  target,
  title,
  words,
} from './fields.ts'

/** Arguments of each tool, by record kind. */
export const tools: Record<string, Record<string, Arbitrary<Result>>> = {
  customer: {
    customers_create: fc.oneof(
      record(
        { ...customerMore, ...nested, customer_type: fc.constant('individual'), first_name: words('Ana ~') },
        'customer_type',
        'first_name',
      ),
      record(
        { ...customerMore, ...nested, customer_type: fc.constant('company'), company_name: words('Harbor ~') },
        'customer_type',
        'company_name',
      ),
    ),
    customers_update: target('customer', {
      ...customerMore,
      first_name: words('Bea ~'),
      company_name: words('Pier ~'),
    }),
    customers_archive: target('customer'),
  },
  contact: {
    contacts_create: record(
      {
        customer_id: ref('customer'),
        first_name: words('Lee ~'),
        email: fc.constant('p~@example.com'),
        is_primary: fc.boolean(),
      },
      'customer_id',
    ),
    contacts_update: target('contact', { first_name: words('May ~'), is_primary: fc.boolean() }),
    contacts_archive: target('contact'),
  },
  location: {
    locations_create: record({ ...place, customer_id: ref('customer') }, 'customer_id', 'address_line1'),
    locations_update: fc.oneof(
      target('location', { type: place.type, address_line1: place.address_line1 }),
      target('location', { is_primary: fc.boolean(), tax_rate_id: place.tax_rate_id }),
    ),
    locations_archive: target('location'),
  },
  tag: {
    tags_create: record(
      { name: words('VIP', 'v ip', 'Gold', 'gold', 'Late'), color: orNull(fc.constantFrom('#a0b1c2', '#FFFFFF')) },
      'name',
    ),
    tags_update: target('tag', { name: words('VIP', 'Gold', 'LATE'), color: orNull(fc.constant('#00ff00')) }),
    tags_delete: target('tag'),
  },
  note: {
    notes_create: fc
      .tuple(record({ body: words('Gate code ~') }, 'body'), fc.option(subject))
      .map(([body, on]) => ({ ...body, ...on })),
    notes_update: target('note', { body: words('Call ~') }),
    notes_archive: target('note'),
  },
  job: {
    jobs_create: fc.oneof(
      record(
        {
          ...jobMore,
          scheduled_start: start,
          duration_minutes: schedule.duration_minutes,
          customer_id: ref('customer'),
          quote_id: ref('quote'),
        },
        'customer_id',
        'title',
      ),
      record(
        { ...schedule, title, scheduled_start: start, customer_id: ref('customer') },
        'customer_id',
        'title',
        'scheduled_start',
      ),
    ),
    jobs_update: fc.oneof(
      target('job', { status: fc.constantFrom(...JOB_STATUSES) }),
      target('job', { scheduled_start: orNull(start) }),
      target('job', jobMore),
      target('job', {
        ...jobMore,
        ...schedule,
        status: fc.constantFrom(...JOB_STATUSES),
        scheduled_start: orNull(start),
      }),
    ),
    jobs_cancel: target('job', { reason: words('Rain ~') }),
  },
  invoice: {
    invoices_create: fc.oneof(
      record(
        {
          ...priced,
          ...dates,
          customer_id: ref('customer'),
          subject: title,
          job_ids: fc.uniqueArray(ref('job'), { maxLength: 2 }),
          quote_id: ref('quote'),
        },
        'customer_id',
        'line_items',
      ),
      record(
        { customer_id: ref('customer'), from_job_id: ref('job'), tax_rate_id: orNull(ref('rate')) },
        'customer_id',
        'from_job_id',
      ),
      record(
        { customer_id: ref('customer'), from_quote_id: ref('quote'), line_items: lines },
        'customer_id',
        'from_quote_id',
      ),
    ),
    invoices_update: fc.oneof(
      target('invoice', { status: fc.constantFrom(...INVOICE_STATUSES) }),
      target('invoice', { ...priced, ...dates, status: fc.constantFrom(...INVOICE_STATUSES), subject: title }),
    ),
    invoices_void: target('invoice', { reason: words('Double ~') }),
  },
  quote: {
    quotes_create: record(
      {
        ...priced,
        customer_id: ref('customer'),
        title,
        message: title,
        valid_until: fc.constantFrom('@day:-1', '@day:0', '@day:60', '@day:60'),
      },
      'customer_id',
      'title',
    ),
    quotes_update: fc.oneof(
      target('quote', { status: fc.constantFrom(...QUOTE_STATUSES), decline_reason: words('Dear ~') }),
      target('quote', { status: fc.constantFrom(...QUOTE_STATUSES) }),
      target('quote', {
        ...priced,
        title,
        message: title,
        valid_until: fc.constantFrom('@day:0', '@day:90'),
        status: fc.constantFrom(...QUOTE_STATUSES),
      }),
    ),
    quotes_archive: target('quote'),
  },
  rate: {
    tax_rates_create: record(
      { name: words('County ~'), rate_percentage: fc.constantFrom(8.25, 7, 0, 6.5, 8.875), is_default: fc.boolean() },
      'rate_percentage',
    ),
    tax_rates_update: target('rate', {
      name: words('City ~'),
      is_default: fc.boolean(),
      rate_percentage: fc.constantFrom(8.25, 7),
    }),
    tax_rates_archive: target('rate'),
  },
  category: {
    catalog_categories_create: record(
      { name: categoryName, parent_id: orNull(ref('category')), position: fc.nat(3) },
      'name',
    ),
    catalog_categories_update: target('category', {
      name: categoryName,
      parent_id: orNull(ref('category')),
      position: fc.nat(3),
    }),
    catalog_categories_delete: target('category'),
  },
  item: {
    catalog_items_create: fc.oneof(
      record(
        {
          ...itemMore,
          kind: fc.constant('service'),
          name: words('Hour ~'),
          unit_price_cents: price,
          taxable: fc.boolean(),
          tax_rate_id: orNull(ref('rate')),
          cost_cents: fc.constant(50),
        },
        'kind',
        'name',
        'unit_price_cents',
      ),
      {
        weight: 3,
        arbitrary: record(
          {
            ...itemMore,
            kind: fc.constant('service'),
            name: words('Hour ~'),
            unit_price_cents: price,
            sku: fc.constantFrom('s-1', 's-2'),
          },
          'kind',
          'name',
          'unit_price_cents',
          'sku',
        ),
      },
      record(
        { ...itemMore, kind: fc.constant('bundle'), name: words('Set ~'), components, pricing: fc.constant('sum') },
        'kind',
        'name',
        'components',
      ),
      record(
        {
          ...itemMore,
          kind: fc.constant('bundle'),
          name: words('Set ~'),
          components,
          pricing: fc.constant('fixed'),
          unit_price_cents: price,
        },
        'kind',
        'name',
        'components',
        'pricing',
        'unit_price_cents',
      ),
      record({ kind: fc.constant('bundle'), name: fc.constant('Set ~'), components }, 'kind', 'name', 'components'),
      off.map(({ type, value }) => ({
        kind: 'discount',
        name: 'Spring ~',
        discount_type: type,
        discount_value: value,
      })),
      record(
        { kind: fc.constantFrom('service', 'discount'), name: words('Odd ~'), components, unit_price_cents: price },
        'kind',
        'name',
      ),
    ),
    catalog_items_update: fc.oneof(
      target('item', { ...itemMore, name: words('Better ~'), unit_price_cents: price, cost_cents: fc.constant(70) }),
      target('item', { components }),
      target('item', itemMore),
    ),
    catalog_items_archive: fc.oneof(target('item'), target('part'), target('part')),
  },
  plan: {
    plans_create: record(
      {
        ...priced,
        customer_id: ref('customer'),
        name: words('Pool care ~'),
        cadence: fc.constantFrom('weekly', 'monthly', 'annual'),
        start_date: fc.constantFrom('2026-01-31', '2028-02-29'),
      },
      'customer_id',
      'name',
      'cadence',
      'line_items',
    ),
    plans_update: fc.oneof(
      target('plan', { status: fc.constantFrom('active', 'paused') }),
      target('plan', {
        name: words('Lawn ~'),
        cadence: fc.constantFrom('weekly', 'monthly'),
        line_items: lines,
        discount: orNull(off),
        status: fc.constantFrom('active', 'paused'),
      }),
    ),
    plans_cancel: target('plan', { reason: words('Sold ~') }),
  },
}
