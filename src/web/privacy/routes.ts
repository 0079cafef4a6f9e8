import type { PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { eraseTheCustomer, sendCustomerData, showCustomerData } from './customer.ts'
import { requestArchive, sendData, showData } from './data_page.ts'
import { openArchiveSender } from './archive_download.ts'
import { eraseTheMember, sendMemberData, sendOwnData, showMemberData } from './member.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'
const CUSTOMER = `${TENANT}/customers/:id{[0-9a-f-]{36}}/data`
const SETTINGS = `${TENANT}/settings`
const MEMBER = `${SETTINGS}/members/:id{[0-9a-f-]{36}}/data`

/** Returns the pages of data export and erasure, for people and companies. */
export function privacyRoutes(site: Site): PageRouter {
  const handOver = openArchiveSender(site)
  return pageRoutes(site, {
    [CUSTOMER]: { get: showCustomerData, post: (site, visit) => sendCustomerData(site, visit, handOver) },
    [`${CUSTOMER}/erase`]: { post: eraseTheCustomer },
    [MEMBER]: { get: showMemberData, post: (site, visit) => sendMemberData(site, visit, handOver) },
    [`${MEMBER}/erase`]: { post: eraseTheMember },
    [`${SETTINGS}/you/data`]: { post: (site, visit) => sendOwnData(site, visit, handOver) },
    [`${SETTINGS}/data`]: { get: showData, post: requestArchive },
    [`${SETTINGS}/data/:id{[0-9a-f-]{36}}`]: { get: sendData },
  })
}
