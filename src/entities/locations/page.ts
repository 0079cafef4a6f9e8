import { facts } from '../../html/facts.ts'
import { html, type Html } from '../../html/html.ts'
import { status } from '../../html/status.ts'
import { taxRates } from '../../screens/fields/choices.ts'
import { choiceField, hiddenField, longField, numberField, textField, tickField } from '../../screens/fields/fields.ts'
import { words } from '../../screens/formats.ts'
import { customerPath, recordLink } from '../../screens/links.ts'
import { part, written } from '../../screens/parts.ts'
import { localAddress, mapLink } from '../../screens/reach.ts'
import { screen, type Action } from '../../screens/screen.ts'
import type { PageContext } from '../../screens/page_context.ts'
import { findCustomer } from '../customers/index.ts'
import { ratesById } from '../tax_rates/index.ts'
import type { Results } from '../../tools/results.ts'
import type { Location } from './location.ts'
import { locations } from './tools.ts'

/** Describes a list row, which leaves out what is null. */
type Row = Results['locations_list']['rows'][number]

const MAKE_PRIMARY: Action = { wire: 'locations_update', given: { is_primary: true }, label: 'Make primary', kind: 'quiet' }

export const locationScreen = screen<Results['locations_get'], Row>({
  entity: locations,
  title: 'Locations',
  one: 'location',
  startsFrom: 'customer',
  listing: {
    filters: [
      { kind: 'record', name: 'customer_id', of: 'customers' },
      {
        kind: 'choice',
        name: 'type',
        label: 'Type',
        options: [
          { value: 'service', label: 'Service' },
          { value: 'billing', label: 'Billing' },
        ],
      },
    ],
    columns: (context) => [
      {
        label: 'Location',
        cell: (row) =>
          html`<span>${recordLink(context, 'locations', row.id, row.name ?? row.address_line1)}${primary(row)}</span>`,
      },
      { label: 'Type', cell: ({ type }) => words(type) },
      {
        label: 'Address',
        cell: (row) =>
          html`<span class="reach"><span>${localAddress(row.formatted_address, context.company.country)}</span>${mapLink(row)}</span>`,
      },
    ],
    empty: 'No address yet.',
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
  stateOf: (location) => html`${status(words(location.type))}${primary(location)}`,
  leadsTo: customerPath,
  fields: [
    hiddenField('customer_id', 'create'),
    choiceField({
      name: 'type',
      label: 'Type',
      options: [
        { value: 'service', label: 'Service: where work is done' },
        { value: 'billing', label: 'Billing: where invoices go' },
      ],
    }),
    textField({ name: 'name', label: 'Name', help: 'Such as Lake house' }),
    textField({ name: 'address_line1', label: 'Street and number', isRequired: true, group: 'Address' }),
    textField({ name: 'address_line2', label: 'Unit', group: 'Address' }),
    textField({ name: 'city', label: 'City', group: 'Address' }),
    textField({ name: 'region', label: 'State or region', group: 'Address' }),
    textField({ name: 'postal_code', label: 'Postal code', group: 'Address' }),
    textField({
      name: 'country',
      label: 'Country',
      group: 'Address',
      on: 'create',
      help: "Two letters; the company's when left empty",
    }),
    textField({ name: 'country', label: 'Country', group: 'Address', on: 'update', help: 'Two letters' }),
    longField({
      name: 'access_notes',
      label: 'How to get in',
      group: 'On site',
      help: 'Gate code, where to park, the dog. Not shown in lists',
      rows: 3,
    }),
    tickField({
      name: 'is_primary',
      label: 'Primary location',
      group: 'On site',
      help: 'In the place of the present one of this type; the first of a type is it anyway',
    }),
    choiceField({
      name: 'tax_rate_id',
      label: 'Tax rate',
      group: 'More',
      options: taxRates,
      none: "The company's default",
      isFor: (context) => context.may('read:tax_rates'),
    }),
    numberField({ name: 'latitude', label: 'Latitude', group: 'More', help: 'With the longitude, or neither' }),
    numberField({ name: 'longitude', label: 'Longitude', group: 'More' }),
  ],
  actions: (_, { is_primary, type }) => [
    ...(is_primary ? [] : [MAKE_PRIMARY]),
    {
      wire: 'locations_archive',
      label: 'Archive location',
      kind: 'danger',
      warns: `The location is hidden, and nobody can bring it back. Jobs keep its address.${is_primary ? ` The oldest other ${type} location becomes the primary one.` : ''}`,
    },
  ],
  sheet: async (context, location) => {
    const [customer, rate] = await Promise.all([
      context.read((db) => findCustomer(db, location.customer_id)),
      rateName(context, location),
    ])
    return html`
${facts([
  { label: 'Customer', value: recordLink(context, 'customers', customer.id, customer.display_name) },
  {
    label: 'Address',
    value: html`<span class="reach"><span>${localAddress(location.formatted_address, context.company.country)}</span>${mapLink(location)}</span>`,
  },
  ...(location.latitude === null
    ? []
    : [{ label: 'On the map', value: `${location.latitude}, ${location.longitude}` }]),
  ...(rate === undefined ? [] : [{ label: 'Tax rate', value: rate }]),
])}
${location.access_notes === null ? '' : part('How to get in', written(location.access_notes))}`
  },
})

const primary = ({ is_primary }: Pick<Location, 'is_primary'>): Html | '' =>
  is_primary ? html` ${status('Primary', 'active')}` : ''

async function rateName(context: PageContext, { tax_rate_id }: Location): Promise<string | undefined> {
  if (tax_rate_id === null || !context.may('read:tax_rates')) return undefined
  return (await context.read((db) => ratesById(db, [tax_rate_id]))).get(tax_rate_id)?.name
}
