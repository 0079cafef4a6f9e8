import type { PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { showManifest } from './manifest.ts'
import { showPhonePage, showShell } from './page.ts'
import { startField } from './start.ts'
import { showWorker } from './worker.ts'

const COMPANY = '/field/:tenant{[0-9a-f-]{36}}'

/** Returns the technician's phone page and the files that install it (docs/spec/field.md#the-page). */
export const fieldPageRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    '/field': { get: startField },
    '/field/': { get: startField },
    '/field/shell': { get: (_, request) => showShell(request) },
    '/field/worker.js': { get: (_, request) => showWorker(request) },
    '/field/manifest.webmanifest': { get: (_, request) => showManifest(request) },
    [COMPANY]: { get: startField },
    [`${COMPANY}/`]: { get: showPhonePage },
  })
