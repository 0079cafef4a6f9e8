import { wrongMethod } from '../../../platform/html/message.ts'
import { newPages, type Pages, type Visit } from '../../../platform/http/visit.ts'
import { openAttachment } from '../../../files/download.ts'
import { isId } from '../../../platform/validation/id.ts'
import { requireMemberContext } from '../../member_context.ts'
import { notHere } from '../../not_here.ts'
import type { Site } from '../../site.ts'
import { actOn, assign } from './acts.ts'
import { link, showLinking } from './linking.ts'
import { showConversations } from './list.ts'
import { showText } from './message_text.ts'
import { showPerson } from './person.ts'
import { read, requireSight } from './reading.ts'
import { chooseRecipient, sendReply } from './sending.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'

/** Returns the pages of what is written with customers and others, and the files that came with it. */
export const messageRoutes = (site: Site): Pages =>
  newPages()
    .get(`${TENANT}/messages`, (visit) => showConversations(site, visit))
    .all(wrongMethod('GET, HEAD'))
    .get(`${TENANT}/messages/new`, (visit) => chooseRecipient(site, visit))
    .all(wrongMethod('GET, HEAD'))
    .get(`${TENANT}/messages/with/:customer{[0-9a-f-]{36}}`, (visit) => showPerson(site, visit))
    .all(wrongMethod('GET, HEAD'))
    .post(`${TENANT}/messages/with/:customer{[0-9a-f-]{36}}/send`, (visit) => sendReply(site, visit))
    .all(wrongMethod('POST'))
    .post(`${TENANT}/messages/read`, (visit) => read(site, visit))
    .all(wrongMethod('POST'))
    .get(`${TENANT}/messages/:conversation{[0-9a-f-]{36}}/link`, (visit) => showLinking(site, visit))
    .post((visit) => link(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get(`${TENANT}/messages/:message{[0-9a-f-]{36}}/text`, (visit) => showText(site, visit))
    .all(wrongMethod('GET, HEAD'))
    .get(`${TENANT}/messages/:correspondent{[0-9a-f-]{36}}`, (visit) => showPerson(site, visit))
    .all(wrongMethod('GET, HEAD'))
    .post(`${TENANT}/messages/:correspondent{[0-9a-f-]{36}}/send`, (visit) => sendReply(site, visit))
    .all(wrongMethod('POST'))
    .post(`${TENANT}/messages/:correspondent{[0-9a-f-]{36}}/assign`, (visit) => assign(site, visit))
    .all(wrongMethod('POST'))
    .post(`${TENANT}/messages/:correspondent{[0-9a-f-]{36}}/:act{archive|unarchive|block|unblock}`, (visit) =>
      actOn(site, visit),
    )
    .all(wrongMethod('POST'))
    .get(`${TENANT}/attachments/:id{[0-9a-f-]{36}}`, (visit) => download(site, visit))
    .all(wrongMethod('GET, HEAD'))

/** Sends the file as it came, to be saved and never shown in place. */
async function download(site: Site, visit: Visit): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  requireSight(context)
  const id = visit.req.param('id')!
  if (!isId(id)) return notHere()
  const { headers, body } = await openAttachment(
    site.database,
    site.storage,
    context.company.id,
    id,
    visit.req.method === 'HEAD' ? 'headers' : 'file',
  )
  return new Response(body, { headers })
}
