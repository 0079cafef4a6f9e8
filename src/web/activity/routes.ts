import type { PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { showActivity } from './activity_page.ts'
import { undoChanges, showUndo } from './undo_page.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}'

/** Returns the pages of assistants' activity and of undoing it. */
export const activityRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [`${HERE}/activity`]: { get: showActivity },
    [`${HERE}/undo`]: { get: showUndo, post: undoChanges },
  })
