import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { showActivity } from './activity_page.ts'
import { undoChanges, showUndo } from './undo_page.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}'

/** Returns the pages of what assistants did, and of undoing it. */
export const activityRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(`${HERE}/activity`, (visit) => showActivity(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${HERE}/undo`, (visit) => showUndo(site, visit))
    .post((visit) => undoChanges(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
