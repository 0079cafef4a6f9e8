import { z } from 'zod'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { day, hours } from '../format/formats.ts'
import { linesHtml, totalsHtml, type Amount } from './document.ts'
import { statusTag } from './parts.ts'
import { localAddress } from './contact_links.ts'

/** Locale of a card, and the URLs of its records; no links inside a host that opens pages itself. */
type CardView = { timezone: string; country: string; hrefOf?(entity: string, id: string): string }

const nullable = <T extends z.ZodType>(of: T) => of.nullish().transform((value) => value ?? null)
const text = nullable(z.string())

const visit = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  customer_name: text,
  location_address: text,
  scheduled_start: text,
  scheduled_end: text,
  all_day: z.boolean().default(false),
  assignees: z.array(z.object({ name: z.string() })).default([]),
})
const visits = z.object({ rows: z.array(visit), hasMore: z.boolean() })
type Visit = z.output<typeof visit>

const line = z.object({
  kind: z.string(),
  name: z.string(),
  description: text,
  quantity: nullable(z.number()),
  unit: text,
  unit_price_cents: nullable(z.number()),
  taxable: z.boolean(),
  discount_type: nullable(z.enum(['percent', 'amount'])),
  discount_value: nullable(z.number()),
  line_total_cents: z.number(),
})
const tax = z.object({ name: z.string(), rate_decimal: z.number(), base_cents: z.number(), tax_cents: z.number() })
const pricedDocument = z.object({
  id: z.string(),
  display_number: z.string(),
  status: z.string(),
  currency: z.string(),
  customer_name: text,
  line_items: z.array(line),
  taxes: z.array(tax),
  subtotal_cents: z.number(),
  discount_cents: z.number(),
  tax_cents: z.number(),
  total_cents: z.number(),
  url: z.string().optional(),
})
const quote = pricedDocument.extend({ title: text, valid_until: text })
const invoice = pricedDocument.extend({
  subject: text,
  due_date: text,
  is_overdue: z.boolean().default(false),
  amount_paid_cents: z.number(),
  balance_due_cents: z.number(),
})

/** Renders a tool's result as a card; undefined if there is no card for it. */
export function resultCard(tool: string, result: unknown, view: CardView): Html | undefined {
  switch (tool) {
    case 'jobs_list':
      return renderIfValid(visits, result, (list) => visitsHtml(list, view))
    case 'quotes_get':
    case 'quotes_create':
    case 'quotes_update':
      return renderIfValid(quote, result, (one) =>
        documentHtml(one, view, {
          entity: 'quotes',
          name: say`Quote ${one.display_number}`,
          state: statusTag(one.status, 'quote'),
          subtitle: one.title,
          date: one.valid_until === null ? '' : say`Valid until ${day(one.valid_until)}`,
          amountsAfter: [],
        }),
      )
    case 'invoices_get':
    case 'invoices_create':
    case 'invoices_update':
      return renderIfValid(invoice, result, (one) =>
        documentHtml(one, view, {
          entity: 'invoices',
          name: say`Invoice ${one.display_number}`,
          state: statusTag(one.is_overdue ? 'overdue' : one.status, 'invoice'),
          subtitle: one.subject,
          date: one.due_date === null ? '' : say`Due ${day(one.due_date)}`,
          amountsAfter:
            one.amount_paid_cents === 0
              ? []
              : [
                  [sayFor('sum')`Paid`, -one.amount_paid_cents],
                  [say`Balance due`, one.balance_due_cents],
                ],
        }),
      )
    default:
      return undefined
  }
}

/** Renders a value if it matches the schema. */
function renderIfValid<T extends z.ZodType>(
  schema: T,
  value: unknown,
  render: (value: z.output<T>) => Html,
): Html | undefined {
  const parsed = schema.safeParse(value)
  return parsed.success ? render(parsed.data) : undefined
}

function visitsHtml({ rows, hasMore }: z.output<typeof visits>, view: CardView): Html {
  if (rows.length === 0) return html`<p class="help">${say`No visits`}</p>`
  const byTime = rows.toSorted((a, b) => startOf(a) - startOf(b))
  const days = Map.groupBy(byTime, ({ scheduled_start: at }) =>
    at === null ? say`Not scheduled` : day(dateAt(at, view.timezone)),
  )
  return html`${[...days].map(
    ([name, list]) => html`
<h3>${name}</h3>
<ul class="visits">${list.map((one) => visitHtml(one, view))}
</ul>`,
  )}${when(hasMore, () => html`<p class="help">${say`There is more.`}</p>`)}`
}

const startOf = ({ scheduled_start: at }: Visit): number => (at === null ? Infinity : Date.parse(at))

const dateAt = (instant: string, zone: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate().toString()

const visitHtml = (one: Visit, view: CardView): Html => html`
  <li><span class="visit-time">${timesOf(one, view)}</span>
    <div><b>${titleHtml(one.title, view.hrefOf?.('jobs', one.id))}</b>
      <span class="help">${[one.customer_name, addressOf(one, view)].filter((part) => part !== null).join(' · ')}</span>
      <span class="help">${one.assignees.map(({ name }) => name).join(', ') || say`Unassigned`}</span></div>
    ${statusTag(one.status, 'visit')}</li>`

const timesOf = ({ scheduled_start: from, scheduled_end: to, all_day }: Visit, { timezone }: CardView): string =>
  from === null || to === null || all_day ? say`Any time` : hours(from, to, timezone)

const addressOf = ({ location_address: address }: Visit, { country }: CardView): string | null =>
  address === null ? null : localAddress(address, country)

const titleHtml = (title: string, href: string | undefined): Html | string =>
  href === undefined ? title : html`<a href="${href}">${title}</a>`

type Heading = {
  entity: string
  name: string
  state: Html
  subtitle: string | null
  date: string
  amountsAfter: readonly Amount[]
}

const documentHtml = (
  one: z.output<typeof pricedDocument>,
  { hrefOf }: CardView,
  { entity, name, state, subtitle, date, amountsAfter }: Heading,
): Html => html`
<div class="card-head"><b>${titleHtml(name, hrefOf?.(entity, one.id))}</b>${state}</div>
<p>${[one.customer_name, subtitle].filter((part) => part !== null).join(' · ')}</p>
<p class="help">${date}</p>
${linesHtml(one.line_items, one.currency)}${totalsHtml(one, one.currency, amountsAfter)}`

type PlainRecord = Readonly<Record<string, unknown>>

/** Returns a record's name for people from its tool's result. */
export function nameIn(record: PlainRecord): string | undefined {
  const person = [record['first_name'], record['last_name']].filter((one) => typeof one === 'string').join(' ')
  return [
    record['display_name'],
    record['title'],
    record['name'],
    record['subject'],
    record['formatted_address'],
    person,
    record['body'],
    record['customer_name'],
  ]
    .find((one): one is string => typeof one === 'string' && one !== '')
    ?.slice(0, 80)
}

/** Returns the name of a record's customer from its tool's result. */
export const customerNameIn = (entity: string, record: PlainRecord): string | undefined => {
  const name = entity === 'customers' ? record['display_name'] : record['customer_name']
  return typeof name === 'string' ? name : undefined
}
