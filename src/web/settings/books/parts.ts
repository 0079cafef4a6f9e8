import type { LedgerAccount, Postings } from '../../../money/posting.ts'
import type { BooksConnection } from '../../../books/connection/connection.ts'
import type { BooksCount, BooksRow } from '../../../books/overview.ts'
import type { BooksPreview } from '../../../books/preview.ts'
import {
  BOOK_ACCOUNTS,
  PROGRAM_NAMES,
  type BooksKind,
  type Organization,
  type ProgramAccount,
  type ProgramName,
} from '../../../books/program.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { field, hidden, select } from '../../../platform/html/parts/field.ts'
import { table } from '../../../platform/html/parts/table.ts'
import { status } from '../../../platform/html/parts/status.ts'
import { formatCount as count } from '../../../platform/i18n/formatters.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { moment, money, shortDay } from '../../../records/format/formats.ts'
import { part } from '../../../records/page/parts.ts'
import type { MemberContext } from '../../member_context.ts'
import { settingsPath } from '../settings_page.ts'
import { accountLabel, kindLabel, reasonLabel, recordLabel, stateLabel } from './labels.ts'

/** Draws the form around one of the page's buttons. */
const form = (context: MemberContext, body: Html, kind = ''): Html =>
  html`<form class="${kind}" method="post" action="${settingsPath(context, 'books')}">${body}</form>`

const paragraph = (text: Html | string): Html => html`<p>${text}</p>`

/** Draws a button for each available program. */
export const connectPart = (context: MemberContext, programs: readonly ProgramName[]): Html =>
  part(
    say`Connect your accounting program`,
    programs.length === 0
      ? paragraph(say`No accounting program is set up here. Until the operator does that, use the exports.`)
      : html`
${paragraph(say`Invoices, payments, customers and items are sent there automatically. Nothing comes back from there.`)}
${form(
  context,
  html`<p class="actions">${programs.map((program) =>
    button({ label: say`Connect ${PROGRAM_NAMES[program]}`, name: 'connect', value: program }),
  )}</p>`,
)}`,
  )

/** Draws the choice among the organizations that the access covers. */
export const organizationPart = (context: MemberContext, organizations: readonly Organization[]): Html =>
  part(
    say`Company`,
    form(
      context,
      html`${select({
        name: 'organization',
        label: say`Company there`,
        chosen: '',
        options: organizations.map(({ id, name, currency }) => ({ value: id, label: `${name} (${currency})` })),
      })}
<p class="actions">${button({ label: say`Choose company`, kind: 'main', name: 'act', value: 'organization' })}</p>`,
      'form',
    ),
  )

/** Draws the choice of accounts and of the first day. */
export const accountsPart = (
  context: MemberContext,
  { accounts, from_day, started_at }: BooksConnection,
  offered: readonly ProgramAccount[],
  defaultDay: string,
): Html =>
  part(
    say`Accounts`,
    form(
      context,
      html`<p>${say`Choose where each amount goes. Make an account there first if one is missing.`}</p>
${BOOK_ACCOUNTS.map((account) => {
  const matching = offered.filter(({ uses }) => uses.includes(account))
  return select({
    name: account,
    label: accountLabel(account),
    chosen: accounts?.[account] ?? (matching.length === 1 && account !== 'tips' ? (matching[0]?.id ?? '') : ''),
    options: [
      { value: '', label: account === 'tips' ? say`Don’t send tips` : say`Choose an account` },
      ...matching.map(({ id, name }) => ({ value: id, label: name })),
    ],
  })
})}
${when(started_at === null, () =>
  field({
    name: 'from_day',
    label: say`Invoices from this day on`,
    type: 'date',
    value: from_day ?? defaultDay,
    isRequired: true,
    help: say`Choose a day from which you entered no invoices there yourself.`,
  }),
)}
<p class="actions">${button({ label: say`Save accounts`, kind: 'main', name: 'act', value: 'accounts' })}</p>`,
      'form',
    ),
  )

const isFuture = (instant: string | null): boolean => instant !== null && Date.parse(instant) > Date.now()

