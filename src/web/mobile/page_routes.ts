import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { showManifest } from './manifest.ts'
import { showPhonePage, showShell } from './page.ts'
import { startField } from './start.ts'
import { showWorker } from './worker.ts'

const COMPANY = '/field/:tenant{[0-9a-f-]{36}}'

/** Returns the page of a technician's phone and what installs it (docs/spec/field.md#the-page). */
export const fieldPageRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get('/field', (visit) => startField(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get('/field/', (visit) => startField(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get('/field/shell', showShell)
    .all(methodNotAllowed('GET, HEAD'))
    .get('/field/worker.js', showWorker)
    .all(methodNotAllowed('GET, HEAD'))
    .get('/field/manifest.webmanifest', showManifest)
    .all(methodNotAllowed('GET, HEAD'))
    .get(COMPANY, (visit) => startField(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${COMPANY}/`, (visit) => showPhonePage(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
