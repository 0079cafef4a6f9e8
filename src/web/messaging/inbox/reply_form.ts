import { button } from '../../../platform/html/parts/button.ts'
import { field, textArea } from '../../../platform/html/parts/field.ts'
import { attribute, html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { Refusal } from '../../../platform/errors/refusal.ts'
import { phone } from '../../../records/format/formats.ts'
import { problemsOf } from '../../../records/form/problems.ts'
import { segmentsHtml } from '../compose/segments.ts'
import type { ReplyAddress, SenderStatus } from '../../../messaging/inbox/reply_address.ts'
import type { Counterpart } from './counterpart.ts'

/** Maximum characters of a subject. */
const MAX_SUBJECT = 250

type Reply = {
  person: Counterpart
  replyAddresses: readonly ReplyAddress[]
  senderStatus: SenderStatus
  form: URLSearchParams
  refusal: Refusal | undefined
}

/** Draws the reply form: address, subject for email, and text, with the reasons that prevent a reply. */
export function replyHtml({ person, replyAddresses, senderStatus, form, refusal }: Reply): Html {
  if (replyAddresses.length === 0)
    return notice({
      kind: 'info',
      title: say`No phone or email to write to`,
      body: say`Add a contact to the customer first.`,
    })
  const open = replyAddresses.filter(({ objection }) => objection === undefined)
  const chosen = form.get('to') ?? (open[0] === undefined ? '' : keyOf(open[0]))
  return html`
<section class="part reply" id="reply">${when(refusal, (refusal) =>
    notice({ kind: 'error', title: say`Not sent`, body: sentencesOf(refusal) }),
  )}
  <form class="form" method="post" action="${person.path}/send">
    <fieldset class="ways"><legend class="unseen">${say`Send to`}</legend>${replyAddresses.map(
      (replyAddress) => html`
      <label class="way"><input type="radio" name="to" value="${keyOf(replyAddress)}"
        required${attribute('checked', keyOf(replyAddress) === chosen)}${attribute('disabled', replyAddress.objection !== undefined)}
          ><span>${replyAddressLabel(replyAddress)}${when(
            replyAddress.objection,
            (objection) => html`<span class="help">${objection}</span>`,
          )}${when(
            replyAddress.objection === undefined && !senderStatus[replyAddress.channel],
            () => html`<span class="help">${say`Kept in the outbox: no sender is set up`}</span>`,
          )}</span></label>`,
    )}</fieldset>
    <div class="subject">${field({
      name: 'subject',
      label: say`Subject`,
      value: form.get('subject') ?? subjectOf(replyAddresses),
    })}</div>
    ${textArea({ name: 'body', label: say`Message`, value: form.get('body') ?? '', rows: 4, isRequired: true })}
    <div class="texts">${segmentsHtml('body', form.get('body') ?? '')}</div>
    <p class="actions">${button({ label: say`Send`, kind: 'main' })}</p>
  </form>
</section>`
}

/** Returns the form value of an address. */
export const keyOf = ({ channel, to }: Pick<ReplyAddress, 'channel' | 'to'>): string => `${channel}:${to}`

const replyAddressLabel = ({ channel, to, name }: ReplyAddress): string => {
  const label = name === null ? phone(to) : `${phone(to)} (${name})`
  return channel === 'sms' ? say`Text ${label}` : say`Email ${label}`
}

const subjectOf = (replyAddresses: readonly ReplyAddress[]): string => {
  const subject = replyAddresses.find(({ channel, answers }) => channel === 'email' && answers !== null)?.answers
    ?.subject
  return subject == null || subject === ''
    ? ''
    : /^re:/i.test(subject)
      ? subject
      : `Re: ${subject}`.slice(0, MAX_SUBJECT)
}

const sentencesOf = (refusal: Refusal): string => {
  const { fields, general } = problemsOf(refusal, [
    { name: 'to', label: say`This address` },
    { name: 'subject', label: say`Subject` },
    { name: 'body', label: say`Message` },
  ])
  return [...fields.values(), ...general].join(' ')
}
