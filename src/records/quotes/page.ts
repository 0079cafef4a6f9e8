import { facts } from '../../platform/html/parts/facts.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { formFields } from '../declare/form_fields.ts'
import { members, wordOptions } from '../fields/choices.ts'
import { contactFact } from '../page/contact_fact.ts'
import { customFacts } from '../page/custom_facts.ts'
import { linesHtml, totalsHtml } from '../page/document.ts'
import { day, moment, money, shortDay } from '../format/formats.ts'
import { sheetFacts } from '../page/sheet_facts.ts'
import { customerCell, recordLink } from '../page/links.ts'
import { sendLinks } from '../page/send_links.ts'
import { part, statusTag, multilineText } from '../page/parts.ts'
import { workAddress } from '../page/contact_links.ts'
import { wordFor } from '../page/states.ts'
import { sortFilter } from '../list/filters.ts'
import { screen, type Sorts } from '../page/screen.ts'
import type { PageContext } from '../page/page_context.ts'
import type { Results } from '../../tools/declare/results.ts'
import { isOwn, quoteActions } from './actions.ts'
import { findDeposit, type DepositState } from './deposit/deposit.ts'
import { progressPart } from '../invoices/index.ts'
import { QUOTE, STATUSES, type Quote, type QuoteStatus } from './fields.ts'
import { optionsHtml, formatDeclineReason } from './options/part.ts'
import { newRecordsHtml } from './overview/new_records.ts'
import { sumQuotes } from './overview/sums.ts'
import { quotes } from './tools.ts'
import { ALLOWED_TRANSITIONS } from './transitions.ts'

const sorts = (): Sorts => ({
  [say`Quote`]: ['number_desc', 'number_asc'],
  [say`Valid until`]: ['valid_asc', 'valid_desc'],
  [say`Total`]: ['total_desc', 'total_asc'],
})

