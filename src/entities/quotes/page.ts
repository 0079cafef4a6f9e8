import { facts } from '../../html/facts.ts'
import { html, type Html } from '../../html/html.ts'
import { notice } from '../../html/notice.ts'
import { say } from '../../language/say.ts'
import { members, worded } from '../../screens/fields/choices.ts'
import { contactFact } from '../../screens/contact_fact.ts'
import { customFacts } from '../../screens/custom_facts.ts'
import { linesHtml, totalsHtml } from '../../screens/document.ts'
import { day, moment, money, shortDay } from '../../screens/formats.ts'
import { recordLink } from '../../screens/links.ts'
import { sendWays } from '../../screens/send_ways.ts'
import { part, state, written } from '../../screens/parts.ts'
import { placeOf } from '../../screens/reach.ts'
import { screen } from '../../screens/screen.ts'
import type { PageContext } from '../../screens/page_context.ts'
import { invoicesOfQuote } from '../invoices/index.ts'
import { jobsOfQuote } from '../jobs/index.ts'
import type { Results } from '../../tools/results.ts'
import { isOwn, quoteActions } from './actions.ts'
import { findDeposit, type DepositState } from './deposit.ts'
import { quoteFields } from './form.ts'
import { STATUSES, type Quote } from './quote.ts'
import { quotes } from './tools.ts'
import { LEGAL } from './transitions.ts'

