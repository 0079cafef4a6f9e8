import { methodNotAllowed } from '../../../platform/html/message.ts'
import { newPageRouter, type PageRouter, type PageRequest } from '../../../platform/http/page_request.ts'
import { openAttachment } from '../../../files/download.ts'
import { isId } from '../../../platform/validation/id.ts'
import { requireMemberContext } from '../../member_context.ts'
import { notFoundPage } from '../../not_found.ts'
import type { Site } from '../../site.ts'
import { changeConversation, assignConversation } from './actions.ts'
import { linkThread, showLinking } from './linking.ts'
import { showConversations } from './list.ts'
import { showText } from './message_text.ts'
import { showPerson } from './person.ts'
import { markAsRead, requireReadAccess } from './reading.ts'
import { chooseRecipient, sendReply } from './sending.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'

/** Returns the pages of what is written with customers and others, and the files that came with it. */
export const messageRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(`${TENANT}/messages`, (visit) => showConversations(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${TENANT}/messages/new`, (visit) => chooseRecipient(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${TENANT}/messages/with/:customer{[0-9a-f-]{36}}`, (visit) => showPerson(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .post(`${TENANT}/messages/with/:customer{[0-9a-f-]{36}}/send`, (visit) => sendReply(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${TENANT}/messages/read`, (visit) => markAsRead(site, visit))
    .all(methodNotAllowed('POST'))
    .get(`${TENANT}/messages/:conversation{[0-9a-f-]{36}}/link`, (visit) => showLinking(site, visit))
    .post((visit) => linkThread(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${TENANT}/messages/:message{[0-9a-f-]{36}}/text`, (visit) => showText(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${TENANT}/messages/:correspondent{[0-9a-f-]{36}}`, (visit) => showPerson(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .post(`${TENANT}/messages/:correspondent{[0-9a-f-]{36}}/send`, (visit) => sendReply(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${TENANT}/messages/:correspondent{[0-9a-f-]{36}}/assign`, (visit) => assignConversation(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${TENANT}/messages/:correspondent{[0-9a-f-]{36}}/:act{archive|unarchive|block|unblock}`, (visit) =>
      changeConversation(site, visit),
    )
    .all(methodNotAllowed('POST'))
    .get(`${TENANT}/attachments/:id{[0-9a-f-]{36}}`, (visit) => download(site, visit))
    .all(methodNotAllowed('GET, HEAD'))

/** Sends the file as it came, to be saved and never shown in place. */
async function download(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  requireReadAccess(context)
  const id = visit.req.param('id')!
  if (!isId(id)) return notFoundPage()
  const { headers, body } = await openAttachment(
    site.database,
    site.storage,
    context.company.id,
    id,
    visit.req.method === 'HEAD' ? 'headers' : 'file',
  )
  return new Response(body, { headers })
}
