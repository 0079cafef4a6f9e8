import { mayWriteMessages } from '../../../messaging/inbox/rights.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { say } from '../../../platform/i18n/say.ts'
import { phone } from '../../../records/format/formats.ts'
import type { MemberContext } from '../../member_context.ts'

/** Asks whether a text meant STOP. Nothing is sent to the number until it is answered. */
export const unclearStopHtml = (
  context: MemberContext,
  { address, detail }: { address: string; detail: string | null },
  back: string,
): Html =>
  html`${notice({
    kind: 'warning',
    title: say`Did they ask you to stop texting?`,
    body: say`They wrote “${detail ?? ''}”. Nothing is sent to ${phone(address)} until you decide.`,
  })}${stopDecisions(context, address, back)}`

/** Draws the two decisions about an unclear opt-out; empty for members who can't decide. */
export const stopDecisions = (context: MemberContext, address: string, back: string): Html | '' =>
  !mayWriteMessages(context)
    ? ''
    : html`<form class="actions" method="post" action="${context.path('outbox', 'suppressed')}">${hidden(
        'channel',
        'sms',
      )}${hidden('address', address)}${hidden('back', back)}${button({
        label: say`Stop texts`,
        name: 'decision',
        value: 'stop',
      })}${button({ label: say`Keep texting`, name: 'decision', value: 'keep' })}</form>`
