import { newPageRouter, type PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { saveListing, savePolicy } from './apps/app_policy.ts'
import { saveAssistantSettings, showAssistantSettings } from './assistant.ts'
import { makeCalendar, showCalendar } from './calendar.ts'
import { answerRequest } from './apps/app_requests.ts'
import { saveApp, showApp, showApps } from './apps/apps.ts'
import { endOutsideConnections } from './apps/apps_outside.ts'
import { makeChecklist, saveChecklist, showChecklist, showChecklists } from './company/checklists.ts'
import { endClient, makeClient, showClients } from './apps/clients.ts'
import { BOOKS_CALLBACK } from '../../books/books.ts'
import { saveBooks, showBooks } from './books/books.ts'
import { forwardBooksCallback, handleBooksCallback } from './books/connect.ts'
import { saveCompany, showCompany } from './company/company.ts'
import { saveOnlineBooking, showOnlineBooking } from './company/online_booking.ts'
import { saveHours, showHours } from './company/hours.ts'
import { savePayments } from './company/payments.ts'
import { saveNotices, showMessages } from './messages/messages.ts'
import { changeMessage, showMessage } from './messages/template_page.ts'
import { showReminderLog } from './messages/reminder_log.ts'
import { changeReminders, showReminders } from './messages/reminders.ts'
import { deleteLogo, saveLogo, showLogo } from './company/logo.ts'
import { saveKey, showKey } from './apps/key.ts'
import { makeKey, showKeys } from './apps/keys.ts'
import { saveApprovalRules } from './people/approval_rules.ts'
import { endMemberSessions, makeMemberLink, saveMember, showMember } from './people/member.ts'
import { changeInvitation, inviteMember, showMembers } from './people/members.ts'
import { showSecurityLog } from './people/security_log.ts'
import { unlinkAccount } from './people/company_accounts.ts'
import { unlinkOwnIdentity } from './linked_accounts.ts'
import { endSignIns, showSignIns, signInsPage } from './sign_ins.ts'
import { saveProvider, showProvider, tryProvider } from './people/own_provider.ts'
import { saveInboundAddress, showInboundAddresses } from './company/inbound_addresses.ts'
import { removeNotifications, showNotifications } from './notifications.ts'
import { saveLaborRate, showLaborRates } from './people/labor_rates.ts'
import { resetFactorsOfMember, saveRule } from './people/second_factor.ts'
import { saveTax } from './company/tax_part.ts'
import { changeAddress, savePassword, saveProfile, showYou } from './you.ts'

const SETTINGS = '/:tenant{[0-9a-f-]{36}}/settings'

/** Returns the settings pages: the company's for owners, personal ones for every member. */
export const settingsRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .route('/', ownRoutes(site))
    .route('/', companyRoutes(site))
    .route('/', peopleRoutes(site))
    .route('/', appRoutes(site))
    .route('/', booksRoutes(site))

/** Returns the personal pages. */
const ownRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [SETTINGS]: { get: showYou },
    [`${SETTINGS}/you`]: { post: saveProfile },
    [`${SETTINGS}/password`]: { post: savePassword },
    [`${SETTINGS}/address`]: { post: changeAddress },
    [`${SETTINGS}/sign-ins`]: { get: showSignIns, post: endSignIns },
    [`${SETTINGS}/notifications`]: { get: showNotifications, post: removeNotifications },
    [`${SETTINGS}/assistant`]: { get: showAssistantSettings, post: saveAssistantSettings },
    [`${SETTINGS}/calendar`]: { get: showCalendar, post: makeCalendar },
    [`${SETTINGS}/linked`]: {
      post: (site, request) =>
        unlinkOwnIdentity(site, request, (context, refusal) => signInsPage(site, context, refusal)),
    },
  })

