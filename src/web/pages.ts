import { compress } from 'hono/compress'
import { routePath } from 'hono/route'
import type { MiddlewareHandler } from 'hono'
import { isStale } from '../identity/permissions/rights.ts'
import { withRequestSession } from '../identity/security/notices/request_session.ts'
import { assetAt } from '../platform/http/assets.ts'
import { responseOf } from '../platform/http/answer.ts'
import { messageResponse, type PageMessage } from '../platform/html/message.ts'
import { newPageRouter, type PageRouter, type PageRequest } from '../platform/http/page_request.ts'
import { HttpRefusal } from '../platform/errors/http_refusal.ts'
import { Frozen, Refusal, Unavailable, Uncertain } from '../platform/errors/refusal.ts'
import { languageOf, withReader } from '../platform/i18n/reader.ts'
import { isId, newId } from '../platform/validation/id.ts'
import { assistantRoutes } from './assistant/routes.ts'
import { accountRoutes } from './account/routes.ts'
import { sharedLinkRoutes } from './customer_portal/shared_links.ts'
import { customerLinkRoutes } from './customer_portal/routes.ts'
import { unsubscribeRoutes } from './customer_portal/unsubscribe.ts'
import { bookingRoutes } from './booking/routes.ts'
import { companyRoutes } from './sign_in/companies/companies.ts'
import { callRoutes } from './calls/routes.ts'
import { formerImportRoutes } from './imports/former_addresses.ts'
import { importFileRoutes } from './imports/routes.ts'
import { fieldRoutes } from './mobile/routes.ts'
import { docsRoutes } from './docs/routes.ts'
import { statusOf } from './faults.ts'
import { requireSameSite, wantsPage } from './guards.ts'
import { factorRoutes } from './account/factors/routes.ts'
import { fieldPageRoutes } from './mobile/page_routes.ts'
import { companySignInRoutes } from './sign_in/companies/company.ts'
import { confirmRoutes } from './sign_in/confirm.ts'
import { joinRoutes } from './sign_in/join.ts'
import { privacyRoutes } from './privacy/routes.ts'
import { passkeyRoutes } from './sign_in/passkeys.ts'
import { secondFactorRoutes } from './sign_in/second_factor.ts'
import { mediaRoutes } from './records/media.ts'
import { mergeRoutes } from './records/merge/merging.ts'
import { messageRoutes } from './messaging/inbox/routes.ts'
import { notFoundPage } from './not_found.ts'
import { moneyRoutes } from './accounting/routes.ts'
import { outboxRoutes } from './messaging/outbox/routes.ts'
import { printingRoutes } from './print/printing.ts'
import { proposalRoutes } from './approvals/routes.ts'
import { onlineBookingRoutes } from './records/online_booking.ts'
import { recordRoutes } from './records/routes.ts'
import { compressPage } from './compress.ts'
import { operatorRoutes } from './operator/routes.ts'
import { reviewRoutes } from './review/routes.ts'
import { activityRoutes } from './activity/routes.ts'
import { todayRoutes } from './today/routes.ts'
import { scheduleRoutes } from './schedule/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { sendingRoutes } from './messaging/compose/routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { setupRoutes } from './setup/routes.ts'
import { providerRoutes } from './sign_in/provider.ts'
import { signInRoutes } from './sign_in/sign_in.ts'
import { timeSheetRoutes } from './time_sheets/routes.ts'
import { visitRecordRoutes } from './visit_records/routes.ts'
import { clearFlashMessage } from './flash_message.ts'
import type { Site } from './site.ts'
import { say } from '../platform/i18n/say.ts'
import { refusalForPeople } from '../platform/i18n/refusal_for_people.ts'

const COMPANY_PAGE = /^\/[0-9a-f-]{36}(?!\/sign-in(?:\/|$))(?:\/|$)/

/**
 * Isolates company pages from windows of other sites. Sign-in and consent pages are excluded, since apps open them as
 * popups.
 */
const isolateCompanyPages: MiddlewareHandler = async (request, next) => {
  await next()
  if (COMPANY_PAGE.test(request.req.path)) request.res.headers.set('Cross-Origin-Opener-Policy', 'same-origin')
}

