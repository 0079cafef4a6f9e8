import { html } from '../../platform/html/html.ts'
import { status } from '../../platform/html/parts/status.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { wordOptions } from '../fields/choices.ts'
import { choicesField, hiddenField } from '../fields/fields.ts'
import { recordLink } from '../page/links.ts'
import { statusTag } from '../page/parts.ts'
import { localAddress, mailLink, phoneLink } from '../page/contact_links.ts'
import { screen, type ActionLink } from '../page/screen.ts'
import type { PageContext } from '../page/page_context.ts'
import { wordFor } from '../page/states.ts'
import { tagChips } from '../page/tag_chip.ts'
import type { TagRow } from '../tags/index.ts'
import type { Results } from '../../tools/declare/results.ts'
import { DUPLICATE_FIELDS, findDuplicates, mergePath } from './search/duplicates.ts'
import { mayMerge, successorOf } from './customer.ts'
import { customerFields, allTags } from './form.ts'
import { customerAside, customerSheet, type FullCustomer } from './sheet.ts'
import { customers } from './tools.ts'

type Row = Results['customers_search']['rows'][number]

export const customerScreen = screen<FullCustomer, Row>({
  entity: customers,
  get title() {
    return say`Customers`
  },
  get singular() {
    return say`customer`
  },
  menu: { group: 'customers', position: 1 },
  listing: {
    filters: () => [
      { kind: 'search', name: 'query', label: say`Name, phone, email or tag` },
      { kind: 'choice', name: 'status', label: say`Status`, options: wordOptions('lead', 'active', 'inactive') },
      { kind: 'choice', name: 'tag', label: say`Tag`, options: allTags },
      {
        kind: 'choice',
        name: 'customer_type',
        label: say`Type`,
        options: [
          { value: 'individual', label: say`People` },
          { value: 'company', label: say`Companies` },
        ],
      },
    ],
    columns: (context) => [
      {
        name: 'name',
        label: say`Name`,
        cell: ({ id, display_name }) => recordLink(context, 'customers', id, display_name),
      },
      {
        name: 'phone',
        label: say`Phone`,
        cell: ({ primary_phone }) => (primary_phone === undefined ? '–' : phoneLink(primary_phone)),
      },
      {
        name: 'address',
        label: say`Address`,
        isWide: true,
        cell: ({ primary_address }) =>
          primary_address === undefined ? '' : localAddress(primary_address, context.company.country),
      },
      {
        name: 'email',
        label: say`Email`,
        isExtra: true,
        onPhone: 'none',
        cell: ({ primary_email }) => (primary_email === undefined ? '' : mailLink(primary_email)),
      },
      { name: 'type', label: say`Type`, isExtra: true, onPhone: 'none', cell: (row) => wordFor(row.customer_type) },
      { name: 'tags', label: say`Tags`, cell: ({ tags }) => tagChips(tags) },
      { name: 'status', label: say`Status`, cell: ({ status }) => statusTag(status), isOneLine: true, onPhone: 'side' },
    ],
    rowLabel: ({ display_name }) => display_name,
    bulk: (context) =>
      context.may('write:customers')
        ? [
            {
              name: 'tag',
              label: say`Add tags`,
              fields: [choicesField({ name: 'tag_ids', label: say`Tags`, options: allTags })],
              each: addTags,
              notice: (count) => sayCount(count, 'One customer tagged', '{0} customers tagged'),
            },
          ]
        : [],
    get empty() {
      return say`No customers yet. Create the first one, or import a file.`
    },
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
    links: (context) =>
      context.may('write:customers')
        ? [{ label: say`Import`, href: `${context.path('settings', 'import')}?kind=customers`, kind: 'quiet' }]
        : [],
  },
  nameOf: ({ display_name }) => display_name,
  stateOf: (customer) =>
    html`${statusTag(customer.status)}${
      customer.do_not_service ? html` ${status(say`Do not service`, 'warning')}` : ''
    }`,
  get fields() {
    return customerFields()
  },
  actions: () => [
    {
      wire: 'customers_tag',
      label: say`Change tags`,
      kind: 'quiet',
      startsAs: 'record',
      fields: [
        choicesField({
          name: 'tag_ids',
          from: 'tags',
          label: say`Tags`,
          options: allTags,
          valuesOf: (tags) => (tags as TagRow[]).map(({ id }) => id),
        }),
        { ...hiddenField('expected_updated_at', 'update'), from: 'updated_at' },
      ],
    },
    {
      wire: 'customers_archive',
      label: say`Archive customer`,
      kind: 'danger',
      warning: say`The customer is hidden for good, with all contacts and locations. Jobs, quotes and invoices stay.`,
    },
  ],
  links: linksOf,
  sheet: customerSheet,
  aside: customerAside,
  duplicateCheck: { fields: DUPLICATE_FIELDS, after: 'email', find: findDuplicates, mergePath },
  findSuccessor: (context, id) => context.read((db) => successorOf(db, id)),
})

/** Adds tags to a customer's existing ones. */
async function addTags(
  context: PageContext,
  id: string,
  { tag_ids }: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { tags, updated_at } = await context.call('customers_get', { id })
  const tagIds = new Set([...tags.map((tag) => tag.id), ...((tag_ids ?? []) as readonly string[])])
  return context.call('customers_tag', { id, tag_ids: [...tagIds], expected_updated_at: updated_at })
}

function linksOf(context: PageContext, { id }: FullCustomer): ActionLink[] {
  const newRecordPath = (entity: string): string => `${context.path(entity, 'new')}?customer_id=${id}`
  return [
    ...(context.may('write:jobs') ? [{ label: say`New job`, href: newRecordPath('jobs'), kind: 'main' as const }] : []),
    ...(context.may('write:quotes') ? [{ label: say`New quote`, href: newRecordPath('quotes') }] : []),
    ...(context.may('write:invoices') ? [{ label: say`New invoice`, href: newRecordPath('invoices') }] : []),
    ...(context.may('write:job_series')
      ? [{ label: say`New recurring job`, href: newRecordPath('job_series'), kind: 'quiet' as const }]
      : []),
    ...(context.may('write:plans')
      ? [{ label: say`New plan`, href: newRecordPath('plans'), kind: 'quiet' as const }]
      : []),
    ...(context.may('write:customers') && mayMerge(context.caller)
      ? [{ label: say`Merge…`, href: context.path('customers', id, 'merge'), kind: 'quiet' as const }]
      : []),
    ...(context.caller.role === 'owner'
      ? [{ label: say`Their data…`, href: context.path('customers', id, 'data'), kind: 'quiet' as const }]
      : []),
  ]
}
