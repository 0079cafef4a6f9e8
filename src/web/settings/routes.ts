import { newPageRouter, type PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { saveListing, savePolicy } from './apps/app_policy.ts'
import { saveAssistantSettings, showAssistantSettings } from './assistant.ts'
import { makeCalendar, showCalendar } from './calendar.ts'
import { answerRequest } from './apps/app_requests.ts'
import { saveApp, showApp, showApps } from './apps/apps.ts'
import { endOutside } from './apps/apps_outside.ts'
import { makeChecklist, saveChecklist, showChecklist, showChecklists } from './company/checklists.ts'
import { endClient, makeClient, showClients } from './apps/clients.ts'
import { BOOKS_CALLBACK } from '../../books/books.ts'
import { saveBooks, showBooks } from './books/books.ts'
import { passCallback, returnFromBooks } from './books/connect.ts'
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

const HERE = '/:tenant{[0-9a-f-]{36}}/settings'

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
    [HERE]: { get: showYou },
    [`${HERE}/you`]: { post: saveProfile },
    [`${HERE}/password`]: { post: savePassword },
    [`${HERE}/address`]: { post: changeAddress },
    [`${HERE}/sign-ins`]: { get: showSignIns, post: endSignIns },
    [`${HERE}/notifications`]: { get: showNotifications, post: removeNotifications },
    [`${HERE}/assistant`]: { get: showAssistantSettings, post: saveAssistantSettings },
    [`${HERE}/calendar`]: { get: showCalendar, post: makeCalendar },
    [`${HERE}/linked`]: {
      post: (site, visit) => unlinkOwnIdentity(site, visit, (context, refusal) => signInsPage(site, context, refusal)),
    },
  })

/** Returns the pages for the company's details, work and messages. */
const companyRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [`${HERE}/company`]: { get: showCompany, post: saveCompany },
    [`${HERE}/company/tax`]: { post: saveTax },
    [`${HERE}/company/payments`]: { post: savePayments },
    [`${HERE}/booking`]: { get: showOnlineBooking, post: saveOnlineBooking },
    [`${HERE}/checklists`]: { get: showChecklists, post: makeChecklist },
    [`${HERE}/checklists/:id{[0-9a-f-]{36}}`]: { get: showChecklist, post: saveChecklist },
    [`${HERE}/messages`]: { get: showMessages, post: saveNotices },
    [`${HERE}/messages/:kind{[a-z_]{1,40}}`]: { get: showMessage, post: changeMessage },
    [`${HERE}/reminders`]: { get: showReminders, post: changeReminders },
    [`${HERE}/reminders/log`]: { get: showReminderLog },
    [`${HERE}/company/logo`]: { post: saveLogo },
    [`${HERE}/company/logo/remove`]: { post: deleteLogo },
    '/:tenant{[0-9a-f-]{36}}/logo/:id{[0-9a-f-]{36}}': { get: showLogo },
    [`${HERE}/hours`]: { get: showHours, post: saveHours },
    [`${HERE}/hours/:id{[0-9a-f-]{36}}`]: { get: showHours, post: saveHours },
    [`${HERE}/places`]: { get: showInboundAddresses, post: saveInboundAddress },
  })

/** Returns the page of the accounting program, and its OAuth callback. */
const booksRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [BOOKS_CALLBACK]: { get: (_, visit) => passCallback(visit) },
    [`${HERE}/books`]: { get: showBooks, post: saveBooks },
    [`${HERE}/books/callback`]: { get: returnFromBooks },
  })

/** Returns the pages for members and their sign-in. */
const peopleRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [`${HERE}/log`]: { get: showSecurityLog },
    [`${HERE}/rates`]: { get: showLaborRates, post: saveLaborRate },
    [`${HERE}/members`]: { get: showMembers, post: inviteMember },
    [`${HERE}/members/:id`]: { get: showMember, post: saveMember },
    [`${HERE}/members/:id/link`]: { post: makeMemberLink },
    [`${HERE}/members/:id{[0-9a-f-]{36}}/sign-out`]: { post: endMemberSessions },
    [`${HERE}/members/:id{[0-9a-f-]{36}}/reset-factors`]: { post: resetFactorsOfMember },
    [`${HERE}/members/:id{[0-9a-f-]{36}}/unlink`]: { post: unlinkAccount },
    [`${HERE}/provider`]: { get: showProvider, post: saveProvider },
    [`${HERE}/provider/try`]: { post: tryProvider },
    [`${HERE}/second-factor`]: { post: saveRule },
    [`${HERE}/invitations/:id{[0-9a-f-]{36}}`]: { post: changeInvitation },
  })

const appRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [`${HERE}/keys`]: { get: showKeys, post: makeKey },
    [`${HERE}/keys/:id`]: { get: showKey, post: saveKey },
    [`${HERE}/removals`]: { post: saveApprovalRules },
    [`${HERE}/apps`]: { get: showApps },
    [`${HERE}/apps/policy`]: { post: savePolicy },
    [`${HERE}/apps/outside`]: { post: endOutside },
    [`${HERE}/apps/listed`]: { post: saveListing },
    [`${HERE}/apps/requests`]: { post: answerRequest },
    [`${HERE}/app`]: { get: showApp, post: saveApp },
    [`${HERE}/clients`]: { get: showClients, post: makeClient },
    [`${HERE}/clients/:id`]: { post: endClient },
  })
