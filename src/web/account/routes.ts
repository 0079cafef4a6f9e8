import { wrongMethod } from '../../platform/html/message.ts'
import { newPages, type Pages } from '../../platform/http/visit.ts'
import type { Site } from '../site.ts'
import { showBefore } from './before.ts'
import { askForLink, showForgotten } from './forgotten.ts'
import { saveNewPassword, showNewPassword } from './new_password.ts'
import { dismiss, sendProof, showNotices } from './notices.ts'
import { saveOwnName } from './own_name.ts'
import { pressProof, showProof } from './prove.ts'

/** Returns the pages of an account that belong to no company: what mailed links open, and what its person is told. */
export const accountRoutes = (site: Site): Pages =>
  newPages()
    .get('/forgot-password', (visit) => showForgotten(site, visit))
    .post((visit) => askForLink(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get('/new-password', (visit) => showNewPassword(site, visit))
    .post((visit) => saveNewPassword(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get('/prove', (visit) => showProof(site, visit))
    .post((visit) => pressProof(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get('/account/before', (visit) => showBefore(site, visit))
    .all(wrongMethod('GET, HEAD'))
    .post('/account/name', (visit) => saveOwnName(site, visit))
    .all(wrongMethod('POST'))
    .post('/account/proof', (visit) => sendProof(site, visit))
    .all(wrongMethod('POST'))
    .get('/account/notices', (visit) => showNotices(site, visit))
    .post((visit) => dismiss(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
