import { pageResponse, redirect } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { money, phone, shortDay } from '../../../records/format/formats.ts'
import {
  invoiceReminder,
  remindOfInvoice,
  type InvoiceReminder,
} from '../../../messaging/reminders/invoice_reminder.ts'
import { isId, newId } from '../../../platform/validation/id.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { followPage } from '../../follow_page.ts'
import { frame } from '../../frame.ts'
import { requireAllowed, type MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { redirectWithMessage, type FlashMessage } from '../../flash_message.ts'
import { findBulkRun, backgroundContext, progressPage, runBulk, type BulkState } from '../../records/list/bulk_run.ts'
import type { Site } from '../../site.ts'
import { reminderSkipReason } from './reminder_skips.ts'
import { readIdempotencyKey } from './messages.ts'
import { runOnce } from './run_once.ts'

/** Maximum invoices per batch of reminders. */
const MAX_AT_ONCE = 100

/** Shows the recipients of the reminders before anything is sent. */
export async function showReminders(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireReminder(site, request)
  const ids = parseIds(new URL(request.req.url).searchParams.get('ids') ?? '')
  const reminders: InvoiceReminder[] = []
  for (const id of ids)
    reminders.push(
      ...(await runIfPresent(() => context.read((db) => invoiceReminder(db, id, context.user.id, site.senders)))),
    )
  return pageResponse(page(context, reminders))
}

/** Sends each reminder in its own transaction, once per idempotency key, and reports the skipped invoices. */
export async function sendReminders(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireReminder(site, request)
  const form = await readFormFields(request.req.raw)
  const [ids, key] = [parseIds(form.get('ids') ?? ''), readIdempotencyKey(form)]
  const today = todayIn(context.company.timezone).toString()
  const by = { user: context.user.id, senders: site.senders, today }
  const lasting = backgroundContext(site, request, context)
  const run = await runBulk(site, lasting, { action: 'remind', listQuery: '', ids }, async (context, id) => {
    let reason: string | undefined
    await runIfPresent(() =>
      context.write((db) =>
        runOnce(db, { caller: context.caller, action: `invoices.remind.${id}`, id, key }, async () => {
          reason = (await remindOfInvoice(db, id, by))?.left_out
        }),
      ),
    )
    return reason
  })
  if (typeof run === 'string') return redirect(context.path('invoices', 'remind', run))
  return redirectWithMessage(context.path('invoices'), reminderResult(context, run))
}

/** Shows the progress of the reminders, then the list with the result. */
export const showReminderRun = (site: Site, request: PageRequest): Promise<Response> =>
  followPage(site, request, async () => {
    const context = await requireReminder(site, request)
    const run = await findBulkRun(context, request.req.param('run') ?? '')
    if (run.act !== 'remind') throw notFoundRefusal()
    if (!run.isEnded && !run.isStuck)
      return pageResponse(progressPage(context, say`Send reminders`, context.path('invoices'), run))
    return redirectWithMessage(context.path('invoices'), reminderResult(context, run))
  })

function reminderResult(
  context: MemberContext,
  { done, total, refused }: Pick<BulkState, 'done' | 'total' | 'refused'>,
): FlashMessage {
  const [sent, skipped] = [done - refused.length, total - done + refused.length]
  const sentence = sayCount(sent, 'One reminder is on its way.', '{0} reminders are on their way.')
  return {
    sentence: skipped === 0 ? sentence : `${sentence} ${sayCount(skipped, 'One was left out.', '{0} were left out.')}`,
    next: { label: say`Outbox`, href: context.path('outbox') },
  }
}

/** Answers 404 to members who may not send invoices. */
const requireReminder = (site: Site, request: PageRequest): Promise<MemberContext> =>
  requireAllowed(site, request, ({ may }) => may('write:invoices') && may('read:customers'))

const parseIds = (text: string): string[] =>
  [...new Set(text.slice(0, MAX_AT_ONCE * 37).split(','))].filter(isId).slice(0, MAX_AT_ONCE)

/** Returns the result of work on a record as a list, which is empty if the record no longer exists. */
async function runIfPresent<T>(work: () => Promise<T>): Promise<T[]> {
  try {
    return [await work()]
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return []
    throw error
  }
}

function page(context: MemberContext, reminders: readonly InvoiceReminder[]): Html {
  const sendable = reminders.filter((one) => !('left_out' in one))
  const skipped = reminders.filter((one) => 'left_out' in one)
  return frame(context, {
    title: say`Send reminders`,
    here: context.path('invoices'),
    width: 'wide',
    body: html`
<section class="ticket">
  <h1>${
    sendable.length === 0
      ? say`No reminder can be sent`
      : sayCount(sendable.length, 'Send one reminder?', 'Send {0} reminders?')
  }</h1>
  ${cards(context, sendable)}${when(
    skipped.length > 0,
    () => html`
  <h2>${sayCount(skipped.length, 'One is left out', '{0} are left out')}</h2>
  ${cards(context, skipped)}`,
  )}
  <form method="post" action="${context.path('invoices', 'remind')}">
    ${hidden('idempotency_key', newId())}${hidden('ids', sendable.map(({ record }) => record.id).join(','))}
    <p class="actions">${when(sendable.length > 0, () =>
      button({ label: sayCount(sendable.length, 'Send one reminder', 'Send {0} reminders'), kind: 'main' }),
    )}${linkButton(say`Cancel`, context.path('invoices'), 'quiet')}</p>
  </form>
</section>`,
  })
}

const cards = (context: MemberContext, rows: readonly InvoiceReminder[]): Html =>
  html`<ul class="cards">${rows.map((one) => html`<li>${rowHtml(context, one)}</li>`)}</ul>`

function rowHtml(context: MemberContext, one: InvoiceReminder): Html {
  const { id, number, customer_name, balance_cents, currency, day } = one.record
  const summary = [customer_name, money(balance_cents, currency), ...(day === null ? [] : [say`due ${shortDay(day)}`])]
  const destination =
    'left_out' in one
      ? reminderSkipReason(one.left_out)
      : one.channel === 'sms'
        ? phone(one.recipient.address)
        : one.recipient.address
  return html`<b><a href="${context.path('invoices', id)}">${number ?? ''}</a></b> ${summary.join(
    ' · ',
  )}<span class="help">${destination}</span>`
}
