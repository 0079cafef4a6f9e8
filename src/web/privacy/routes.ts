import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { eraseTheCustomer, sendCustomerData, showCustomerData } from './customer.ts'
import { requestArchive, sendData, showData } from './data_page.ts'
import { openArchiveSender } from './archive_download.ts'
import { eraseTheMember, sendMemberData, sendOwnData, showMemberData } from './member.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'
const CUSTOMER = `${TENANT}/customers/:id{[0-9a-f-]{36}}/data`
const SETTINGS = `${TENANT}/settings`
const MEMBER = `${SETTINGS}/members/:id{[0-9a-f-]{36}}/data`

/** Returns the pages by which people and companies leave: what is known of somebody as a file, and their erasure. */
export function privacyRoutes(site: Site): PageRouter {
  const handOver = openArchiveSender(site)
  return newPageRouter()
    .get(CUSTOMER, (visit) => showCustomerData(site, visit))
    .post((visit) => sendCustomerData(site, visit, handOver))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .post(`${CUSTOMER}/erase`, (visit) => eraseTheCustomer(site, visit))
    .all(methodNotAllowed('POST'))
    .get(MEMBER, (visit) => showMemberData(site, visit))
    .post((visit) => sendMemberData(site, visit, handOver))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .post(`${MEMBER}/erase`, (visit) => eraseTheMember(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${SETTINGS}/you/data`, (visit) => sendOwnData(site, visit, handOver))
    .all(methodNotAllowed('POST'))
    .get(`${SETTINGS}/data`, (visit) => showData(site, visit))
    .post((visit) => requestArchive(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${SETTINGS}/data/:id{[0-9a-f-]{36}}`, (visit) => sendData(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
}
