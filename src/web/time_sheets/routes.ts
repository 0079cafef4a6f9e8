import type { PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { saveEntry, showEntry } from './correcting.ts'
import { sendTimeSheet } from './csv_export.ts'
import { showTimeSheet } from './page.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'

/** Returns the time sheet pages: a week, its CSV file, and the correction of an entry. */
export const timeSheetRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [`${TENANT}/time`]: { get: showTimeSheet },
    [`${TENANT}/time.csv`]: { get: sendTimeSheet },
    [`${TENANT}/time/:entry{[0-9a-f-]{36}}`]: { get: showEntry, post: saveEntry },
  })