/** Draws the connection's status, and an owner's actions. */
export function connectionPart(context: MemberContext, connection: BooksConnection): Html {
  const { program, organization_name: name, from_day, started_at, paused_at, revoked_at, wait_until } = connection
  const isReady = connection.accounts !== null && from_day !== null
  const state =
    revoked_at !== null
      ? status(say`Access ended`, 'error')
      : started_at === null
        ? status(say`Not started`, 'plain')
        : paused_at !== null
          ? status(say`Paused`, 'warning')
          : status(say`Sending`, 'good')
  return part(
    PROGRAM_NAMES[program],
    html`
<p>${state}${when(name, (organization) => html` ${organization}`)}</p>
${when(revoked_at, () =>
  paragraph(say`The program revoked access. Connect again, and sending continues where it stopped.`),
)}
${when(from_day, (day) => paragraph(say`Invoices from ${shortDay(day)} on, with their payments.`))}
${when(revoked_at === null && isFuture(wait_until) ? wait_until : null, (until) => {
  const time = moment(until, context.company.timezone)
  return paragraph(say`The program asked to wait. Sending continues automatically at ${time}.`)
})}
${form(
  context,
  html`<p class="actions">${when(revoked_at, () =>
    button({ label: say`Connect again`, kind: 'main', name: 'connect', value: program }),
  )}${when(isReady && started_at === null, () =>
    button({ label: say`Start dry run`, kind: 'main', name: 'act', value: 'preview' }),
  )}${when(started_at !== null && paused_at === null && revoked_at === null, () =>
    button({ label: say`Pause`, name: 'act', value: 'pause' }),
  )}${when(started_at !== null && paused_at !== null && revoked_at === null, () =>
    button({ label: say`Resume`, kind: 'main', name: 'act', value: 'resume' }),
  )}${when(isReady, () => linkButton(say`Change accounts`, `${settingsPath(context, 'books')}?accounts=yes`))}${button({
    label: say`Disconnect`,
    kind: 'danger',
    name: 'act',
    value: 'disconnect',
  })}</p>`,
)}`,
  )
}

const CREDITS: ReadonlySet<LedgerAccount> = new Set(['income', 'tax', 'deposits', 'tips'])

/** Draws the records a sync would create, their totals beside the ledger, and the start button. */
export function previewPart(context: MemberContext, preview: BooksPreview, token: string, program: string): Html {
  const { currency } = context.company
  const accounts = [...BOOK_ACCOUNTS, 'receivable' as const]
  const { counts, documents, ledger } = preview
  // Credit accounts are shown without a sign.
  const amountIn = (postings: Postings, account: LedgerAccount): string =>
    money(CREDITS.has(account) ? 0 - postings[account] : postings[account], currency)
  const kinds = ['customer', 'item', 'invoice', 'payment', 'refund', 'credit', 'tip'] as const
  return part(
    say`Dry run`,
    html`
<p>${say`Nothing was sent. This is what ${program} would get.`}</p>
${table({
  caption: say`What would be created`,
  empty: '',
  rows: kinds.map((kind) => ({ kind, count: counts[kind] })).filter((row) => row.count > 0),
  columns: [
    { label: say`Kind`, cell: ({ kind }) => kindLabel(kind) },
    { label: say`Number`, cell: (row) => count(row.count), isNumber: true },
  ],
})}
${table({
  caption: say`Totals by account`,
  empty: '',
  rows: accounts.filter((account) => documents[account] !== 0 || ledger[account] !== 0),
  columns: [
    { label: say`Account`, cell: (account) => (account === 'receivable' ? say`Receivables` : accountLabel(account)) },
    { label: say`To send`, cell: (account) => amountIn(documents, account), isNumber: true },
    { label: say`Your ledger`, cell: (account) => amountIn(ledger, account), isNumber: true },
  ],
})}
${when(preview.first.length > 0, () =>
  table({
    caption: say`First invoices`,
    empty: '',
    rows: preview.first,
    columns: [
      { label: say`Number`, cell: ({ number }) => number },
      { label: say`Date`, cell: ({ day }) => shortDay(day), isOneLine: true },
      { label: say`Lines`, cell: ({ lines }) => count(lines), isNumber: true },
      { label: say`Total`, cell: ({ cents }) => money(cents, currency), isNumber: true },
    ],
  }),
)}
${preview.problems.map(({ number, reason }) => paragraph(`${number}: ${reasonLabel(reason, program)}`))}
${when(preview.before.count > 0, () => paragraph(earlierPayments(preview.before, currency)))}
${when(preview.isPartial, () => paragraph(say`There are more documents than a dry run checks. All of them are sent.`))}
${form(
  context,
  html`${hidden('tried', token)}
<p class="actions">${button({ label: say`Start sending`, kind: 'main', name: 'act', value: 'start' })}</p>`,
)}`,
  )
}