/** Returns all pages of the service, `otherRoutes` included, behind the same guards. */
export const pages = (site: Site, otherRoutes: PageRouter): PageRouter =>
  newPageRouter()
    .use(logRequests(site))
    .use(compress({ encoding: 'gzip', contentTypeFilter: /^(?:text\/html|application\/json)/ }))
    .use(compressPage)
    .get(
      '/assets/:name',
      (request) => assetAt(request.req.path, request.req.header('accept-encoding')) ?? notFoundPage(),
    )
    .use(localizePage)
    .use(clearFlashMessage)
    .use(isolateCompanyPages)
    .route('/', customerLinkRoutes(site))
    .route('/', unsubscribeRoutes(site))
    .route('/', bookingRoutes(site))
    .use(requireSameSite(site))
    .use(checkIds)
    .route('/', signInRoutes(site))
    .route('/', secondFactorRoutes(site))
    .route('/', confirmRoutes(site))
    .route('/', passkeyRoutes(site))
    .route('/', factorRoutes(site))
    .route('/', providerRoutes(site))
    .route('/', companySignInRoutes(site))
    .route('/', otherRoutes)
    .route('/', docsRoutes(site))
    .route('/', companyRoutes(site))
    .route('/', fieldPageRoutes(site))
    .route('/', joinRoutes(site))
    .route('/', accountRoutes(site))
    .route('/', fieldRoutes(site))
    .route('/', setupRoutes(site))
    .route('/', settingsRoutes(site))
    .route('/', operatorRoutes(site))
    .route('/', reviewRoutes(site))
    .route('/', searchRoutes(site))
    .route('/', callRoutes(site))
    .route('/', todayRoutes(site))
    .route('/', activityRoutes(site))
    .route('/', scheduleRoutes(site))
    .route('/', messageRoutes(site))
    .route('/', outboxRoutes(site))
    .route('/', mergeRoutes(site))
    .route('/', formerImportRoutes(site))
    .route('/', importFileRoutes(site))
    .route('/', privacyRoutes(site))
    .route('/', mediaRoutes(site))
    .route('/', moneyRoutes(site))
    .route('/', printingRoutes(site))
    .route('/', sharedLinkRoutes(site))
    .route('/', sendingRoutes(site))
    .route('/', proposalRoutes(site))
    .route('/', assistantRoutes(site))
    .route('/', visitRecordRoutes(site))
    .route('/', timeSheetRoutes(site))
    .route('/', onlineBookingRoutes(site))
    .route('/', recordRoutes(site))
    .notFound(notFoundAnswer)
    .onError((error) => toErrorPage(site, error))

/** Uses a language of the browser until the page knows the user or customer. */
const localizePage = (request: PageRequest, next: () => Promise<void>): Promise<void> =>
  withRequestSession(() =>
    withReader({ language: languageOf(request.req.header('accept-language')), country: 'US' }, next),
  )

/** Returns 404 for a malformed id in the path: routes check only its characters. */
const checkIds = async (request: PageRequest, next: () => Promise<void>): Promise<Response | void> =>
  request.req.path.split('/').some((step) => ID_SHAPE.test(step) && !isId(step)) ? notFoundAnswer(request) : next()

const ID_SHAPE = /^[0-9a-f-]{36}$/

const notFoundAnswer = (request: PageRequest): Response =>
  wantsPage(request)
    ? notFoundPage()
    : request.json({ error: 'not_found', error_description: 'There is nothing at this address' }, 404)

/** Logs a response without its query and without the secret of a customer link, which only the browser may know. */
const logRequests =
  (site: Site) =>
  async (request: PageRequest, next: () => Promise<void>): Promise<void> => {
    const startedAt = performance.now()
    await next()
    const ms = performance.now() - startedAt
    const path = request.req.path.replace(SECRET_SEGMENT, '/$1/…')
    site.onResponse({ method: request.req.method, path, status: request.res.status, ms }, routePath(request))
  }

const SECRET_SEGMENT = /^\/(c|unsubscribe|calendar)\/[^/]*/

function toErrorPage(site: Site, error: Error): Response {
  if (error instanceof HttpRefusal) return responseOf(error.answer)
  const next = { label: say`Home`, href: '/' }
  if ((error instanceof Refusal && error.code === 'not_found') || isStale(error)) return notFoundPage()
  if (error instanceof Refusal)
    return messageResponse({
      title: say`That didn't work`,
      body: refusalForPeople(error),
      status: statusOf(error),
      next,
    })
  const reference = newId()
  if (!(error instanceof Unavailable && error.isExpected)) site.report(reference, error)
  if (error instanceof Frozen) return frozenPage(error, next)
  if (error instanceof Unavailable) return busyPage(error, next)
  if (error instanceof Uncertain)
    return messageResponse({
      title: say`It may have been saved`,
      body: say`We couldn't confirm it. Check before you try again. Reference: ${reference}.`,
      status: 500,
      next,
    })
  return messageResponse({
    title: say`Something went wrong`,
    body: say`Try again in a moment. If it happens again, contact us with this reference: ${reference}`,
    status: 500,
    next,
  })
}

const frozenPage = ({ seconds }: Frozen, next: PageMessage['next']): Response =>
  messageResponse({
    title: say`Your company is being moved`,
    body: say`Nothing was changed. The company is read-only until the move is done. Try again later.`,
    status: 503,
    headers: { 'Retry-After': String(seconds) },
    next,
  })

const busyPage = ({ seconds }: Unavailable, next: PageMessage['next']): Response =>
  messageResponse({
    title: say`The service is busy`,
    body: say`Nothing was changed. Try again in a moment.`,
    status: 503,
    headers: { 'Retry-After': String(seconds) },
    next,
  })
