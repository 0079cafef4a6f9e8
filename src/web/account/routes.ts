import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { showEndedAccess } from './ended_access.ts'
import { requestResetLink, showForgotPassword } from './forgot_password.ts'
import { saveNewPassword, showNewPassword } from './new_password.ts'
import { dismissAccountNotice, sendVerificationLink, showNotices } from './notices.ts'
import { saveOwnName } from './own_name.ts'
import { verifyEmail, showEmailVerification } from './verify_email.ts'

/** Returns the pages of an account that belong to no company: what mailed links open, and what its person is told. */
export const accountRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get('/forgot-password', (visit) => showForgotPassword(site, visit))
    .post((visit) => requestResetLink(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get('/new-password', (visit) => showNewPassword(site, visit))
    .post((visit) => saveNewPassword(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get('/prove', (visit) => showEmailVerification(site, visit))
    .post((visit) => verifyEmail(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get('/account/before', (visit) => showEndedAccess(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .post('/account/name', (visit) => saveOwnName(site, visit))
    .all(methodNotAllowed('POST'))
    .post('/account/proof', (visit) => sendVerificationLink(site, visit))
    .all(methodNotAllowed('POST'))
    .get('/account/notices', (visit) => showNotices(site, visit))
    .post((visit) => dismissAccountNotice(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
