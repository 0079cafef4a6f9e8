import { facts, type Fact } from '../../platform/html/parts/facts.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { status } from '../../platform/html/parts/status.ts'
import { say } from '../../platform/i18n/say.ts'
import { formFields } from '../declare/form_fields.ts'
import { hiddenField } from '../fields/fields.ts'
import { sheetFacts } from '../page/sheet_facts.ts'
import { customerPath, recordLink } from '../page/links.ts'
import { part, multilineText } from '../page/parts.ts'
import { localAddress, mapLink } from '../page/contact_links.ts'
import { wordFor } from '../page/states.ts'
import { mayWrite, screen, type Action } from '../page/screen.ts'
import type { PageContext } from '../page/page_context.ts'
import { findCustomer } from '../customers/index.ts'
import type { Position } from '../../scheduling/places/coordinates.ts'
import { positionsOf } from '../../scheduling/places/positions.ts'
import { ratesById } from '../tax_rates/index.ts'
import type { Results } from '../../tools/declare/results.ts'
import { LOCATION, PIN_FIELDS, type Location } from './fields.ts'
import { locations } from './tools.ts'

/** List row, without null fields. */
type Row = Results['locations_list']['rows'][number]

const makePrimary = (): Action => ({
  wire: 'locations_update',
  input: { is_primary: true },
  label: say`Make primary`,
  kind: 'quiet',
})

export const locationScreen = screen<Results['locations_get'], Row>({
  entity: locations,
  get title() {
    return say`Locations`
  },
  get singular() {
    return say`location`
  },
  startsFrom: 'customer',
  listing: {
    filters: () => [
      { kind: 'record', name: 'customer_id', of: 'customers' },
      {
        kind: 'choice',
        name: 'type',
        label: say`Type`,
        options: [
          { value: 'service', label: say`Service` },
          { value: 'billing', label: say`Billing` },
        ],
      },
    ],
    columns: (context) => [
      {
        name: 'location',
        label: say`Location`,
        cell: (row) =>
          html`<span>${recordLink(context, 'locations', row.id, row.name ?? row.address_line1)}${primaryBadge(row)}</span>`,
      },
      { name: 'type', label: say`Type`, cell: ({ type }) => wordFor(type) },
      {
        name: 'address',
        label: say`Address`,
        cell: (row) =>
          html`<span class="reach"><span>${localAddress(
            row.formatted_address,
            context.company.country,
          )}</span>${mapLink(row)}</span>`,
      },
    ],
    get empty() {
      return say`No address yet.`
    },
    exported: LOCATION.listed,
  },
  nameOf: ({ name, address_line1 }) => name ?? address_line1,
  stateOf: (location) => html`${status(wordFor(location.type))}${primaryBadge(location)}`,
  parentPath: customerPath,
  get fields() {
    return [
      hiddenField('customer_id', 'create'),
      ...formFields(LOCATION, [
        'address_line1',
        'address_line2',
        'city',
        'region',
        'postal_code',
        'type',
        'name',
        'access_notes',
        'country',
        'is_primary',
        'tax_rate_id',
      ]),
    ]
  },
  actions: (_, { is_primary }) => [
    ...(is_primary ? [] : [makePrimary()]),
    {
      wire: 'locations_archive',
      label: say`Archive location`,
      kind: 'danger',
      warning: is_primary
        ? say`The location is hidden for good, and the oldest other one of its type becomes the primary one. Jobs keep its address.`
        : say`The location is hidden for good. Jobs keep its address.`,
    },
  ],
  sheet: async (context, location) => {
    const [customer, rate, positions] = await Promise.all([
      context.read((db) => findCustomer(db, location.customer_id)),
      rateName(context, location),
      context.read((db) => positionsOf(db, [location.id])),
    ])
    const position = positions.get(location.id)
    return html`
${facts([
  { label: say`Customer`, value: recordLink(context, 'customers', customer.id, customer.display_name) },
  {
    label: say`Address`,
    value: html`<span class="reach"><span>${localAddress(
      location.formatted_address,
      context.company.country,
    )}</span>${mapLink(location)}</span>`,
  },
  ...mapFact(context, location, position),
  ...(rate === undefined ? [] : [{ label: say`Tax rate`, value: rate }]),
  ...sheetFacts(context, LOCATION, location),
])}
${location.access_notes === null ? '' : part(say`Access notes`, multilineText(location.access_notes))}`
  },
})

const primaryBadge = ({ is_primary }: Pick<Location, 'is_primary'>): Html | '' =>
  is_primary ? html` ${status(say`Primary`, 'active')}` : ''

/** Returns the fact about a location's position, with the pin's edit link for people who may move it. */
function mapFact(context: PageContext, { id, archived_at }: Location, position: Position | undefined): Fact[] {
  const mayMove = archived_at === null && mayWrite(context, locations)
  const link = html` <a href="${context.path('locations', id, 'edit')}?field=${PIN_FIELDS}">${
    position === undefined ? say`Set pin` : say`Move pin`
  }</a>`
  if (position === undefined && !mayMove) return []
  const value = html`${position === undefined ? '' : positionText(position)}${mayMove ? link : ''}`
  return [{ label: say`On the map`, value }]
}

/** Renders a location's coordinates and their precision. */
function positionText({ latitude, longitude, precision }: Position): Html {
  const source = { pin: say`Pin set manually`, street: say`Found by its street`, zip: say`Center of the ZIP code` }
  return html`${latitude}, ${longitude} <span class="hint">${source[precision]}</span>`
}

async function rateName(context: PageContext, { tax_rate_id }: Location): Promise<string | undefined> {
  if (tax_rate_id === null || !context.may('read:tax_rates')) return undefined
  return (await context.read((db) => ratesById(db, [tax_rate_id]))).get(tax_rate_id)?.name
}
