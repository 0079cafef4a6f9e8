import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { checkbox, field, hidden, textArea } from '../../../platform/html/parts/field.ts'
import { attribute, html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { Refusal } from '../../../platform/errors/refusal.ts'
import { recipientText } from '../../../records/page/contact_links.ts'
import { listPlaceholders, type MessageChannel, type MessageKind } from '../../../messaging/templates/kinds.ts'
import type { SubjectRecord } from '../../../messaging/templates/subject_record.ts'
import { formatPlaceholder } from '../../../messaging/templates/placeholders.ts'
import type { StopHintPreview } from '../../../messaging/outbox/stop_hint.ts'
import type { Recipient } from '../../../messaging/templates/recipients.ts'
import { frame } from '../../frame.ts'
import type { MemberContext } from '../../member_context.ts'
import { errorOf } from './problems.ts'
import { linkPlaceholder, segmentsHtml } from './segments.ts'
import { refusalForPeople } from '../../../platform/i18n/refusal_for_people.ts'

/** Possible recipient, with the reason if it can't be chosen. */
export type Addressee = Recipient & { objection: string | undefined }

export type MessageForm = {
  record: SubjectRecord
  topic: 'invoices' | 'quotes' | 'jobs'
  kind: MessageKind
  channel: MessageChannel
  people: readonly Addressee[]
  hasSender: boolean
  /** Base URL of customer links. */
  baseUrl: string
  key: string
  /** Opt-out hint of the first text to a number. */
  stopHint?: StopHintPreview
  /** Minutes late, for a running-late message. */
  minutes?: number
  /** Reason why nothing can be sent about the record. */
  objection: string | undefined
  draft: { to: string; subject: string; body: string; hasPdf: boolean }
  refusal?: Refusal
  /** Notice above the message. */
  noticeHtml?: Html | ''
}

/** Draws the message form: recipients, channel, text and attachment. */
export function messageFormPage(context: MemberContext, form: MessageForm): Html {
  const { record, topic, objection, refusal, noticeHtml = '' } = form
  const recordPath = context.path(topic, record.id)
  const title = titleOf(form)
  return frame(context, {
    title,
    here: context.path(topic),
    width: 'wide',
    styles: ['sending.css'],
    scripts: form.channel === 'sms' ? ['text_parts.js'] : [],
    body: html`
<section class="ticket letter">
  <p class="eyebrow">${record.customer_name}</p>
  <h1>${title}</h1>
  ${
    objection === undefined
      ? html`${when(refusal, (refusal) =>
          notice({ kind: 'error', title: say`Nothing was sent`, body: refusalForPeople(refusal) }),
        )}${noticeHtml}${messageForm(form, recordPath)}`
      : html`${notice({
          kind: 'warning',
          title: say`There is nothing to send`,
          body: refusal === undefined ? objection : refusalForPeople(refusal),
        })}
  <p class="actions">${linkButton(say`Back`, recordPath)}</p>`
  }
</section>`,
  })
}

function titleOf({ record: { number, status }, kind, topic }: MessageForm): string {
  const name = number ?? ''
  if (kind === 'payment_receipt') return say`Send the receipt of ${name}`
  if (kind === 'running_late') return say`Running late: ${name}`
  if (topic === 'jobs') return say`Confirm ${name}`
  return status === 'draft' ? say`Send ${name}` : say`Resend ${name}`
}

const messageForm = (form: MessageForm, recordPath: string): Html => {
  const { channel, hasSender, draft, refusal, record, kind, key, topic } = form
  const isMail = channel === 'email'
  return html`
${when(!hasSender, () => noSenderNotice(channel))}
<nav class="ways" aria-label="${say`Send by`}">
  ${channelLink(form, recordPath, 'email', say`Email`)}${channelLink(form, recordPath, 'sms', say`Text message`)}
</nav>
<form class="form" method="post" action="${recordPath}/send">
  ${hidden('by', channel)}${hidden('kind', kind)}${hidden('seen', record.updated_at)}${hidden('idempotency_key', key)}
  ${recipientsHtml(form)}
  ${when(isMail, () =>
    field({
      name: 'subject',
      label: say`Subject`,
      value: draft.subject,
      isRequired: true,
      error: errorOf(refusal, 'subject'),
    }),
  )}
  ${textArea({
    name: 'body',
    label: say`Message`,
    value: draft.body,
    rows: isMail ? 12 : 5,
    isRequired: true,
    error: errorOf(refusal, 'body'),
    help: helpOf(form),
  })}
  ${when(!isMail, () => segmentsHtml('body', draft.body, segmentsOf(form)))}
  ${when(
    isMail && topic !== 'jobs',
    () =>
      html`<div class="along">${checkbox({
        name: 'pdf',
        label: say`Attach the PDF`,
        isChecked: draft.hasPdf,
      })}<a href="${recordPath}/pdf">${say`View PDF`}</a></div>`,
  )}
  ${when(
    record.status === 'draft',
    () => html`<p class="help">${say`It is a draft now. Sending it marks it as sent.`}</p>`,
  )}
  <p class="actions">
    ${button({ label: record.status === 'draft' || topic === 'jobs' ? say`Send` : say`Resend`, kind: 'main' })}
    ${linkButton(say`Cancel`, recordPath, 'quiet')}
  </p>
</form>`
}

/** Returns the data for the segment count. An address that isn't one of the customer's counts as new. */
const segmentsOf = ({ baseUrl, people, draft, stopHint }: MessageForm) => ({
  link: [formatPlaceholder('link'), linkPlaceholder(baseUrl)] as const,
  ...(stopHint && { first: stopHint }),
  ...(people.some(({ address }) => address === draft.to) && { to: draft.to }),
})

/** Explains the link placeholder. */
const helpOf = ({ kind }: MessageForm): string | undefined =>
  listPlaceholders(kind).includes('link')
    ? say`${formatPlaceholder('link')} becomes a link of the customer's own.`
    : undefined

const noSenderNotice = (channel: MessageChannel): Html =>
  notice({
    kind: 'warning',
    title: channel === 'email' ? say`No email sender is set up` : say`No sender of text messages is set up`,
    body: say`What you send waits in the Outbox until this service’s administrator sets one up.`,
  })

function channelLink(
  { channel, kind, minutes }: MessageForm,
  recordPath: string,
  linkChannel: MessageChannel,
  label: string,
): Html {
  const query = new URLSearchParams({
    by: linkChannel,
    ...(minutes !== undefined && { kind, minutes: String(minutes) }),
  })
  const href = `${recordPath}/send?${query.toString()}`
  return html`<a href="${href}"${attribute('aria-current', linkChannel === channel, 'true')}>${label}</a>`
}

/** Draws the recipients. One who can't be contacted is shown disabled, with the reason. */
function recipientsHtml({ channel, people, draft, refusal }: MessageForm): Html {
  const isMail = channel === 'email'
  const isOther = !people.some(({ address, objection }) => address === draft.to && objection === undefined)
  const error = errorOf(refusal, 'to')
  const other = field({
    name: 'other',
    label: people.length === 0 ? (isMail ? say`Email address` : say`Mobile number`) : say`Another address`,
    value: isOther ? draft.to : '',
    type: isMail ? 'email' : 'tel',
    ...(error === undefined ? {} : { error }),
  })
  if (people.length === 0) return html`${hidden('to', 'other')}${other}`
  return html`
<fieldset class="field addressees">
  <legend>${say`To`}</legend>${people.map(
    ({ address, name, objection }) => html`
  <label class="person"><input type="radio" name="to"
    value="${address}"${attribute('checked', !isOther && address === draft.to)}${attribute('disabled', objection !== undefined)}
      ><span><b>${name}</b> <span class="address">${recipientText(address)}</span>${when(
        objection,
        (objection) => html`<span class="help">${say`Can't be written to: ${objection}`}</span>`,
      )}</span></label>`,
  )}
  <label class="person"><input type="radio" name="to"
    value="other"${attribute('checked', isOther)}><span>${
      isMail ? say`Another address` : say`Another number`
    }</span></label>
  <div class="other">${other}</div>
</fieldset>`
}
