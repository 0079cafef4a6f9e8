import type { PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { showEndedAccess } from './ended_access.ts'
import { requestResetLink, showForgotPassword } from './forgot_password.ts'
import { saveNewPassword, showNewPassword } from './new_password.ts'
import { dismissAccountNotice, sendVerificationLink, showNotices } from './notices.ts'
import { saveOwnName } from './own_name.ts'
import { verifyEmail, showEmailVerification } from './verify_email.ts'

/** Returns the account pages outside any company: targets of mailed links, and notices. */
export const accountRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    '/forgot-password': { get: showForgotPassword, post: requestResetLink },
    '/new-password': { get: showNewPassword, post: saveNewPassword },
    '/prove': { get: showEmailVerification, post: verifyEmail },
    '/account/before': { get: showEndedAccess },
    '/account/name': { post: saveOwnName },
    '/account/proof': { post: sendVerificationLink },
    '/account/notices': { get: showNotices, post: dismissAccountNotice },
  })
