import { wrongMethod } from '../../../platform/html/message.ts'
import { newPages, type Pages } from '../../../platform/http/visit.ts'
import type { Site } from '../../site.ts'
import { saveExclusion } from './exclusion.ts'
import { sendLetter, showLetter } from './letters.ts'
import { headOut, showHeadingOut } from './on_my_way.ts'
import { remindMany, showReminding } from './remind_many.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'
const RECORD = `${TENANT}/:topic{invoices|quotes|jobs}/:id{[0-9a-f-]{36}}`

/** Returns the pages that send: a document or a visit to its customer, and the word that somebody is on the way. */
export const sendingRoutes = (site: Site): Pages =>
  newPages()
    .get(`${RECORD}/send`, (visit) => showLetter(site, visit))
    .post((visit) => sendLetter(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get(`${TENANT}/jobs/:id{[0-9a-f-]{36}}/on-my-way`, (visit) => showHeadingOut(site, visit))
    .post((visit) => headOut(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get(`${TENANT}/invoices/remind`, (visit) => showReminding(site, visit))
    .post((visit) => remindMany(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .post(`${TENANT}/customers/:id{[0-9a-f-]{36}}/reminders`, (visit) => saveExclusion(site, visit))
    .all(wrongMethod('POST'))
