import { wrongMethod } from '../../platform/html/message.ts'
import { newPages, type Pages } from '../../platform/http/visit.ts'
import type { Site } from '../site.ts'
import { showActivity } from './activity_page.ts'
import { doUndo, showUndo } from './undo_page.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}'

/** Returns the pages of what assistants did, and of undoing it. */
export const activityRoutes = (site: Site): Pages =>
  newPages()
    .get(`${HERE}/activity`, (visit) => showActivity(site, visit))
    .all(wrongMethod('GET, HEAD'))
    .get(`${HERE}/undo`, (visit) => showUndo(site, visit))
    .post((visit) => doUndo(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
