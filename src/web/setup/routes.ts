import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { saveDemo, showDemo } from './demo.ts'
import { showSetup, showStep } from './guide.ts'
import { saveSetupHours } from './hours.ts'
import { saveProfile } from './profile.ts'
import { saveServices } from './price_list.ts'
import { saveStart, showStart } from './sign_up.ts'
import { saveTaxRate } from './tax.ts'

const COMPANY = '/:tenant{[0-9a-f-]{36}}'
const BASE_PATH = `${COMPANY}/setup`

/** Returns the pages of starting a company and of its setup steps. */
export const setupRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get('/start', (request) => showStart(site, request))
    .post((request) => saveStart(site, request))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${COMPANY}/demo`, (request) => showDemo(site, request))
    .post((request) => saveDemo(site, request))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(BASE_PATH, (request) => showSetup(site, request))
    .all(methodNotAllowed('GET, HEAD'))
    .post(`${BASE_PATH}/profile`, (request) => saveProfile(site, request))
    .post(`${BASE_PATH}/hours`, (request) => saveSetupHours(site, request))
    .post(`${BASE_PATH}/services`, (request) => saveServices(site, request))
    .post(`${BASE_PATH}/tax`, (request) => saveTaxRate(site, request))
    .get(`${BASE_PATH}/:step`, (request) => showStep(site, request))
    .all(`${BASE_PATH}/:step`, methodNotAllowed('GET, HEAD'))
