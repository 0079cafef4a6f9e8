import { linkButton } from '../../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { status } from '../../../platform/html/parts/status.ts'
import { table } from '../../../platform/html/parts/table.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { moment, shortDay } from '../../../records/format/formats.ts'
import { recordLink } from '../../../records/page/links.ts'
import { recipientText } from '../../../records/page/contact_links.ts'
import { listReminderLog, type ReminderLogEntry } from '../../../messaging/reminders/log.ts'
import { REMINDERS } from '../../../messaging/reminders/settings.ts'
import { isId } from '../../../platform/validation/id.ts'
import type { MemberContext } from '../../member_context.ts'
import { staleReasonText, stateTag } from '../../messaging/outbox/words.ts'
import { reminderSkipReason } from '../../messaging/compose/reminder_skips.ts'
import type { Site } from '../../site.ts'
import { requireOwner, settingsPage } from '../settings_page.ts'

/** Shows every reminder that came due, sent or skipped, with the reason. */
export async function showReminderLog(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const before = new URL(request.req.url).searchParams.get('before') ?? ''
  const { rows, earlier } = await context.read((db) => listReminderLog(db, isId(before) ? before : null))
  const here = context.path('settings', 'reminders', 'log')
  return settingsPage(
    context,
    'reminders',
    say`What was sent`,
    html`
<p class="lead">${say`Each reminder that came due: sent, or left out and why.`}</p>
${table<ReminderLogEntry>({
  caption: say`Reminders`,
  isCaptionHidden: true,
  rows,
  empty: say`No reminders yet.`,
  columns: [
    { label: say`When`, cell: ({ at }) => moment(at, context.company.timezone) },
    { label: say`Reminder of`, cell: (row) => subjectHtml(context, row) },
    { label: say`Because`, cell: ruleText },
    { label: say`Result`, cell: outcomeHtml },
  ],
})}
<p class="pager">${when(earlier, (earlier) => linkButton(say`Earlier`, `${here}?before=${earlier}`))}</p>`,
  )
}

const subjectHtml = (context: MemberContext, { kind, record_id, record_name, customer_name }: ReminderLogEntry): Html =>
  html`${recordLink(
    context,
    REMINDERS[kind],
    record_id,
    record_name ?? '',
  )}<span class="help">${customer_name ?? ''}</span>`

/** Returns the rule that made it due. */
function ruleText({ kind, step, occasion }: ReminderLogEntry): string {
  const [on, count] = [shortDay(occasion), Math.abs(step)]
  if (kind === 'visit')
    return sayCount(count, 'the day before the visit of {1}', '{0} days before the visit of {1}', on)
  if (kind === 'quote')
    return sayCount(count, 'one day without an answer since {1}', '{0} days without an answer since {1}', on)
  if (kind === 'plan')
    return sayCount(count, 'the day before the plan ends, {1}', '{0} days before the plan ends, {1}', on)
  if (step === 0) return say`due ${on}`
  return step < 0
    ? sayCount(count, 'the day before it is due, {1}', '{0} days before it is due, {1}', on)
    : sayCount(count, 'one day overdue, due {1}', '{0} days overdue, due {1}', on)
}

function outcomeHtml({ kind, left_out, reason, state, recipient, message_reason }: ReminderLogEntry): Html {
  if (left_out !== null)
    return html`${status(say`Left out`, 'ended')} <span class="help">${reminderSkipReason(left_out)}${when(
      left_out === 'refused' && reason !== null,
      () => html` ${reason ?? ''}`,
    )}</span>`
  const staleReason = message_reason === 'overtaken' ? staleReasonText(REMINDERS[kind]) : ''
  return html`${stateTag({ state: state ?? 'queued' })} <span class="help">${
    staleReason === '' ? recipientText(recipient ?? '') : staleReason
  }</span>`
}