const earlierPayments = ({ count, cents }: BooksPreview['before'], currency: string): string =>
  sayCount(
    count,
    '{0} payment ({1}) is of an earlier invoice. Enter it there yourself.',
    '{0} payments ({1}) are of earlier invoices. Enter them there yourself.',
    money(cents, currency),
  )

/** Draws the sync status of records: counts, and the latest ones. */
export function recordsPart(
  context: MemberContext,
  { program }: BooksConnection,
  counts: readonly BooksCount[],
  rows: readonly BooksRow[],
): Html {
  const name = PROGRAM_NAMES[program]
  const isStuck = ({ state }: Pick<BooksRow, 'state'>): boolean => state === 'held' || state === 'failed'
  const stuck = counts.filter(isStuck).reduce((sum, one) => sum + one.count, 0)
  return part(
    say`Records`,
    html`
${countsTable(counts)}
${table<BooksRow>({
  caption: say`Latest records`,
  isCaptionHidden: true,
  empty: say`Nothing was sent yet.`,
  rows,
  columns: [
    { label: say`Record`, cell: (row) => html`${recordLabel(row.kind)} ${recordName(context, row)}` },
    {
      label: say`State`,
      cell: (row) =>
        html`${status(stateLabel(row.state), isStuck(row) ? 'error' : row.state === 'sent' ? 'good' : 'plain')}${when(
          row.reason,
          (reason) => html`<br>${reasonLabel(reason, name)}`,
        )}${when(row.reason === 'program' ? row.detail : null, (detail) => html`<br>${detail}`)}`,
    },
    {
      label: say`Amount`,
      cell: ({ cents }) => (cents === null ? '' : money(cents, context.company.currency)),
      isNumber: true,
    },
    {
      label: say`Try again`,
      cell: (row) =>
        when(isStuck(row), () =>
          form(
            context,
            html`${hidden('kind', row.kind)}${hidden('record', row.record)}${button({
              label: say`Try again`,
              kind: 'quiet',
              name: 'act',
              value: 'retry',
            })}`,
          ),
        ),
    },
  ],
})}`,
    stuck > 1 ? form(context, button({ label: say`Try all again`, name: 'act', value: 'retry' })) : '',
  )
}

/** Draws how many records of each kind are synced, pending, or waiting for a person. */
function countsTable(counts: readonly BooksCount[]): Html {
  const kinds = [...new Set(counts.map(({ kind }) => kind))]
  const sum = (kind: BooksKind, ...states: BooksRow['state'][]): string =>
    count(
      counts.filter((one) => one.kind === kind && states.includes(one.state)).reduce((all, one) => all + one.count, 0),
    )
  return table({
    caption: say`Records by kind`,
    isCaptionHidden: true,
    empty: '',
    rows: kinds,
    columns: [
      { label: say`Kind`, cell: kindLabel },
      { label: say`Sent`, cell: (kind) => sum(kind, 'sent'), isNumber: true },
      { label: say`Waiting`, cell: (kind) => sum(kind, 'due', 'sending'), isNumber: true },
      { label: say`Needs attention`, cell: (kind) => sum(kind, 'held', 'failed'), isNumber: true },
      { label: say`Reversed`, cell: (kind) => sum(kind, 'cancelled'), isNumber: true },
    ],
  })
}

const recordName = (context: MemberContext, { name, invoice_id, customer_id }: BooksRow): Html | string => {
  if (invoice_id !== null) return html`<a href="${context.path('invoices', invoice_id)}">${name ?? ''}</a>`
  if (customer_id !== null) return html`<a href="${context.path('customers', customer_id)}">${name ?? ''}</a>`
  return name ?? ''
}
