import type { Results } from '../../../tools/declare/results.ts'
import { linesOf, type Catalog, type DemoLine } from './catalog.ts'
import type { Customers } from '../customers.ts'
import type { PersonName } from '../people.ts'
import type { DemoSite } from '../work/site.ts'
import type { TaxRates } from './tax_rates.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'

type DemoQuote = {
  ref: string
  for: string
  by: PersonName
  /** Days since its issue. */
  age: number
  /** Status changes after its creation, in order. */
  statuses: readonly ('sent' | 'accepted' | 'declined' | 'expired' | 'archived')[]
  title: string
  lines: readonly DemoLine[]
  message?: string
  terms?: string
  decline_reason?: string
  discount?: { type: 'percent' | 'amount'; value: number }
  outside?: true
}

/** Quotes by demo name. */
export type Quotes = ReadonlyMap<string, Results['quotes_create']>
type QuoteSources = { customers: Customers; catalog: Catalog; rates: TaxRates }

/** Creates the quotes, oldest first, then applies their status changes. */
export async function makeQuotes(site: DemoSite, sources: QuoteSources): Promise<Quotes> {
  const quotes = new Map<string, Results['quotes_create']>()
  for (const quote of QUOTES) quotes.set(quote.ref, await makeQuote(site, sources, quote))
  await Promise.all(QUOTES.map((quote) => setStatus(site, quote, requireValue(quotes.get(quote.ref), quote.ref).id)))
  return quotes
}

const makeQuote = (
  { today, make }: DemoSite,
  { customers, catalog, rates }: QuoteSources,
  quote: DemoQuote,
): Promise<Results['quotes_create']> => {
  const { for: customer, by, age, title, lines, message, terms, discount, outside } = quote
  return make(
    'quotes_create',
    {
      customer_id: requireValue(customers.get(customer), customer).id,
      title,
      message,
      terms,
      discount,
      line_items: linesOf(catalog, lines),
      issue_date: today.subtract({ days: age }).toString(),
      valid_until: today.add({ days: Math.max(VALID_DAYS - age, 1) }).toString(),
      ...(outside ? { tax_rate_id: rates.state.id } : {}),
    },
    by,
  )
}

const VALID_DAYS = 30

async function setStatus(
  { today, make }: DemoSite,
  { statuses, by, age, decline_reason }: DemoQuote,
  id: string,
): Promise<void> {
  for (const status of statuses) {
    if (status === 'archived') await make('quotes_archive', { id }, by)
    else if (status === 'declined') await make('quotes_update', { id, status, decline_reason }, by)
    else if (status === 'expired')
      await make(
        'quotes_update',
        { id, status, valid_until: today.subtract({ days: age - VALID_DAYS }).toString() },
        by,
      )
    else await make('quotes_update', { id, status }, by)
  }
}

const QUOTES: readonly DemoQuote[] = [
  {
    ref: 'water_softener',
    for: 'mensah',
    by: 'priya',
    age: 44,
    statuses: ['sent', 'expired'],
    title: 'Water softener and loop',
    lines: [{ kind: 'product', name: 'Softener, 48k grain', unit_price_cents: 129_000 }, ['plumber', 5]],
  },
  {
    ref: 'second_system',
    for: 'yoder',
    by: 'dana',
    age: 25,
    statuses: ['sent', 'archived'],
    title: 'Air conditioning for the workshop',
    lines: [{ kind: 'product', name: 'Mini split, 1.5 ton', unit_price_cents: 215_000 }, ['technician', 8]],
    outside: true,
  },
  {
    ref: 'repipe',
    for: 'mcallister',
    by: 'dana',
    age: 18,
    statuses: ['sent', 'declined'],
    title: 'Repipe below the first floor',
    lines: [
      ['plumber', 30],
      { kind: 'product', name: 'PEX, fittings and manifold', unit_price_cents: 118_000 },
      'permit',
    ],
    decline_reason: 'Waits until after the tax refund.',
    terms: 'Half before the work, half when water is back on.',
  },
  {
    ref: 'media_cabinets',
    for: 'huang',
    by: 'priya',
    age: 9,
    statuses: ['sent', 'accepted'],
    title: 'Media cabinets for both zones',
    lines: [
      { kind: 'product', name: 'Media cabinet 20x25', unit_price_cents: 38_500 },
      { kind: 'product', name: 'Media cabinet 16x25', unit_price_cents: 36_500 },
      ['technician', 4],
      ['filter', 2],
      'plan_discount',
    ],
  },
  {
    ref: 'contactor',
    for: 'stelmo',
    by: 'priya',
    age: 6,
    statuses: ['accepted'],
    title: 'Contactor of rooftop unit 3',
    lines: ['contactor', ['technician', 1]],
    message: 'Done before the concert. Raymond said yes on the phone.',
  },
  {
    ref: 'tankless',
    for: 'okafor',
    by: 'priya',
    age: 5,
    statuses: ['sent'],
    title: 'Tankless water heater',
    lines: [
      'tankless',
      ['plumber', 8],
      'permit',
      { kind: 'product', name: 'Gas line upsize, 3/4 in', unit_price_cents: 46_000 },
      'plan_discount',
    ],
    message: 'As Luis discussed with you: the tank has a year or two left, so there is no rush.',
    terms: 'Ten years on the heat exchanger, two on our work.',
  },
  {
    ref: 'new_system',
    for: 'tran',
    by: 'dana',
    age: 2,
    statuses: ['sent'],
    title: 'New heat pump, 4 ton',
    discount: { type: 'percent', value: 5 },
    lines: [
      { kind: 'product', name: 'Heat pump and air handler, 4 ton', unit_price_cents: 689_000 },
      ['technician', 20],
      'permit',
    ],
    message: 'The 3.5 ton we talked about follows on a sheet of its own.',
    terms: 'A third with the order, the rest on start-up.',
  },
  {
    ref: 'rough_in',
    for: 'bluestem',
    by: 'dana',
    age: 1,
    statuses: [],
    title: 'Zaragoza new build: rough-in and trim',
    discount: { type: 'amount', value: 50_000 },
    lines: [['plumber', 64], { kind: 'product', name: 'Rough-in material', unit_price_cents: 412_000 }, ['permit', 2]],
  },
  {
    ref: 'bathroom',
    for: 'abernathy',
    by: 'priya',
    age: 0,
    statuses: [],
    title: 'Bathroom in the garage',
    lines: [
      ['plumber', 40],
      { kind: 'product', name: 'Drain, vent and supply material', unit_price_cents: 164_000 },
      'permit',
    ],
    message: 'First estimate; the plans decide about the slab cut.',
  },
]
