import { screens } from '../../records/screens.ts'
import { wrongMethod } from '../../platform/html/message.ts'
import { newPages, type Pages } from '../../platform/http/visit.ts'
import { showAlike } from './alike.ts'
import { actOnMany } from './list/bulk.ts'
import { create, showNew } from './creating.ts'
import { exportList } from './list/exporting.ts'
import { showEdit, update } from './editing.ts'
import { showList } from './list/lists.ts'
import { act, showRecord } from './record.ts'
import { editView, saveView } from './list/saved_views.ts'
import type { Site } from '../site.ts'
import { suggestItems } from './suggesting.ts'
import { undo } from './undoing.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'
const RECORD = '/:id{[0-9a-f-]{36}}'

/** Returns the pages of every entity: its list, the form for a new one, a record, its form, and its actions. */
export function recordRoutes(site: Site): Pages {
  const pages = newPages()
    .get(`${TENANT}/catalog_items/suggest`, (visit) => suggestItems(site, visit))
    .all(wrongMethod('GET, HEAD'))
  for (const screen of screens) {
    const list = `${TENANT}/${screen.entity.name}`
    const record = `${list}${RECORD}`
    pages
      .get(list, (visit) => showList(site, visit, screen))
      .all(list, wrongMethod('GET, HEAD'))
      .get(`${list}.csv`, (visit) => exportList(site, visit, screen))
      .all(wrongMethod('GET, HEAD'))
      .post(`${list}/views`, (visit) => saveView(site, visit, screen))
      .all(wrongMethod('POST'))
      .post(`${list}/views/:view{[0-9a-f-]{36}}`, (visit) => editView(site, visit, screen))
      .all(wrongMethod('POST'))
      .post(`${list}/bulk`, (visit) => actOnMany(site, visit, screen))
      .all(wrongMethod('POST'))
      .get(`${list}/new`, (visit) => showNew(site, visit, screen))
      .post((visit) => create(site, visit, screen))
      .all(wrongMethod('GET, HEAD, POST'))
    if (screen.alike !== undefined)
      pages.get(`${list}/alike`, (visit) => showAlike(site, visit, screen)).all(wrongMethod('GET, HEAD'))
    pages
      .get(record, (visit) => showRecord(site, visit, screen))
      .all(wrongMethod('GET, HEAD'))
      .get(`${record}/edit`, (visit) => showEdit(site, visit, screen))
      .post((visit) => update(site, visit, screen))
      .all(wrongMethod('GET, HEAD, POST'))
      .post(`${record}/undo`, (visit) => undo(site, visit, screen))
      .all(wrongMethod('POST'))
      .get(`${record}/do/:action`, (visit) => act(site, visit, screen))
      .post((visit) => act(site, visit, screen))
      .all(wrongMethod('GET, HEAD, POST'))
  }
  return pages
}
