import type { Company, Result } from '../../harness/harness.ts'
import { day } from '../scene.ts'

/** Number of records of each kind: a full page of a list. */
export const MANY = 100

const each = async <T>(make: (i: number) => Promise<T>): Promise<T[]> => {
  const made: T[] = []
  for (let i = 0; i < MANY; i += 10)
    made.push(...(await Promise.all(Array.from({ length: 10 }, (_, j) => make(i + j)))))
  return made
}

/**
 * Fills a company with a full page of every list, in texts of realistic length. Returns a customer with full lists of
 * its own.
 */
export async function stock({ call, member }: Company): Promise<Result> {
  const crew = [await member('tech'), await member('tech')].map(({ id }) => id)
  const rate = await call('tax_rates_create', { name: 'Travis County, Texas', rate_percentage: 8.25, is_default: true })
  await each((i) =>
    call('tax_rates_create', { name: `Travis County emergency services district ${i}`, rate_percentage: 8.25 }),
  )
  const tags = await each((i) => call('tags_create', { name: `Maintenance agreement ${i}`, color: '#1E90FF' }))
  const tops = [
    await call('catalog_categories_create', { name: 'Heating and cooling' }),
    await call('catalog_categories_create', { name: 'Plumbing' }),
  ]
  const categories = await each((i) =>
    call('catalog_categories_create', { name: `Air conditioning and heat pumps ${i}`, parent_id: tops[i % 2]!.id }),
  )
  const items = await each((i) =>
    call('catalog_items_create', {
      kind: 'product',
      name: `Condenser fan motor 1/4 HP 208-230V ${i}`,
      sku: `CFM-0250-${1000 + i}`,
      category_id: categories[i]!.id,
      unit_price_cents: 28_999 + i,
      cost_cents: 14_550,
      supplier_name: 'Johnstone Supply',
      manufacturer: 'Genteq',
      model: '5KCP39',
    }),
  )
  const customers = await each((i) => call('customers_create', company(i, [tags[i]!.id, tags[(i + 1) % MANY]!.id])))
  const line_items = [
    { catalog_item_id: items[0]!.id, quantity: 2 },
    { name: 'Labor', kind: 'labor', unit: 'hour', quantity: 2.5, unit_price_cents: 12_500 },
  ]
  await each(async (i) => {
    const customer_id = customers[i]!.id
    await call('notes_create', { subject_type: 'customer', subject_id: customer_id, body: NOTE })
    await call('jobs_create', {
      customer_id,
      title: 'Replace condenser fan motor and check refrigerant charge',
      instructions: 'Bring the long ladder',
      scheduled_start: `${day(i % 30)}T09:00`,
      assignees: crew,
      line_items,
    })
    await call('job_series_create', {
      customer_id,
      title: 'Quarterly filter change and coil cleaning',
      rrule: 'FREQ=MONTHLY;INTERVAL=3;BYDAY=2TU',
      dtstart: `${day(100)}T09:00`,
      assignees: crew,
    })
    const { id } = await call('invoices_create', { customer_id, subject: 'Condenser fan motor', line_items })
    await call('invoices_update', { id, status: 'sent' })
    await call('quotes_create', { customer_id, title: 'Replacement of rooftop unit, 5 tons, with crane', line_items })
    await call('plans_create', {
      customer_id,
      name: 'Gold maintenance agreement, two visits a year',
      cadence: 'semiannual',
      line_items,
    })
  })
  await peopleAndPlaces(call, customers[0]!.id, rate.id)
  return customers[0]!
}

const peopleAndPlaces = async (call: Company['call'], customer_id: string, tax_rate_id: string): Promise<unknown> =>
  Promise.all([
    each((i) =>
      call('contacts_create', {
        customer_id,
        first_name: 'Guadalupe',
        last_name: `Villarreal-Henderson ${i}`,
        role_label: 'Facilities manager',
        phone: `512556${1000 + i}`,
        phone_extension: '204',
        email: `guadalupe.villarreal${i}@bartonspringspm.example.com`,
        notes: 'Prefers a call after 3 pm.',
      }),
    ),
    each((i) =>
      call('locations_create', {
        customer_id,
        name: `Building ${i}, north campus`,
        ...address(i),
        latitude: 30.267153,
        longitude: -97.743057,
        access_notes: 'Gate 4411',
        tax_rate_id,
      }),
    ),
  ])

const address = (i: number) => ({
  address_line1: `${2200 + i} South Lamar Boulevard`,
  address_line2: `Suite ${i}`,
  city: 'Austin',
  region: 'TX',
  postal_code: '78704',
})

const company = (i: number, tag_ids: string[]): object => ({
  customer_type: 'company',
  company_name: `Barton Springs Property Management ${i} LLC`,
  email: `accounts.payable${i}@bartonspringspm.example.com`,
  phone: `512555${1000 + i}`,
  tag_ids,
  locations: [{ name: 'Main office', ...address(i) }],
})

const NOTE = `Called about the roof unit on the north side: it trips the breaker after about twenty minutes, started after the storm on Tuesday.
Told them we can come Thursday morning. Gate code 4411, ask for Guadalupe at the desk, and bring the long ladder because the hatch ladder is broken.
They want a quote for a replacement as well, in writing, before the end of the month.`
