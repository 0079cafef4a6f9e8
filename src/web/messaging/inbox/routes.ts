import type { PageRequest, PageRouter } from '../../../platform/http/page_request.ts'
import { openAttachment } from '../../../files/download.ts'
import { isId } from '../../../platform/validation/id.ts'
import { requireMemberContext } from '../../member_context.ts'
import { notFoundPage } from '../../not_found.ts'
import { pageRoutes } from '../../page_routes.ts'
import type { Site } from '../../site.ts'
import { changeConversation, assignConversation } from './actions.ts'
import { linkThread, showLinking } from './linking.ts'
import { showConversations } from './list.ts'
import { showText } from './message_text.ts'
import { showPerson } from './person.ts'
import { markAsRead, requireReadAccess } from './reading.ts'
import { chooseRecipient, sendReply } from './sending.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'

/** Returns the pages of conversations, and their attachments. */
export const messageRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [`${TENANT}/messages`]: { get: showConversations },
    [`${TENANT}/messages/new`]: { get: chooseRecipient },
    [`${TENANT}/messages/with/:customer{[0-9a-f-]{36}}`]: { get: showPerson },
    [`${TENANT}/messages/with/:customer{[0-9a-f-]{36}}/send`]: { post: sendReply },
    [`${TENANT}/messages/read`]: { post: markAsRead },
    [`${TENANT}/messages/:conversation{[0-9a-f-]{36}}/link`]: { get: showLinking, post: linkThread },
    [`${TENANT}/messages/:message{[0-9a-f-]{36}}/text`]: { get: showText },
    [`${TENANT}/messages/:correspondent{[0-9a-f-]{36}}`]: { get: showPerson },
    [`${TENANT}/messages/:correspondent{[0-9a-f-]{36}}/send`]: { post: sendReply },
    [`${TENANT}/messages/:correspondent{[0-9a-f-]{36}}/assign`]: { post: assignConversation },
    [`${TENANT}/messages/:correspondent{[0-9a-f-]{36}}/:act{archive|unarchive|block|unblock}`]: {
      post: changeConversation,
    },
    [`${TENANT}/attachments/:id{[0-9a-f-]{36}}`]: { get: download },
  })

/** Sends the original file as a download, never inline. */
async function download(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireReadAccess(context)
  const id = request.req.param('id')!
  if (!isId(id)) return notFoundPage()
  const { headers, body } = await openAttachment(
    site.database,
    site.storage,
    context.company.id,
    id,
    request.req.method === 'HEAD' ? 'headers' : 'file',
  )
  return new Response(body, { headers })
}
