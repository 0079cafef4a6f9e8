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
const HERE = `${COMPANY}/setup`

/** Returns the pages of starting a company and of its setup steps. */
export const setupRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get('/start', (visit) => showStart(site, visit))
    .post((visit) => saveStart(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${COMPANY}/demo`, (visit) => showDemo(site, visit))
    .post((visit) => saveDemo(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(HERE, (visit) => showSetup(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .post(`${HERE}/profile`, (visit) => saveProfile(site, visit))
    .post(`${HERE}/hours`, (visit) => saveSetupHours(site, visit))
    .post(`${HERE}/services`, (visit) => saveServices(site, visit))
    .post(`${HERE}/tax`, (visit) => saveTaxRate(site, visit))
    .get(`${HERE}/:step`, (visit) => showStep(site, visit))
    .all(`${HERE}/:step`, methodNotAllowed('GET, HEAD'))
