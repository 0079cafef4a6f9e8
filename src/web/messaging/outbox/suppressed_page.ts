import { mayWriteMessages } from '../../../messaging/inbox/rights.ts'
import { pageResponse, ownPath } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { table } from '../../../platform/html/parts/table.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import {
  confirmStop,
  isHashed,
  liftSuppression,
  listSuppressions,
  type Suppression,
} from '../../../messaging/opt_out/suppression.ts'
import { auditUnsuppress, auditSuppress } from '../../../messaging/outbox/decisions.ts'
import { moment, phone } from '../../../records/format/formats.ts'
import { recipientText } from '../../../records/page/contact_links.ts'
import { frame } from '../../frame.ts'
import { stopDecisions } from '../inbox/opt_out.ts'
import { requireWriteAccess, requireReadAccess } from '../inbox/reading.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { notFoundPage } from '../../not_found.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'

const MAX_ROWS = 500

/** Lists suppressed addresses, with the reasons. */
export async function showSuppressed(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireReadAccess(context)
  const rows = await context.read((db) => listSuppressions(db, MAX_ROWS))
  return pageResponse(
    frame(context, {
      title: say`Do-not-send list`,
      here: context.path('outbox'),
      body: html`
<header class="page-head">
  <div><h1>${say`Do-not-send list`}</h1><p>${say`Nothing is sent to these addresses and numbers.`}</p></div>
  <div class="actions">${linkButton(say`Back to the outbox`, context.path('outbox'), 'quiet')}</div>
</header>
${table<Suppression>({
  caption: say`Do-not-send list`,
  isCaptionHidden: true,
  rows,
  empty: say`The list is empty`,
  columns: [
    { label: say`Address`, cell: ({ address }) => (isHashed(address) ? say`Erased person` : recipientText(address)) },
    {
      label: say`Why`,
      cell: ({ reason, detail }) => html`${reasonText(reason)}<span class="help">${detail ?? ''}</span>`,
    },
    { label: say`Since`, cell: ({ at }) => moment(at, context.company.timezone) },
    { label: say`Remove`, cell: (row) => liftForm(context, row) },
  ],
})}`,
    }),
  )
}

const reasonText = (reason: Suppression['reason']): string => REASONS[reason]()

const REASONS: Readonly<Record<Suppression['reason'], () => string>> = {
  bounced: () => say`Email bounced`,
  complained: () => say`They reported our mail as spam`,
  stopped: () => say`They replied STOP. They can reply START.`,
  unclear: () => say`They may have asked you to stop`,
}

const liftForm = (context: MemberContext, { channel, address, reason }: Suppression): Html | '' =>
  reason === 'unclear'
    ? stopDecisions(context, address, context.path('outbox', 'suppressed'))
    : reason === 'stopped' || !mayWriteMessages(context)
      ? ''
      : html`<form method="post" action="${context.path('outbox', 'suppressed')}">${hidden(
          'channel',
          channel,
        )}${hidden('address', address)}${button({ label: say`Remove` })}</form>`

/** Allows an address again, or confirms an unclear answer as an opt-out. */
export async function changeSuppression(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireWriteAccess(context)
  const sent = await readFormFields(request.req.raw)
  const [channel, address] = [sent.get('channel'), sent.get('address') ?? '']
  if (channel !== 'email' && channel !== 'sms') return notFoundPage()
  const isStopDecision = channel === 'sms' && sent.get('decision') === 'stop'
  const wasListed = await context.write(async (db) => {
    requireWriteAccess(context)
    if (isStopDecision) {
      const confirmed = await confirmStop(db, address)
      if (confirmed) await auditSuppress(db, context.user.id, address)
      return confirmed
    }
    const lifted = await liftSuppression(db, channel, address)
    if (lifted) await auditUnsuppress(db, context.user.id, channel, address)
    return lifted
  })
  return redirectWithMessage(ownPath(sent.get('back'), context.path('outbox', 'suppressed')), {
    sentence:
      wasListed && isStopDecision
        ? say`${phone(address)} gets no more texts.`
        : wasListed
          ? say`${phone(address)} can be written to again.`
          : say`That address was not on the list.`,
  })
}
