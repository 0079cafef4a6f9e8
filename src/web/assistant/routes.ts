import type { PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { askAssistant } from './ask.ts'
import { decideInConversation } from './decide.ts'
import { removeConversation, showAssistant, showConversation, showPanel } from './pages.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/assistant'
const CONVERSATION = `${HERE}/:id{[0-9a-f-]{36}}`

/** Returns the pages of conversations with the assistant. */
export const assistantRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [HERE]: { get: showAssistant, post: askAssistant },
    [`${HERE}/panel`]: { get: showPanel },
    [CONVERSATION]: { get: showConversation, post: askAssistant },
    [`${CONVERSATION}/delete`]: { post: removeConversation },
    [`${CONVERSATION}/plans/:proposal{[0-9a-f-]{36}}`]: { post: decideInConversation },
  })
