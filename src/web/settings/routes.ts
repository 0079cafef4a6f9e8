import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter } from '../../platform/http/page_request.ts'
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

/** Returns the pages of the settings: of a company for its owners, of oneself for everybody. */
export const settingsRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .route('/', ownRoutes(site))
    .route('/', companyRoutes(site))
    .route('/', peopleRoutes(site))
    .route('/', appRoutes(site))
    .route('/', booksRoutes(site))

/** Returns the pages of oneself. */
const ownRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(HERE, (visit) => showYou(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .post(`${HERE}/you`, (visit) => saveProfile(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${HERE}/password`, (visit) => savePassword(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${HERE}/address`, (visit) => changeAddress(site, visit))
    .all(methodNotAllowed('POST'))
    .get(`${HERE}/sign-ins`, (visit) => showSignIns(site, visit))
    .post((visit) => endSignIns(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/notifications`, (visit) => showNotifications(site, visit))
    .post((visit) => removeNotifications(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/assistant`, (visit) => showAssistantSettings(site, visit))
    .post((visit) => saveAssistantSettings(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/calendar`, (visit) => showCalendar(site, visit))
    .post((visit) => makeCalendar(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .post(`${HERE}/linked`, (visit) =>
      unlinkOwnIdentity(site, visit, (context, refusal) => signInsPage(site, context, refusal)),
    )
    .all(methodNotAllowed('POST'))

/** Returns the pages of the company's details, work and messages. */
const companyRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(`${HERE}/company`, (visit) => showCompany(site, visit))
    .post((visit) => saveCompany(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .post(`${HERE}/company/tax`, (visit) => saveTax(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${HERE}/company/payments`, (visit) => savePayments(site, visit))
    .all(methodNotAllowed('POST'))
    .get(`${HERE}/booking`, (visit) => showOnlineBooking(site, visit))
    .post((visit) => saveOnlineBooking(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/checklists`, (visit) => showChecklists(site, visit))
    .post((visit) => makeChecklist(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/checklists/:id{[0-9a-f-]{36}}`, (visit) => showChecklist(site, visit))
    .post((visit) => saveChecklist(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/messages`, (visit) => showMessages(site, visit))
    .post((visit) => saveNotices(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/messages/:kind{[a-z_]{1,40}}`, (visit) => showMessage(site, visit))
    .post((visit) => changeMessage(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/reminders`, (visit) => showReminders(site, visit))
    .post((visit) => changeReminders(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/reminders/log`, (visit) => showReminderLog(site, visit))
    .post(`${HERE}/company/logo`, (visit) => saveLogo(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${HERE}/company/logo/remove`, (visit) => deleteLogo(site, visit))
    .all(methodNotAllowed('POST'))
    .get('/:tenant{[0-9a-f-]{36}}/logo/:id{[0-9a-f-]{36}}', (visit) => showLogo(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${HERE}/hours`, (visit) => showHours(site, visit))
    .post((visit) => saveHours(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/hours/:id{[0-9a-f-]{36}}`, (visit) => showHours(site, visit))
    .post((visit) => saveHours(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/places`, (visit) => showInboundAddresses(site, visit))
    .post((visit) => saveInboundAddress(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))

/** Returns the page of the accounting program, and the way back from it. */
const booksRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(BOOKS_CALLBACK, passCallback)
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${HERE}/books`, (visit) => showBooks(site, visit))
    .post((visit) => saveBooks(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/books/callback`, (visit) => returnFromBooks(site, visit))
    .all(methodNotAllowed('GET'))

/** Returns the pages of members and their sign-in. */
const peopleRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(`${HERE}/log`, (visit) => showSecurityLog(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${HERE}/rates`, (visit) => showLaborRates(site, visit))
    .post((visit) => saveLaborRate(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/members`, (visit) => showMembers(site, visit))
    .post((visit) => inviteMember(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/members/:id`, (visit) => showMember(site, visit))
    .post((visit) => saveMember(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .post(`${HERE}/members/:id/link`, (visit) => makeMemberLink(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${HERE}/members/:id{[0-9a-f-]{36}}/sign-out`, (visit) => endMemberSessions(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${HERE}/members/:id{[0-9a-f-]{36}}/reset-factors`, (visit) => resetFactorsOfMember(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${HERE}/members/:id{[0-9a-f-]{36}}/unlink`, (visit) => unlinkAccount(site, visit))
    .all(methodNotAllowed('POST'))
    .get(`${HERE}/provider`, (visit) => showProvider(site, visit))
    .post((visit) => saveProvider(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .post(`${HERE}/provider/try`, (visit) => tryProvider(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${HERE}/second-factor`, (visit) => saveRule(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${HERE}/invitations/:id{[0-9a-f-]{36}}`, (visit) => changeInvitation(site, visit))
    .all(methodNotAllowed('POST'))

/** Returns the pages of keys and apps. */
const appRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(`${HERE}/keys`, (visit) => showKeys(site, visit))
    .post((visit) => makeKey(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/keys/:id`, (visit) => showKey(site, visit))
    .post((visit) => saveKey(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .post(`${HERE}/removals`, (visit) => saveApprovalRules(site, visit))
    .all(methodNotAllowed('POST'))
    .get(`${HERE}/apps`, (visit) => showApps(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .post(`${HERE}/apps/policy`, (visit) => savePolicy(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${HERE}/apps/outside`, (visit) => endOutside(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${HERE}/apps/listed`, (visit) => saveListing(site, visit))
    .all(methodNotAllowed('POST'))
    .post(`${HERE}/apps/requests`, (visit) => answerRequest(site, visit))
    .all(methodNotAllowed('POST'))
    .get(`${HERE}/app`, (visit) => showApp(site, visit))
    .post((visit) => saveApp(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/clients`, (visit) => showClients(site, visit))
    .post((visit) => makeClient(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .post(`${HERE}/clients/:id`, (visit) => endClient(site, visit))
    .all(methodNotAllowed('POST'))
