import { screens } from '../../records/screens.ts'
import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter } from '../../platform/http/page_request.ts'
import { showDuplicates } from './duplicates.ts'
import { actOnMany, showBulk } from './list/bulk.ts'
import { createRecord, showNew } from './creating.ts'
import { exportList } from './list/exporting.ts'
import { showEdit, updateRecord } from './editing.ts'
import { showList } from './list/lists.ts'
import { runAction, showRecord } from './record.ts'
import { editView, saveView } from './list/saved_views.ts'
import type { Site } from '../site.ts'
import { suggestItems } from './suggesting.ts'
import { undoChange } from './undoing.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'
const RECORD = '/:id{[0-9a-f-]{36}}'

/** Returns the pages of every entity: its list, the form for a new one, a record, its form, and its actions. */
export function recordRoutes(site: Site): PageRouter {
  const pages = newPageRouter()
    .get(`${TENANT}/catalog_items/suggest`, (visit) => suggestItems(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
  for (const screen of screens) {
    const list = `${TENANT}/${screen.entity.name}`
    const record = `${list}${RECORD}`
    pages
      .get(list, (visit) => showList(site, visit, screen))
      .all(list, methodNotAllowed('GET, HEAD'))
      .get(`${list}.csv`, (visit) => exportList(site, visit, screen))
      .all(methodNotAllowed('GET, HEAD'))
      .post(`${list}/views`, (visit) => saveView(site, visit, screen))
      .all(methodNotAllowed('POST'))
      .post(`${list}/views/:view{[0-9a-f-]{36}}`, (visit) => editView(site, visit, screen))
      .all(methodNotAllowed('POST'))
      .post(`${list}/bulk`, (visit) => actOnMany(site, visit, screen))
      .all(methodNotAllowed('POST'))
      .get(`${list}/bulk/:run{[0-9a-f-]{36}}`, (visit) => showBulk(site, visit, screen))
      .all(methodNotAllowed('GET, HEAD'))
      .get(`${list}/new`, (visit) => showNew(site, visit, screen))
      .post((visit) => createRecord(site, visit, screen))
      .all(methodNotAllowed('GET, HEAD, POST'))
    if (screen.duplicateCheck !== undefined)
      pages.get(`${list}/alike`, (visit) => showDuplicates(site, visit, screen)).all(methodNotAllowed('GET, HEAD'))
    pages
      .get(record, (visit) => showRecord(site, visit, screen))
      .all(methodNotAllowed('GET, HEAD'))
      .get(`${record}/edit`, (visit) => showEdit(site, visit, screen))
      .post((visit) => updateRecord(site, visit, screen))
      .all(methodNotAllowed('GET, HEAD, POST'))
      .post(`${record}/undo`, (visit) => undoChange(site, visit, screen))
      .all(methodNotAllowed('POST'))
      .get(`${record}/do/:action`, (visit) => runAction(site, visit, screen))
      .post((visit) => runAction(site, visit, screen))
      .all(methodNotAllowed('GET, HEAD, POST'))
  }
  return pages
}