export const quoteScreen = screen<Results['quotes_get'], Results['quotes_list']['rows'][number]>({
  entity: quotes,
  title: 'Quotes',
  one: 'quote',
  menu: { group: 'money', position: 2 },
  startsFrom: 'customer',
  listing: {
    filters: [
      { kind: 'choice', name: 'status', label: 'Status', options: worded(...STATUSES) },
      {
        kind: 'choice',
        name: 'owner_id',
        label: 'Whose',
        options: (context) => members(context, new URLSearchParams()),
      },
      { kind: 'day', name: 'created_from', label: 'Made from' },
      { kind: 'day', name: 'created_to', label: 'To' },
      { kind: 'record', name: 'customer_id', of: 'customers' },
    ],
    views: ({ user }) => [
      { label: 'All', filters: {} },
      { label: 'Yours', filters: { owner_id: user.id } },
      { label: 'Waiting for an answer', filters: { status: 'sent' } },
      { label: 'Accepted', filters: { status: 'accepted' } },
    ],
    columns: (context) => [
      {
        label: 'Quote',
        cell: ({ id, display_number, title, status }) =>
          status === 'archived'
            ? `${display_number} ${title}`
            : recordLink(context, 'quotes', id, `${display_number} ${title}`),
      },
      { label: 'Status', cell: ({ status }) => state(status) },
      { label: 'Customer', cell: ({ customer_name }) => customer_name },
      { label: 'Whose', cell: ({ owner_name }) => owner_name },
      { label: 'Valid until', cell: ({ valid_until }) => shortDay(valid_until), isOneLine: true },
      { label: 'Total', cell: ({ total_cents }) => money(total_cents, context.company.currency), isNumber: true },
    ],
    empty: 'No quotes yet. Make one for a customer, or let an assistant write it from your notes.',
    exported: [
      'id',
      'display_number',
      'title',
      'status',
      'customer_name',
      'owner_name',
      'valid_until',
      'total_cents',
      'updated_at',
    ],
  },
  nameOf: ({ display_number, title }) => `${display_number} ${title}`,
  stateOf: ({ status }) => state(status),
  isEditable: (quote, context) => isOwn(context, quote),
  fields: quoteFields,
  stillOpen: ({ status }) =>
    status === 'draft'
      ? undefined
      : {
          names: ['valid_until', 'message', 'fields'],
          reason: `It is ${status}, so what it offers stays as the customer saw it. ${LEGAL[status].includes('draft') ? 'Put it back to draft to change the rest.' : 'For another offer, make a new quote.'}`,
        },
  actions: quoteActions,
  ways: (context, quote) => [
    ...sendWays(context, 'quotes', quote),
    { label: say`Print`, href: context.path('quotes', quote.id, 'print') },
    { label: say`Download PDF`, href: context.path('quotes', quote.id, 'pdf') },
  ],
  sheet: async (context, quote) => {
    const [contact, became, deposit] = await Promise.all([
      contactFact(context, quote.contact_id),
      becameOf(context, quote),
      context.read((db) => findDeposit(db, quote.id)),
    ])
    return html`
${
  isOwn(context, quote) || !context.may('write:quotes')
    ? ''
    : notice({
        kind: 'info',
        title: `This is ${quote.owner_name}'s quote`,
        body:
          context.caller.role === 'owner'
            ? 'As an owner of the account you can take it over.'
            : 'They alone can change it.',
      })
}
${facts([
  {
    label: 'Customer',
    value: recordLink(context, 'customers', quote.customer_id, quote.customer_name),
    says: placeOf(context, quote),
  },
  ...contact,
  {
    label: 'Total',
    value: money(quote.total_cents, context.company.currency),
    says: quote.tax_exempt ? 'The customer is exempt from tax' : undefined,
  },
  ...depositFact(context, quote, deposit),
  { label: 'Valid until', value: day(quote.valid_until), says: `dated ${day(quote.issue_date)}` },
  { label: 'Whose', value: quote.owner_name },
  ...dated(context, quote),
])}
${became}
${part('Lines', html`${linesHtml(quote.line_items, context.company.currency)}${totalsHtml(quote, context.company.currency)}`)}
${quote.message === null ? '' : part('Message', written(quote.message))}
${quote.terms === null ? '' : part('Terms', written(quote.terms))}
${customFacts(quote.fields)}`
  },
})

/** Says what is asked for up front, and which invoice bills it. */
const depositFact = (
  context: PageContext,
  { currency }: Quote,
  state: DepositState | undefined,
): { label: string; value: Html | string; says?: string }[] => {
  if (state === undefined) return []
  const { deposit, amount_cents, invoice } = state
  const value = html`${money(invoice?.total_cents ?? amount_cents, currency)}${
    invoice === null || !context.may('read:invoices')
      ? ''
      : html` · ${recordLink(context, 'invoices', invoice.id, invoice.display_number)}`
  }`
  return [
    {
      label: say`Deposit`,
      value,
      ...(deposit.type === 'percent' ? { says: say`${deposit.value}% of the total` } : {}),
    },
  ]
}

const dated = ({ company }: PageContext, { sent_at, accepted_at, declined_at, decline_reason }: Quote) => [
  ...(sent_at === null ? [] : [{ label: 'Sent', value: moment(sent_at, company.timezone) }]),
  ...(accepted_at === null ? [] : [{ label: 'Accepted', value: moment(accepted_at, company.timezone) }]),
  ...(declined_at === null
    ? []
    : [{ label: 'Declined', value: moment(declined_at, company.timezone), says: decline_reason ?? undefined }]),
]

/** Draws the jobs and invoices that were made from it. */
async function becameOf(context: PageContext, { id }: Quote): Promise<Html | ''> {
  const [jobs, invoices] = await Promise.all([
    context.may('read:jobs') ? context.read((db) => jobsOfQuote(db, id)) : [],
    context.may('read:invoices') ? context.read((db) => invoicesOfQuote(db, id)) : [],
  ])
  return jobs.length + invoices.length === 0
    ? ''
    : part(
        'It became',
        html`
<ul class="links">${jobs.map(
          (job) => html`
  <li>${recordLink(context, 'jobs', job.id, `${job.display_number} ${job.title}`)} ${state(job.status)}</li>`,
        )}${invoices.map(
          (invoice) => html`
  <li>${recordLink(context, 'invoices', invoice.id, `Invoice ${invoice.display_number}`)} ${state(invoice.status)} ${money(invoice.total_cents, context.company.currency)}</li>`,
        )}
</ul>`,
      )
}
