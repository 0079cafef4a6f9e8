import { facts } from '../../platform/html/parts/facts.ts'
import { html } from '../../platform/html/html.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { formFields } from '../declare/form_fields.ts'
import { wordOptions } from '../fields/choices.ts'
import { contactFact } from '../page/contact_fact.ts'
import { customFacts } from '../page/custom_facts.ts'
import { linesHtml, totalsHtml } from '../page/document.ts'
import { day, moment, money, shortDay } from '../format/formats.ts'
import { sheetFacts } from '../page/sheet_facts.ts'
import { customerCell, numberLink, recordLink } from '../page/links.ts'
import { sendLinks } from '../page/send_links.ts'
import { part, statusTag, multilineText } from '../page/parts.ts'
import { workAddress } from '../page/contact_links.ts'
import { wordFor } from '../page/states.ts'
import { sortFilter } from '../list/filters.ts'
import { screen, type Sorts } from '../page/screen.ts'
import type { PageContext } from '../page/page_context.ts'
import type { Results } from '../../tools/declare/results.ts'
import { billingHtml, deliveriesHtml, moneyNotices } from './billing/billing_parts.ts'
import { invoiceActions, isOwed } from './actions.ts'
import { progressPart } from './billing/progress_part.ts'
import { deductionLabel, depositNotice } from './billing/deposit_parts.ts'
import { deductionsOf, depositStateOf } from './billing/deposits.ts'
import { STATUSES } from './status.ts'
import { billingStateOf } from './billing/billing.ts'
import { dueHtml, invoiceStatusHtml, readListPage, type InvoiceRow } from './overview/list_parts.ts'
import { INVOICE, type Invoice } from './fields.ts'
import { originsHtml } from './origins.ts'
import { sumInvoices } from './accounting/sums.ts'
import { invoices } from './tools.ts'
import { untaxedFormNotice } from './billing/untaxed.ts'

const sorts = (): Sorts => ({
  [say`Invoice`]: ['number_desc', 'number_asc'],
  [say`Date`]: ['issued_desc', 'issued_asc'],
  [say`Due`]: ['due_asc', 'due_desc'],
  [say`Total`]: ['total_desc', 'total_asc'],
  [say`Balance due`]: ['balance_desc', 'balance_asc'],
})

