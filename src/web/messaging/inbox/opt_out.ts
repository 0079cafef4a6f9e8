import { mayWriteMessages } from '../../../messaging/inbox/rights.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { say } from '../../../platform/i18n/say.ts'
import { phone } from '../../../records/format/formats.ts'
import type { MemberContext } from '../../member_context.ts'

/** Draws the question whether a text meant STOP; until it is answered the number gets nothing. */
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

/** Draws the two decisions about an unclear answer; empty for somebody who can't decide. */
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
