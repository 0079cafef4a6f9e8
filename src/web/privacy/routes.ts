import type { PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { eraseCustomerData, sendCustomerData, showCustomerData } from './customer.ts'
import { requestArchive, sendData, showData } from './data_page.ts'
import { openArchiveSender } from './archive_download.ts'
import { eraseMemberData, sendMemberData, sendOwnData, showMemberData } from './member.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'
const CUSTOMER = `${TENANT}/customers/:id{[0-9a-f-]{36}}/data`
const SETTINGS = `${TENANT}/settings`
const MEMBER = `${SETTINGS}/members/:id{[0-9a-f-]{36}}/data`

/** Returns the pages of data export and erasure, for people and companies. */
export function privacyRoutes(site: Site): PageRouter {
  const sendArchive = openArchiveSender(site)
  return pageRoutes(site, {
    [CUSTOMER]: { get: showCustomerData, post: (site, request) => sendCustomerData(site, request, sendArchive) },
    [`${CUSTOMER}/erase`]: { post: eraseCustomerData },
    [MEMBER]: { get: showMemberData, post: (site, request) => sendMemberData(site, request, sendArchive) },
    [`${MEMBER}/erase`]: { post: eraseMemberData },
    [`${SETTINGS}/you/data`]: { post: (site, request) => sendOwnData(site, request, sendArchive) },
    [`${SETTINGS}/data`]: { get: showData, post: requestArchive },
    [`${SETTINGS}/data/:id{[0-9a-f-]{36}}`]: { get: sendData },
  })
}
