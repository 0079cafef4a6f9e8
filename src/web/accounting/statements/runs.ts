import {
  countOwing,
  findRun,
  listRuns,
  listSendings,
  startRun,
  stopRun,
  type SkipReason,
  type StatementRun,
  type StatementSending,
} from '../../../messaging/statements/run.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'
import { pageResponse, redirect } from '../../../platform/http/answer.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { status } from '../../../platform/html/parts/status.ts'
import { refusalForPeople } from '../../../platform/i18n/refusal_for_people.ts'
import { say, sayCount, sayFor } from '../../../platform/i18n/say.ts'
import { moment, money, shortDay } from '../../../records/format/formats.ts'
import { recordLink } from '../../../records/page/links.ts'
import { part } from '../../../records/page/parts.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { followPage } from '../../follow_page.ts'
import { frame } from '../../frame.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import type { Site } from '../../site.ts'
import { addressOf, rangeHtml, readRange, thisMonth, type RequestedRange } from '../range.ts'
import { reportTable } from '../report_table.ts'
import { maySendStatements } from './rights.ts'

async function requireSender(site: Site, request: PageRequest): Promise<MemberContext> {
  const context = await requireMemberContext(site, request)
  if (!maySendStatements(context)) throw notFoundRefusal()
  return context
}

/** Shows who would get statements for a date range, and past runs. */
export async function showStatementRuns(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireSender(site, request)
  const query = new URL(request.req.url).searchParams
  const { timezone } = context.company
  const range: RequestedRange = query.has('from') || query.has('to') ? readRange(query, timezone) : thisMonth(timezone)
  const [owing, runs] = await context.read((db) => Promise.all([countOwing(db, range), listRuns(db)]))
  const canSendEmail = await context.canSend('email')
  return pageResponse(runsPage(context, { range, owing, runs, canSendEmail }), {
    status: range.problem === undefined ? 200 : 422,
  })
}

/** Starts a run, which continues in the background. */
export async function startStatementRun(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireSender(site, request)
  const range = readRange(await readFormFields(request.req.raw), context.company.timezone)
  const there = context.path('reports', 'statements')
  if (range.problem !== undefined) return redirectWithMessage(there, { sentence: range.problem })
  try {
    const id = await context.write((db) => {
      if (!maySendStatements(context)) throw notFoundRefusal()
      return startRun(db, { user: context.user.id }, range)
    })
    return redirect(context.path('reports', 'statements', id))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return redirectWithMessage(addressOf(there, range), { sentence: refusalForPeople(error) })
  }
}

/** Shows a run's progress. The page refreshes until everything is sent. */
export const showStatementRun = (site: Site, request: PageRequest): Promise<Response> =>
  followPage(site, request, async () => {
    const context = await requireSender(site, request)
    const id = requireValue(request.req.param('run'), 'A run of statements')
    const [run, sendings] = await context.read((db) => Promise.all([findRun(db, id), listSendings(db, id)]))
    return pageResponse(runPage(context, run, sendings))
  })

export async function stopStatementRun(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireSender(site, request)
  const id = requireValue(request.req.param('run'), 'A run of statements')
  await context.write(async (db) => {
    if (!maySendStatements(context)) throw notFoundRefusal()
    await findRun(db, id)
    return stopRun(db, id)
  })
  return redirect(context.path('reports', 'statements', id))
}

type RunsPage = {
  range: RequestedRange
  owing: { count: number; cents: number }
  runs: readonly StatementRun[]
  canSendEmail: boolean
}

function runsPage(context: MemberContext, { range, owing, runs, canSendEmail }: RunsPage): Html {
  const path = context.path('reports', 'statements')
  const { currency, timezone } = context.company
  return frame(context, {
    title: say`Send statements`,
    here: context.path('reports'),
    styles: ['money.css'],
    body: html`
${headHtml(context, say`Send statements`)}
<p class="lead">${say`Each customer who owes gets an email with their statement as a PDF.`}</p>
${rangeHtml(path, range, timezone, { problem: range.problem })}${when(!canSendEmail, () =>
      notice({
        kind: 'warning',
        title: say`No email sender is set up`,
        body: say`What you send waits in the Outbox until this service’s administrator sets one up.`,
      }),
    )}
<form class="form" method="post" action="${path}">${hidden('from', range.from)}${hidden('to', range.to)}
  <p>${sayCount(
    owing.count,
    'One customer owes {1} up to {2}.',
    '{0} customers owe {1} up to {2}.',
    money(owing.cents, currency),
    shortDay(range.to),
  )}</p>
  ${when(owing.count > 0, () => html`<p class="actions">${button({ label: say`Send statements`, kind: 'main' })}</p>`)}
</form>
${when(runs.length > 0, () => part(say`Sent before`, runsTable(context, runs)))}`,
  })
}