export const quoteScreen = screen<Results['quotes_get'], Results['quotes_list']['rows'][number]>({
  entity: quotes,
  get title() {
    return say`Quotes`
  },
  get singular() {
    return say`quote`
  },
  menu: { group: 'money', position: 2 },
  startsFrom: 'customer',
  listing: {
    filters: () => [
      { kind: 'search', name: 'query', label: say`Number, customer or title` },
      { kind: 'choice', name: 'status', label: say`Status`, options: wordOptions(...STATUSES) },
      {
        kind: 'choice',
        name: 'owner_id',
        label: say`Owner`,
        options: (context) => members(context, new URLSearchParams()),
      },
      { kind: 'day', name: 'created_from', label: say`Created from day` },
      { kind: 'day', name: 'created_to', label: sayFor('date')`To` },
      { kind: 'record', name: 'customer_id', of: 'customers' },
      sortFilter(sorts()),
    ],
    sorts,
    views: ({ user }) => [
      { label: sayFor('quotes')`All`, filters: {} },
      { label: sayFor('quotes')`Yours`, filters: { owner_id: user.id } },
      { label: sayFor('quotes')`Waiting`, filters: { status: 'sent' } },
      { label: sayFor('quotes')`Accepted`, filters: { status: 'accepted' } },
    ],
    columns: (context) => [
      {
        name: 'quote',
        label: say`Quote`,
        cell: ({ id, display_number, title, status }) =>
          status === 'archived'
            ? `${display_number} ${title}`
            : recordLink(context, 'quotes', id, `${display_number} ${title}`),
      },
      {
        name: 'status',
        label: say`Status`,
        cell: ({ status }) => statusTag(status, 'quote'),
        isOneLine: true,
        onPhone: 'side',
      },
      { name: 'customer', label: say`Customer`, cell: (row) => customerCell(context, row) },
      { name: 'owner', label: say`Owner`, cell: ({ owner_name }) => owner_name, onPhone: 'none' },
      {
        name: 'valid_until',
        label: say`Valid until`,
        cell: ({ valid_until }) => shortDay(valid_until),
        isOneLine: true,
        onPhone: 'labeled',
      },
      {
        name: 'total',
        label: say`Total`,
        cell: ({ total_cents }) => money(total_cents, context.company.currency),
        isNumber: true,
        onPhone: 'side',
      },
    ],
    sums: async (context, query) => {
      const sums = await context.read((db) => sumQuotes(db, context.caller, query))
      return sums && { count: sums.count, cents: { [say`Total`]: sums.total_cents } }
    },
    rowLabel: ({ display_number }) => display_number,
    bulk: () => [
      {
        name: 'print',
        label: say`Print`,
        pagePath: (context, ids) => `${context.path('quotes', 'print')}?ids=${ids.join(',')}`,
      },
    ],
    get empty() {
      return say`No quotes yet. Create one for a customer.`
    },
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
  stateOf: ({ status }) => statusTag(status, 'quote'),
  isEditable: (quote, context) => isOwn(context, quote),
  get fields() {
    return formFields(QUOTE, [
      'customer_id',
      'title',
      'location_id',
      'valid_until',
      'line_items',
      'message',
      'contact_id',
      'issue_date',
      'discount',
      'tax_rate_id',
      'terms',
      'fields',
    ])
  },
  editableFields: ({ status }) =>
    status === 'draft'
      ? undefined
      : {
          names: ['valid_until', 'message', 'fields'],
          reason: ALLOWED_TRANSITIONS[status].includes('draft')
            ? say`The customer has seen it (${wordFor(status)}). Put it back to draft to change the rest.`
            : say`The customer has seen it (${wordFor(status)}). For another offer, create a new quote.`,
        },
  actions: quoteActions,
  canUndo: ({ status }) =>
    status === undefined || ALLOWED_TRANSITIONS[status[1] as QuoteStatus].includes(status[0] as QuoteStatus),
  links: (context, quote) => [
    ...(isOwn(context, quote) ? sendLinks(context, 'quotes', quote) : []),
    { label: say`Print`, href: context.path('quotes', quote.id, 'print') },
    { label: say`Download PDF`, href: context.path('quotes', quote.id, 'pdf'), kind: 'quiet' },
  ],
  sheet: async (context, quote) => {
    const [contact, newRecords, deposit, progress] = await Promise.all([
      contactFact(context, quote.contact_id),
      newRecordsHtml(context, quote),
      context.read((db) => findDeposit(db, quote.id)),
      progressPart(context, { quote: quote.id }),
    ])
    return html`
${
  isOwn(context, quote) || !context.may('write:quotes')
    ? ''
    : notice({
        kind: 'info',
        title: say`This is ${quote.owner_name}'s quote`,
        body: context.caller.role === 'owner' ? say`As an owner, you can take it over.` : say`Only they can change it.`,
      })
}
${facts([
  {
    label: say`Customer`,
    value: recordLink(context, 'customers', quote.customer_id, quote.customer_name),
    says: workAddress(context, quote),
  },
  ...contact,
  {
    label: say`Total`,
    value: money(quote.total_cents, context.company.currency),
    says: quote.tax_exempt ? say`Tax exempt` : undefined,
  },
  ...depositFact(context, quote, deposit),
  { label: say`Valid until`, value: day(quote.valid_until), says: say`dated ${day(quote.issue_date)}` },
  { label: say`Owner`, value: quote.owner_name },
  ...sheetFacts(context, QUOTE, quote),
  ...dateFacts(context, quote),
])}
${progress}${newRecords}${optionsHtml(context, quote)}
${part(
  say`Lines`,
  html`${linesHtml(quote.line_items, context.company.currency)}${totalsHtml(quote, context.company.currency)}`,
)}
${
  quote.optional_lines === null
    ? ''
    : part(
        say`Optional lines`,
        html`<p class="help">${say`Not in the total. The customer checks the ones they want.`}</p>${linesHtml(
          quote.optional_lines,
          context.company.currency,
        )}`,
      )
}
${quote.message === null ? '' : part(say`Message`, multilineText(quote.message))}
${quote.terms === null ? '' : part(say`Terms`, multilineText(quote.terms))}
${customFacts(quote.fields)}`
  },
})

/** Returns the quote's deposit, with the invoice that bills it. */
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

const dateFacts = ({ company }: PageContext, { sent_at, accepted_at, declined_at, decline_reason }: Quote) => [
  ...(sent_at === null ? [] : [{ label: say`Sent`, value: moment(sent_at, company.timezone) }]),
  ...(accepted_at === null ? [] : [{ label: say`Accepted`, value: moment(accepted_at, company.timezone) }]),
  ...(declined_at === null
    ? []
    : [
        {
          label: say`Declined`,
          value: moment(declined_at, company.timezone),
          says: formatDeclineReason(decline_reason),
        },
      ]),
]
