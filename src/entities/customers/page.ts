import { html } from '../../html/html.ts'
import { status } from '../../html/status.ts'
import { worded } from '../../screens/fields/choices.ts'
import { choicesField, hiddenField } from '../../screens/fields/fields.ts'
import { recordLink } from '../../screens/links.ts'
import { state } from '../../screens/parts.ts'
import { localAddress, mailLink, phoneLink } from '../../screens/reach.ts'
import { screen } from '../../screens/screen.ts'
import type { Desk } from '../../screens/page_context.ts'
import type { Way } from '../../screens/screen.ts'
import { tagChips } from '../../screens/tag_chip.ts'
import type { TagRow } from '../tags/index.ts'
import { mayMerge, successorOf } from './customer.ts'
import type { Customer } from './customer.ts'
import { customerFields, everyTag } from './form.ts'
import { customerSheet } from './sheet.ts'
import type { FullCustomer } from './sheet.ts'
import { customers } from './tools.ts'

/** A list row leaves out what is null. */
type Row = Pick<Customer, 'id' | 'display_name' | 'status'> & { primary_phone?: string; primary_email?: string; primary_address?: string; tags?: TagRow[] }

export const customerScreen = screen<FullCustomer, Row>({
  entity: customers, title: 'Customers', one: 'customer',
  listing: {
    filters: [
      { kind: 'search', name: 'query', label: 'Name, phone, e-mail or tag' },
      { kind: 'choice', name: 'status', label: 'Status', options: worded('lead', 'active', 'inactive') },
      { kind: 'choice', name: 'tag', label: 'Tag', options: everyTag },
      { kind: 'choice', name: 'customer_type', label: 'Type', options: [{ value: 'individual', label: 'People' }, { value: 'company', label: 'Companies' }] },
    ],
    columns: (desk) => [
      { label: 'Name', cell: ({ id, display_name }) => recordLink(desk, 'customers', id, display_name) },
      { label: 'Phone', cell: ({ primary_phone }) => (primary_phone === undefined ? '–' : phoneLink(primary_phone)) },
      { label: 'E-mail', cell: ({ primary_email }) => (primary_email === undefined ? '–' : mailLink(primary_email)) },
      { label: 'Address', cell: ({ primary_address }) => (primary_address === undefined ? '–' : localAddress(primary_address, desk.company.country)) },
      { label: 'Tags', cell: ({ tags }) => tagChips(tags) },
      { label: 'Status', cell: ({ status }) => state(status) },
    ],
    empty: 'No customers yet. Make the first one, or let an assistant bring them over from what you used before.',
    exported: ['id', 'display_name', 'customer_type', 'status', 'primary_phone', 'primary_email', 'primary_address', 'tags', 'updated_at'],
    ways: (desk) => (desk.may('write:customers') ? [{ label: 'Import', href: desk.path('customers', 'import') }] : []),
  },
  nameOf: ({ display_name }) => display_name,
  stateOf: (customer) => html`${state(customer.status)}${customer.do_not_service ? html` ${status('Do not service', 'warning')}` : ''}`,
  fields: customerFields,
  deeds: () => [
    {
      wire: 'customers_tag', label: 'Change tags', beginsAs: 'record',
      fields: [
        choicesField({ name: 'tag_ids', from: 'tags', label: 'Tags', options: everyTag, of: (tags) => (tags as TagRow[]).map(({ id }) => id) }),
        { ...hiddenField('expected_updated_at', 'update'), from: 'updated_at' },
      ],
    },
    {
      wire: 'customers_archive', label: 'Archive the customer', kind: 'danger',
      warns: 'The customer is hidden with all contacts and locations, and nobody can bring them back. Jobs, quotes and invoices stay.',
    },
  ],
  ways,
  sheet: customerSheet,
  movedTo: (desk, id) => desk.read((db) => successorOf(db, id)),
})

function ways(desk: Desk, { id }: FullCustomer): Way[] {
  const start = (entity: string): string => `${desk.path(entity, 'new')}?customer_id=${id}`
  return [
    ...(desk.may('write:jobs') ? [{ label: 'New job', href: start('jobs'), kind: 'main' as const }] : []),
    ...(desk.may('write:quotes') ? [{ label: 'New quote', href: start('quotes') }] : []),
    ...(desk.may('write:invoices') ? [{ label: 'New invoice', href: start('invoices') }] : []),
    ...(desk.may('write:customers') && mayMerge(desk.caller) ? [{ label: 'Merge…', href: desk.path('customers', id, 'merge'), kind: 'quiet' as const }] : []),
  ]
}