const headHtml = (context: MemberContext, title: string): Html => html`
<header class="page-head">
  <div><p class="eyebrow"><a href="${context.path('reports')}">${say`Reports`}</a></p>
  <h1>${title}</h1></div>
</header>`

const runsTable = (context: MemberContext, runs: readonly StatementRun[]): Html =>
  reportTable<StatementRun>({
    caption: say`Sent before`,
    empty: '',
    rows: runs,
    columns: [
      {
        label: say`Dates`,
        cell: ({ id, from, to }) =>
          html`<a href="${context.path('reports', 'statements', id)}">${shortDay(from)} – ${shortDay(to)}</a>`,
      },
      { label: say`When`, cell: ({ created_at }) => moment(created_at, context.company.timezone) },
      { label: say`Who`, cell: ({ created_by_name }) => created_by_name ?? '' },
      { label: sayFor('message')`Sent`, cell: ({ sent }) => String(sent), isNumber: true },
      { label: say`Left out`, cell: ({ skipped }) => String(skipped), isNumber: true },
      { label: sayFor('phone')`Waiting`, cell: ({ waiting }) => String(waiting), isNumber: true },
    ],
  })

function runPage(context: MemberContext, run: StatementRun, sendings: readonly StatementSending[]): Html {
  const { waiting } = run
  const total = waiting + run.sent + run.skipped
  const title = say`Statements of ${shortDay(run.from)} – ${shortDay(run.to)}`
  return frame(context, {
    title,
    here: context.path('reports'),
    styles: ['money.css'],
    ...(waiting > 0 && { refreshes: 2 }),
    body: html`
${headHtml(context, title)}
<section class="part" aria-live="polite">
  <progress value="${total - waiting}" max="${total}" aria-label="${say`Statements done`}">${
    total - waiting
  } / ${total}</progress>
  <p>${progressText(run)}</p>${when(
    waiting > 0,
    () => html`
  <form method="post" action="${context.path('reports', 'statements', run.id, 'stop')}">${button({
    label: say`Stop sending`,
  })}</form>`,
  )}
</section>
${part(
  say`Customers`,
  reportTable<StatementSending>({
    caption: say`Customers`,
    empty: '',
    rows: sendings,
    columns: [
      {
        label: say`Customer`,
        cell: ({ customer_id, customer_name }) => recordLink(context, 'customers', customer_id, customer_name),
      },
      { label: say`Status`, cell: (sending) => stateHtml(context, sending) },
    ],
  }),
)}`,
  })
}

const progressText = ({ waiting, sent, skipped }: StatementRun): string =>
  [
    sayCount(sent, 'One statement is sent.', '{0} statements are sent.'),
    ...(skipped > 0 ? [sayCount(skipped, 'One customer was left out.', '{0} customers were left out.')] : []),
    ...(waiting > 0
      ? [
          sayCount(
            waiting,
            'One is waiting. You can leave this page, and sending continues.',
            '{0} are waiting. You can leave this page, and sending continues.',
          ),
        ]
      : []),
  ].join(' ')

function stateHtml(context: MemberContext, { state, reason, message_id }: StatementSending): Html | string {
  if (state === 'waiting') return status(sayFor('phone')`Waiting`, 'warning')
  if (message_id !== null)
    return html`<a href="${context.path('outbox', message_id)}">${status(sayFor('message')`Sent`, 'good')}</a>`
  return html`${status(say`Left out`, 'ended')} <span class="help">${skipText(reason)}</span>`
}

const skipText = (reason: SkipReason | null): string =>
  (reason === null ? undefined : SKIP_TEXTS[reason]?.()) ?? say`Sending was stopped.`

const SKIP_TEXTS: Readonly<Partial<Record<SkipReason, () => string>>> = {
  nothing_owed: () => say`Nothing is owed on the last day.`,
  no_address: () => say`There is no email address.`,
  opted_out: () => say`Everyone with an email address opted out, or email to them bounced.`,
  archived: () => say`The customer is archived.`,
  already_sent: () => say`This statement was sent before.`,
}
