import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { askAssistant } from './ask.ts'
import { decideInConversation } from './decide.ts'
import { removeConversation, showAssistant, showConversation, showPanel } from './pages.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/assistant'
const CONVERSATION = `${HERE}/:id{[0-9a-f-]{36}}`

/** Returns the pages of conversations with the assistant. */
export const assistantRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(HERE, (visit) => showAssistant(site, visit))
    .post((visit) => askAssistant(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/panel`, (visit) => showPanel(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(CONVERSATION, (visit) => showConversation(site, visit))
    .post((visit) => askAssistant(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .post(`${CONVERSATION}/delete`, (visit) => removeConversation(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${CONVERSATION}/plans/:proposal{[0-9a-f-]{36}}`, (visit) => decideInConversation(site, visit))
    .all(methodNotAllowed('POST'))