export const invoiceScreen = screen<Results['invoices_get'], InvoiceRow>({
  entity: invoices,
  get title() {
    return say`Invoices`
  },
  get singular() {
    return say`invoice`
  },
  menu: { group: 'money', position: 1 },
  startsFrom: 'customer',
  formNotice: untaxedFormNotice,
  listing: {
    filters: () => [
      { kind: 'search', name: 'query', label: say`Number, customer or title` },
      { kind: 'number', name: 'number', label: say`Number` },
      { kind: 'choice', name: 'status', label: say`Status`, options: wordOptions(...STATUSES) },
      { kind: 'day', name: 'issued_from', label: say`Dated from` },
      { kind: 'day', name: 'issued_to', label: sayFor('date')`To` },
      { kind: 'day', name: 'due_from', label: say`Due from` },
      { kind: 'day', name: 'due_to', label: say`Due to` },
      { kind: 'tick', name: 'overdue', label: sayFor('invoices')`Overdue` },
      { kind: 'record', name: 'customer_id', of: 'customers' },
      { kind: 'record', name: 'job_id', of: 'jobs' },
      sortFilter(sorts()),
    ],
    sorts,
    views: () => [
      { label: sayFor('invoices')`All`, filters: {} },
      { label: say`Drafts`, filters: { status: 'draft' } },
      { label: sayFor('invoices')`Sent`, filters: { status: 'sent' } },
      { label: sayFor('invoices')`Overdue`, filters: { overdue: 'yes' } },
      { label: sayFor('invoices')`Paid`, filters: { status: 'paid' } },
      { label: sayFor('invoices')`Void`, filters: { status: 'void' } },
    ],
    links: (context) => [{ label: say`Reports`, href: context.path('reports'), kind: 'quiet' }],
    find: readListPage,
    sums: async (context, query) => {
      const sums = await context.read((db) => sumInvoices(db, context.caller, query))
      return (
        sums && {
          count: sums.count,
          cents: { [say`Total`]: sums.total_cents, [say`Balance due`]: sums.balance_due_cents },
        }
      )
    },
    rowLabel: ({ display_number }) => display_number,
    bulk: (context) => [
      ...(context.may('write:invoices') && context.may('read:customers')
        ? [
            {
              name: 'remind',
              label: say`Remind`,
              pagePath: (there: PageContext, ids: readonly string[]) =>
                `${there.path('invoices', 'remind')}?ids=${ids.join(',')}`,
            },
          ]
        : []),
      {
        name: 'print',
        label: say`Print`,
        pagePath: (context, ids) => `${context.path('invoices', 'print')}?ids=${ids.join(',')}`,
      },
    ],
    columns: (context) => [
      {
        name: 'invoice',
        label: say`Invoice`,
        cell: ({ id, display_number }) => numberLink(context, 'invoices', id, display_number),
        isOneLine: true,
      },
      {
        name: 'status',
        label: say`Status`,
        cell: (row) => html`<span>${invoiceStatusHtml(row)}</span>`,
        isOneLine: true,
        onPhone: 'side',
      },
      { name: 'customer', label: say`Customer`, cell: (row) => customerCell(context, row) },
      {
        name: 'date',
        label: say`Date`,
        cell: ({ issue_date }) => shortDay(issue_date),
        isOneLine: true,
        onPhone: 'none',
      },
      { name: 'due', label: say`Due`, cell: (row) => dueHtml(context, row), isOneLine: true, onPhone: 'labeled' },
      {
        name: 'total',
        label: say`Total`,
        cell: ({ total_cents, currency }) => money(total_cents, currency),
        isNumber: true,
        onPhone: 'none',
      },
      {
        name: 'balance_due',
        label: say`Balance due`,
        cell: ({ balance_due_cents, currency }) => money(balance_due_cents, currency),
        isNumber: true,
        onPhone: 'side',
      },
    ],
    get empty() {
      return say`No invoices yet. Create one from a finished job, or for a customer.`
    },
    exported: [
      'id',
      'display_number',
      'status',
      'is_overdue',
      'customer_name',
      'issue_date',
      'due_date',
      'total_cents',
      'balance_due_cents',
      'currency',
      'updated_at',
    ],
  },
  nameOf: ({ display_number, subject }) => (subject === null ? display_number : `${display_number} ${subject}`),
  stateOf: (invoice) => invoiceStatusHtml(invoice),
  isEditable: ({ status }) => status !== 'void',
  get fields() {
    return formFields(INVOICE, [
      'customer_id',
      'quote_id',
      'status',
      'subject',
      'issue_date',
      'due_date',
      'line_items',
      'message',
      'location_id',
      'contact_id',
      'discount',
      'tax_rate_id',
      'po_number',
      'job_ids',
      'internal_memo',
      'fields',
    ])
  },
  editableFields: ({ status }) =>
    status === 'draft'
      ? undefined
      : {
          names: ['status'],
          reason: say`The customer has seen it (${wordFor(status)}). Put it back to draft to change the rest.`,
        },
  actions: (_, invoice) => invoiceActions(invoice),
  links: (context, invoice) => [
    ...(isOwed(invoice) && context.may('write:invoices')
      ? [
          {
            label: say`Record payment`,
            href: context.path('invoices', invoice.id, 'payment'),
            kind: invoice.status === 'draft' ? ('plain' as const) : ('main' as const),
          },
        ]
      : []),
    ...sendLinks(context, 'invoices', invoice),
    { label: say`Print`, href: context.path('invoices', invoice.id, 'print') },
    { label: say`Download PDF`, href: context.path('invoices', invoice.id, 'pdf') },
  ],
  sheet: async (context, invoice) => {
    const [contact, origins, billing, deductions, deposit] = await Promise.all([
      contactFact(context, invoice.contact_id),
      originsHtml(context, invoice),
      context.read((db) => billingStateOf(db, invoice.id)),
      context.read((db) => deductionsOf(db, invoice.id)),
      context.read((db) => depositStateOf(db, invoice.id)),
    ])
    const job = deposit?.stage_of_job ?? invoice.job_ids[0]
    const work = invoice.quote_id !== null ? { quote: invoice.quote_id } : job === undefined ? undefined : { job }
    const progress = work === undefined ? '' : await progressPart(context, work)
    return html`
${moneyNotices(billing, invoice)}
${depositNotice(context, invoice, deductions, deposit)}
${facts([
  {
    label: say`Customer`,
    value: recordLink(context, 'customers', invoice.customer_id, invoice.customer_name),
    says: workAddress(context, invoice),
  },
  ...contact,
  {
    label: say`Balance due`,
    value: html`${money(
      invoice.balance_due_cents,
      invoice.currency,
    )}${billing.disputed ? html` ${statusTag('disputed')}` : ''}`,
    says: say`of ${money(invoice.total_cents, invoice.currency)}`,
  },
  { label: say`Due`, value: day(invoice.due_date), says: say`dated ${day(invoice.issue_date)}` },
  ...sheetFacts(context, INVOICE, invoice),
  ...(invoice.tax_exempt ? [{ label: say`Tax`, value: say`Tax exempt` }] : []),
  ...dateFacts(context, invoice),
])}
${billingHtml(context, invoice, billing)}
${part(
  say`Lines`,
  html`${linesHtml(invoice.line_items, invoice.currency)}${totalsHtml(
    invoice,
    invoice.currency,
    paymentRows(invoice),
    deductions.map((one) => [deductionLabel(one), -one.amount_cents]),
  )}`,
)}
${progress}${origins}
${invoice.message === null ? '' : part(say`Message`, multilineText(invoice.message))}
${invoice.internal_memo === null ? '' : part(say`Office memo`, multilineText(invoice.internal_memo))}
${deliveriesHtml(context, invoice.deliveries)}
${customFacts(invoice.fields)}`
  },
})

/** Returns the rows below the total, once there is a payment. */
const paymentRows = ({ amount_paid_cents, balance_due_cents, status }: Invoice): [string, number][] =>
  amount_paid_cents === 0 && status !== 'void'
    ? []
    : [
        [sayFor('sum')`Paid`, -amount_paid_cents],
        [say`Balance due`, balance_due_cents],
      ]

const dateFacts = ({ company }: PageContext, { sent_at, paid_at, voided_at, void_reason }: Invoice) => [
  ...(sent_at === null ? [] : [{ label: say`Sent`, value: moment(sent_at, company.timezone) }]),
  ...(paid_at === null ? [] : [{ label: say`Paid`, value: moment(paid_at, company.timezone) }]),
  ...(voided_at === null
    ? []
    : [{ label: say`Void`, value: moment(voided_at, company.timezone), says: void_reason ?? undefined }]),
]
