import { html } from '../../html/html.ts'
import { status } from '../../html/status.ts'
import { worded } from '../../screens/fields/choices.ts'
import { choicesField, hiddenField } from '../../screens/fields/fields.ts'
import { recordLink } from '../../screens/links.ts'
import { state } from '../../screens/parts.ts'
import { localAddress, mailLink, phoneLink } from '../../screens/reach.ts'
import { screen, type Way } from '../../screens/screen.ts'
import type { PageContext } from '../../screens/page_context.ts'
import { tagChips } from '../../screens/tag_chip.ts'
import type { TagRow } from '../tags/index.ts'
import type { Results } from '../../tools/results.ts'
import { mayMerge, successorOf } from './customer.ts'
import { customerFields, everyTag } from './form.ts'
import { customerSheet, type FullCustomer } from './sheet.ts'
import { customers } from './tools.ts'

type Row = Results['customers_search']['rows'][number]

export const customerScreen = screen<FullCustomer, Row>({
  entity: customers,
  title: 'Customers',
  one: 'customer',
  menu: { group: 'customers', position: 1 },
  listing: {
    filters: [
      { kind: 'search', name: 'query', label: 'Name, phone, e-mail or tag' },
      { kind: 'choice', name: 'status', label: 'Status', options: worded('lead', 'active', 'inactive') },
      { kind: 'choice', name: 'tag', label: 'Tag', options: everyTag },
      {
        kind: 'choice',
        name: 'customer_type',
        label: 'Type',
        options: [
          { value: 'individual', label: 'People' },
          { value: 'company', label: 'Companies' },
        ],
      },
    ],
    columns: (context) => [
      { label: 'Name', cell: ({ id, display_name }) => recordLink(context, 'customers', id, display_name) },
      { label: 'Phone', cell: ({ primary_phone }) => (primary_phone === undefined ? '–' : phoneLink(primary_phone)) },
      { label: 'E-mail', cell: ({ primary_email }) => (primary_email === undefined ? '–' : mailLink(primary_email)) },
      {
        label: 'Address',
        cell: ({ primary_address }) =>
          primary_address === undefined ? '–' : localAddress(primary_address, context.company.country),
      },
      { label: 'Tags', cell: ({ tags }) => tagChips(tags) },
      { label: 'Status', cell: ({ status }) => state(status) },
    ],
    empty: 'No customers yet. Make the first one, or let an assistant bring them over from what you used before.',
    exported: [
      'id',
      'display_name',
      'customer_type',
      'status',
      'primary_phone',
      'primary_email',
      'primary_address',
      'tags',
      'updated_at',
    ],
    ways: (context) =>
      context.may('write:customers') ? [{ label: 'Import', href: context.path('customers', 'import') }] : [],
  },
  nameOf: ({ display_name }) => display_name,
  stateOf: (customer) =>
    html`${state(customer.status)}${customer.do_not_service ? html` ${status('Do not service', 'warning')}` : ''}`,
  fields: customerFields,
  actions: () => [
    {
      wire: 'customers_tag',
      label: 'Change tags',
      beginsAs: 'record',
      fields: [
        choicesField({
          name: 'tag_ids',
          from: 'tags',
          label: 'Tags',
          options: everyTag,
          of: (tags) => (tags as TagRow[]).map(({ id }) => id),
        }),
        { ...hiddenField('expected_updated_at', 'update'), from: 'updated_at' },
      ],
    },
    {
      wire: 'customers_archive',
      label: 'Archive the customer',
      kind: 'danger',
      warns:
        'The customer is hidden with all contacts and locations, and nobody can bring them back. Jobs, quotes and invoices stay.',
    },
  ],
  ways,
  sheet: customerSheet,
  movedTo: (context, id) => context.read((db) => successorOf(db, id)),
})

function ways(context: PageContext, { id }: FullCustomer): Way[] {
  const start = (entity: string): string => `${context.path(entity, 'new')}?customer_id=${id}`
  return [
    ...(context.may('write:jobs') ? [{ label: 'New job', href: start('jobs'), kind: 'main' as const }] : []),
    ...(context.may('write:quotes') ? [{ label: 'New quote', href: start('quotes') }] : []),
    ...(context.may('write:invoices') ? [{ label: 'New invoice', href: start('invoices') }] : []),
    ...(context.may('write:customers') && mayMerge(context.caller)
      ? [{ label: 'Merge…', href: context.path('customers', id, 'merge'), kind: 'quiet' as const }]
      : []),
  ]
}
