import type { Screen } from '../../records/page/screen.ts'
import { screens } from '../../records/screens.ts'
import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { showDuplicates } from './duplicates.ts'
import { runBulkAction, showBulk } from './list/bulk.ts'
import { createRecord, showNew } from './creating.ts'
import { exportList } from './list/exporting.ts'
import { showEdit, updateRecord } from './editing.ts'
import { showList } from './list/lists.ts'
import { runAction, showRecord } from './record.ts'
import { editView, saveView } from './list/saved_views.ts'
import { pageRoutes, type PageHandler, type PageTable } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { suggestItems } from './suggesting.ts'
import { undoChange } from './undoing.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'
const RECORD = '/:id{[0-9a-f-]{36}}'

/** Returns the pages of every entity: its list, new form, record, edit form, and actions. */
export const recordRoutes = (site: Site): PageRouter =>
  pageRoutes(
    site,
    Object.assign({ [`${TENANT}/catalog_items/suggest`]: { get: suggestItems } }, ...screens.map(pagesOf)),
  )

function pagesOf(screen: Screen): PageTable {
  const list = `${TENANT}/${screen.entity.name}`
  const record = `${list}${RECORD}`
  const on =
    (handle: (site: Site, request: PageRequest, screen: Screen) => Promise<Response>): PageHandler =>
    (site, request) =>
      handle(site, request, screen)
  return {
    [list]: { get: on(showList) },
    [`${list}.csv`]: { get: on(exportList) },
    [`${list}/views`]: { post: on(saveView) },
    [`${list}/views/:view{[0-9a-f-]{36}}`]: { post: on(editView) },
    [`${list}/bulk`]: { post: on(runBulkAction) },
    [`${list}/bulk/:run{[0-9a-f-]{36}}`]: { get: on(showBulk) },
    [`${list}/new`]: { get: on(showNew), post: on(createRecord) },
    ...(screen.duplicateCheck && { [`${list}/alike`]: { get: on(showDuplicates) } }),
    [record]: { get: on(showRecord) },
    [`${record}/edit`]: { get: on(showEdit), post: on(updateRecord) },
    [`${record}/undo`]: { post: on(undoChange) },
    [`${record}/do/:action`]: { get: on(runAction), post: on(runAction) },
  }
}
