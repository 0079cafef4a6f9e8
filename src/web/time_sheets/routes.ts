import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { saveEntry, showEntry } from './correcting.ts'
import { sendTimeSheet } from './csv_export.ts'
import { showTimeSheet } from './page.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'

/** Returns the pages of time: a week of it, as a file too, and the correction of an entry. */
export const timeSheetRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(`${TENANT}/time`, (visit) => showTimeSheet(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${TENANT}/time.csv`, (visit) => sendTimeSheet(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${TENANT}/time/:entry{[0-9a-f-]{36}}`, (visit) => showEntry(site, visit))
    .post((visit) => saveEntry(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