/** Returns the pages for the company's details, work and messages. */
const companyRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [`${SETTINGS}/company`]: { get: showCompany, post: saveCompany },
    [`${SETTINGS}/company/tax`]: { post: saveTax },
    [`${SETTINGS}/company/payments`]: { post: savePayments },
    [`${SETTINGS}/booking`]: { get: showOnlineBooking, post: saveOnlineBooking },
    [`${SETTINGS}/checklists`]: { get: showChecklists, post: makeChecklist },
    [`${SETTINGS}/checklists/:id{[0-9a-f-]{36}}`]: { get: showChecklist, post: saveChecklist },
    [`${SETTINGS}/messages`]: { get: showMessages, post: saveNotices },
    [`${SETTINGS}/messages/:kind{[a-z_]{1,40}}`]: { get: showMessage, post: changeMessage },
    [`${SETTINGS}/reminders`]: { get: showReminders, post: changeReminders },
    [`${SETTINGS}/reminders/log`]: { get: showReminderLog },
    [`${SETTINGS}/company/logo`]: { post: saveLogo },
    [`${SETTINGS}/company/logo/remove`]: { post: deleteLogo },
    '/:tenant{[0-9a-f-]{36}}/logo/:id{[0-9a-f-]{36}}': { get: showLogo },
    [`${SETTINGS}/hours`]: { get: showHours, post: saveHours },
    [`${SETTINGS}/hours/:id{[0-9a-f-]{36}}`]: { get: showHours, post: saveHours },
    [`${SETTINGS}/places`]: { get: showInboundAddresses, post: saveInboundAddress },
  })

/** Returns the page of the accounting program, and its OAuth callback. */
const booksRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [BOOKS_CALLBACK]: { get: (_, request) => forwardBooksCallback(request) },
    [`${SETTINGS}/books`]: { get: showBooks, post: saveBooks },
    [`${SETTINGS}/books/callback`]: { get: handleBooksCallback },
  })

/** Returns the pages for members and their sign-in. */
const peopleRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [`${SETTINGS}/log`]: { get: showSecurityLog },
    [`${SETTINGS}/rates`]: { get: showLaborRates, post: saveLaborRate },
    [`${SETTINGS}/members`]: { get: showMembers, post: inviteMember },
    [`${SETTINGS}/members/:id`]: { get: showMember, post: saveMember },
    [`${SETTINGS}/members/:id/link`]: { post: makeMemberLink },
    [`${SETTINGS}/members/:id{[0-9a-f-]{36}}/sign-out`]: { post: endMemberSessions },
    [`${SETTINGS}/members/:id{[0-9a-f-]{36}}/reset-factors`]: { post: resetFactorsOfMember },
    [`${SETTINGS}/members/:id{[0-9a-f-]{36}}/unlink`]: { post: unlinkAccount },
    [`${SETTINGS}/provider`]: { get: showProvider, post: saveProvider },
    [`${SETTINGS}/provider/try`]: { post: tryProvider },
    [`${SETTINGS}/second-factor`]: { post: saveRule },
    [`${SETTINGS}/invitations/:id{[0-9a-f-]{36}}`]: { post: changeInvitation },
  })

const appRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [`${SETTINGS}/keys`]: { get: showKeys, post: makeKey },
    [`${SETTINGS}/keys/:id`]: { get: showKey, post: saveKey },
    [`${SETTINGS}/removals`]: { post: saveApprovalRules },
    [`${SETTINGS}/apps`]: { get: showApps },
    [`${SETTINGS}/apps/policy`]: { post: savePolicy },
    [`${SETTINGS}/apps/outside`]: { post: endOutsideConnections },
    [`${SETTINGS}/apps/listed`]: { post: saveListing },
    [`${SETTINGS}/apps/requests`]: { post: answerRequest },
    [`${SETTINGS}/app`]: { get: showApp, post: saveApp },
    [`${SETTINGS}/clients`]: { get: showClients, post: makeClient },
    [`${SETTINGS}/clients/:id`]: { post: endClient },
  })
