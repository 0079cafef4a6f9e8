import { methodNotAllowed } from '../../../platform/html/message.ts'
import { newPageRouter, type PageRouter } from '../../../platform/http/page_request.ts'
import type { Site } from '../../site.ts'
import { saveExclusion } from './exclusion.ts'
import { sendLetter, showLetter } from './letters.ts'
import { sendOnMyWay, showOnMyWay } from './on_my_way.ts'
import { remindMany, showReminding, showRemindingRun } from './remind_many.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'
const RECORD = `${TENANT}/:topic{invoices|quotes|jobs}/:id{[0-9a-f-]{36}}`

/** Returns the pages that send: a document or a visit to its customer, and the word that somebody is on the way. */
export const sendingRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(`${RECORD}/send`, (visit) => showLetter(site, visit))
    .post((visit) => sendLetter(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${TENANT}/jobs/:id{[0-9a-f-]{36}}/on-my-way`, (visit) => showOnMyWay(site, visit))
    .post((visit) => sendOnMyWay(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${TENANT}/invoices/remind`, (visit) => showReminding(site, visit))
    .post((visit) => remindMany(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${TENANT}/invoices/remind/:run{[0-9a-f-]{36}}`, (visit) => showRemindingRun(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .post(`${TENANT}/customers/:id{[0-9a-f-]{36}}/reminders`, (visit) => saveExclusion(site, visit))
    .all(methodNotAllowed('POST'))
