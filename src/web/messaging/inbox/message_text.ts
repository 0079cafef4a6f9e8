import { pageResponse } from '../../../platform/http/answer.ts'
import { linkButton } from '../../../platform/html/parts/button.ts'
import { html, when } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { findMessage } from '../../../messaging/inbox/inbox.ts'
import { say } from '../../../platform/i18n/say.ts'
import { moment } from '../../../records/format/formats.ts'
import { isId } from '../../../platform/validation/id.ts'
import { requireMemberContext } from '../../member_context.ts'
import { frame } from '../../frame.ts'
import { attachmentsHtml, nameOf } from './message_item.ts'
import { notFoundPage } from '../../not_found.ts'
import { requireReadAccess } from './reading.ts'
import type { Site } from '../../site.ts'

/** Shows a single message with more of its text than the thread shows. */
export async function showText(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireReadAccess(context)
  const id = request.req.param('message')!
  if (!isId(id)) return notFoundPage()
  const message = await context.read((db) => findMessage(db, id))
  return pageResponse(
    frame(context, {
      title: say`Message`,
      here: context.path('messages'),
      width: 'wide',
      body: html`
<header class="page-head">
  <div>
    <p class="eyebrow">${nameOf(message)}, ${moment(message.occurred_at, context.company.timezone)}</p>
    <h1>${message.subject ?? say`Message`}</h1>
  </div>
</header>
<section class="part"><p class="written">${message.body}</p>${when(
        message.is_cut,
        () => html`
  <p class="help">${
    message.attachments.length === 0
      ? say`It is longer than this page shows.`
      : say`It is longer than this page shows. The whole text may be among its files.`
  }</p>`,
      )}${attachmentsHtml(message.attachments)}</section>
<p class="actions">${linkButton(say`All messages`, context.path('messages'), 'quiet')}</p>`,
    }),
  )
}
