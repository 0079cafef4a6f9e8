import { dayField, longField } from '../../screens/fields/fields.ts'
import { say } from '../../language/say.ts'
import { shareField } from '../../screens/fields/discount_field.ts'
import type { PageContext } from '../../screens/page_context.ts'
import type { Action } from '../../screens/screen.ts'
import { todayIn } from '../../shape/instants.ts'
import { jobOfQuote } from './job_of_quote.ts'
import type { Quote, QuoteStatus } from './quote.ts'
import { LEGAL } from './transitions.ts'

/** Returns what can be done to a quote now: by its owner, by an owner of the account, and by those who continue from it. */
export const quoteActions = (context: PageContext, quote: Quote): Action[] => [
  ...(quote.status === 'accepted' ? nextSteps(context, quote) : []),
  ...(isOwn(context, quote)
    ? [...moves(context, quote), ...(quote.status === 'draft' ? [askingDeposit()] : []), ARCHIVE]
    : [takeOver(context, quote)]),
]

export const isOwn = ({ user }: Pick<PageContext, 'user'>, { owner_id }: Pick<Quote, 'owner_id'>): boolean =>
  owner_id === user.id

/** Returns the one-click job of a quote, or its invoice without a job. */
function nextSteps(context: PageContext, quote: Quote): Action[] {
  const { id, customer_id, converted_job_id, converted_invoice_id } = quote
  const isDone = converted_job_id !== null || converted_invoice_id !== null
  return [
    ...(!context.may('write:jobs')
      ? []
      : [
          {
            wire: 'jobs_create' as const,
            makes: { of: 'jobs' as const, from: () => context.read((db) => jobOfQuote(db, quote)) },
            ...again(converted_job_id !== null, 'job'),
            ...(isDone ? {} : { kind: 'main' as const }),
          },
        ]),
    ...(!context.may('write:invoices')
      ? []
      : [
          {
            wire: 'invoices_create' as const,
            makes: { of: 'invoices' as const, from: async () => ({ customer_id, from_quote_id: id }) },
            ...again(isDone, 'invoice'),
          },
        ]),
  ]
}

/** Asks first before another one is made; the first is made at once. */
const again = (isDone: boolean, what: string): Pick<Action, 'label' | 'warns'> =>
  !isDone
    ? { label: `Make the ${what}` }
    : { label: `Make another ${what}`, warns: 'Work on this quote has begun already. This makes one more.' }

/** Returns the next statuses before the earlier ones. */
const moves = (context: PageContext, quote: Quote): Action[] =>
  LEGAL[quote.status]
    .map((to) => move(context, quote, to))
    .sort((a, b) => Number(b.kind === 'main') - Number(a.kind === 'main'))

function move({ company }: PageContext, { status, valid_until }: Quote, to: QuoteStatus): Action {
  const given = { status: to }
  switch (to) {
    case 'sent':
      return valid_until >= todayIn(company.timezone).toString()
        ? { wire: 'quotes_update', given, label: 'Mark as sent', kind: 'main' }
        : {
            wire: 'quotes_update',
            given,
            label: 'Send again',
            warns: 'It has expired. Say how long it stands now.',
            beginsAs: 'record',
            fields: [dayField({ name: 'valid_until', label: 'Valid until', isRequired: true })],
          }
    case 'accepted':
      return { wire: 'quotes_update', given, label: 'Mark as accepted', ...(status === 'sent' ? { kind: 'main' } : {}) }
    case 'declined':
      return {
        wire: 'quotes_update',
        given,
        label: 'Mark as declined',
        warns: "The customer doesn't want it. It can go back to draft later.",
        fields: [longField({ name: 'decline_reason', label: 'Reason', rows: 2 })],
      }
    case 'expired':
      return { wire: 'quotes_update', given, label: 'Let it expire' }
    default:
      return { wire: 'quotes_update', given, label: 'Back to draft' }
  }
}

const askingDeposit = (): Action => ({
  wire: 'quotes_ask_deposit',
  label: say`Deposit`,
  warns: say`What the customer pays up front. Its invoice is drafted when the quote is accepted, and the final invoice deducts it. Leave it empty for none.`,
  fields: [shareField({ name: 'deposit', label: say`Deposit`, unit: say`Deposit in` })],
})

const ARCHIVE: Action = {
  wire: 'quotes_archive',
  label: 'Archive the quote',
  kind: 'danger',
  warns: "It is hidden from everybody, and its page is gone. What was made from it stays. This can't be undone.",
}

/** Offers to take over a quote to an owner of the account; others would be refused. */
const takeOver = ({ caller }: PageContext, { owner_name }: Quote): Action => ({
  wire: 'quotes_take_over',
  label: 'Take it over',
  isHidden: caller.role !== 'owner',
  warns: `It is ${owner_name}'s. It becomes yours to change, send and archive, and ${owner_name} can't change it any more.`,
})
