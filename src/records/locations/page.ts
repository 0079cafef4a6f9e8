import { facts } from '../../platform/html/parts/facts.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { status } from '../../platform/html/parts/status.ts'
import { say } from '../../platform/i18n/say.ts'
import { taxRates } from '../fields/choices.ts'
import { choiceField, hiddenField, longField, numberField, textField, tickField } from '../fields/fields.ts'

import { customerPath, recordLink } from '../page/links.ts'
import { part, multilineText } from '../page/parts.ts'
import { localAddress, mapLink } from '../page/reach.ts'
import { wordFor } from '../page/states.ts'
import { screen, type Action } from '../page/screen.ts'
import type { PageContext } from '../page/page_context.ts'
import { findCustomer } from '../customers/index.ts'
import { ratesById } from '../tax_rates/index.ts'
import type { Results } from '../../tools/declare/results.ts'
import type { Location } from './location.ts'
import { locations } from './tools.ts'

/** List row, without null fields. */
type Row = Results['locations_list']['rows'][number]

const makePrimary = (): Action => ({
  wire: 'locations_update',
  given: { is_primary: true },
  label: say`Make primary`,
  kind: 'quiet',
})

export const locationScreen = screen<Results['locations_get'], Row>({
  entity: locations,
  get title() {
    return say`Locations`
  },
  get one() {
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
        label: say`Location`,
        cell: (row) =>
          html`<span>${recordLink(context, 'locations', row.id, row.name ?? row.address_line1)}${primary(row)}</span>`,
      },
      { label: say`Type`, cell: ({ type }) => wordFor(type) },
      {
        label: say`Address`,
        cell: (row) =>
          html`<span class="reach"><span>${localAddress(row.formatted_address, context.company.country)}</span>${mapLink(row)}</span>`,
      },
    ],
    get empty() {
      return say`No address yet.`
    },
    exported: [
      'id',
      'customer_id',
      'type',
      'name',
      'address_line1',
      'address_line2',
      'city',
      'region',
      'postal_code',
      'country',
      'formatted_address',
      'is_primary',
      'updated_at',
    ],
  },
  nameOf: ({ name, address_line1 }) => name ?? address_line1,
  stateOf: (location) => html`${status(wordFor(location.type))}${primary(location)}`,
  leadsTo: customerPath,
  get fields() {
    return [
      hiddenField('customer_id', 'create'),
      textField({ name: 'address_line1', label: say`Street and number`, isRequired: true }),
      textField({ name: 'address_line2', label: say`Unit`, isHalf: true }),
      textField({ name: 'city', label: say`City`, isHalf: true }),
      textField({ name: 'region', label: say`State`, isHalf: true }),
      textField({ name: 'postal_code', label: say`ZIP code`, isHalf: true }),
      choiceField({
        name: 'type',
        label: say`Type`,
        isHalf: true,
        options: [
          { value: 'service', label: say`Service: where work is done` },
          { value: 'billing', label: say`Billing: where invoices go` },
        ],
      }),
      textField({ name: 'name', label: say`Name`, isHalf: true, help: say`Such as Lake house` }),
      longField({
        name: 'access_notes',
        label: say`Access notes`,
        help: say`Gate code, where to park, the dog`,
        rows: 2,
      }),
      textField({
        name: 'country',
        label: say`Country`,
        on: 'create',
        fold: 'open',
        help: say`Two letters; your company's when left empty`,
      }),
      textField({ name: 'country', label: say`Country`, on: 'update', fold: 'closed', help: say`Two letters` }),
      tickField({
        name: 'is_primary',
        label: say`Primary location`,
        fold: 'closed',
        help: say`Replaces the current one of this type. The first of each type is always primary.`,
      }),
      choiceField({
        name: 'tax_rate_id',
        label: say`Tax rate`,
        fold: 'open',
        options: taxRates,
        none: say`The company's default`,
        isFor: (context) => context.may('read:tax_rates'),
      }),
      numberField({ name: 'latitude', label: say`Latitude`, fold: 'open', isHalf: true }),
      numberField({ name: 'longitude', label: say`Longitude`, fold: 'open', isHalf: true }),
    ]
  },
  actions: (_, { is_primary }) => [
    ...(is_primary ? [] : [makePrimary()]),
    {
      wire: 'locations_archive',
      label: say`Archive location`,
      kind: 'danger',
      warns: is_primary
        ? say`The location is hidden for good, and the oldest other one of its type becomes the primary one. Jobs keep its address.`
        : say`The location is hidden for good. Jobs keep its address.`,
    },
  ],
  sheet: async (context, location) => {
    const [customer, rate] = await Promise.all([
      context.read((db) => findCustomer(db, location.customer_id)),
      rateName(context, location),
    ])
    return html`
${facts([
  { label: say`Customer`, value: recordLink(context, 'customers', customer.id, customer.display_name) },
  {
    label: say`Address`,
    value: html`<span class="reach"><span>${localAddress(location.formatted_address, context.company.country)}</span>${mapLink(location)}</span>`,
  },
  ...(location.latitude === null
    ? []
    : [{ label: say`On the map`, value: `${location.latitude}, ${location.longitude}` }]),
  ...(rate === undefined ? [] : [{ label: say`Tax rate`, value: rate }]),
])}
${location.access_notes === null ? '' : part(say`Access notes`, multilineText(location.access_notes))}`
  },
})

const primary = ({ is_primary }: Pick<Location, 'is_primary'>): Html | '' =>
  is_primary ? html` ${status(say`Primary`, 'active')}` : ''

async function rateName(context: PageContext, { tax_rate_id }: Location): Promise<string | undefined> {
  if (tax_rate_id === null || !context.may('read:tax_rates')) return undefined
  return (await context.read((db) => ratesById(db, [tax_rate_id]))).get(tax_rate_id)?.name
}
