import { GRANT_LEVELS, type Area, type GrantLevel, type Level } from '../../permissions/areas.ts'
import type { RelyingParty } from '../../factors/passkeys/relying_party.ts'
import { cookieOf } from '../../sign_in/cookies.ts'
import type { SessionCookie } from '../../sign_in/session_cookie.ts'
import type { AppPolicyDecision } from '../../apps/app_policy_decision.ts'
import { findAnySession, isBound, type AnySession } from '../../sign_in/sessions.ts'
import type { Database } from '../../../platform/db/tenant.ts'
import { pageResponse, redirect, responseOf, signInAnswer } from '../../../platform/http/answer.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import type { Html } from '../../../platform/html/html.ts'
import { methodNotAllowed } from '../../../platform/html/message.ts'
import { newPageRouter, type PageRouter, type PageRequest } from '../../../platform/http/page_request.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { fieldOf, type Levels } from './areas.ts'
import { offersFor, refuseOtherCompany, askCompanyProvider } from './bound_sessions.ts'
import { consentPage, isEmpty, type ConsentScreen } from './page.ts'
import { companyChoicePage, continuePage } from './choice_pages.ts'
import { noCompanyPage, requestEndedPage } from './error_pages.ts'
import type { AuthorizationServer, Interaction, Offer } from '../port.ts'
import { sealOf, findRejectionReason } from './seal.ts'
import { askConfirmation, askSecondFactor } from './sign_in_steps.ts'
import { toApprovedLevels, isCovered, evaluateRequest, blockedPage } from './policy_pages.ts'

/** Dependencies of the consent screen. */
type ConsentSetup = {
  database: Database
  cookie: SessionCookie
  authorization: AuthorizationServer
  relyingParty: RelyingParty | null
}

const PATH = '/oauth/consent'

export const consentRoutes = (setup: ConsentSetup): PageRouter =>
  newPageRouter()
    .on(['GET', 'POST'], PATH, (request) => consent(setup, request).catch(answerEnded))
    .all(PATH, methodNotAllowed('GET, HEAD, POST'))

/** Handles the consent page. `authorize` redirects to it, and it redirects the response to the app. */
async function consent(setup: ConsentSetup, request: PageRequest): Promise<Response> {
  const { database, cookie, authorization } = setup
  const isForm = request.req.method === 'POST'
  const fields = isForm ? await readFormFields(request.req.raw) : new URL(request.req.url).searchParams
  const cookies = request.req.header('cookie')

  const browser = cookieOf(cookies, authorization.browserCookieName)
  const interaction = await authorization.load(fields.get('authorization_id') ?? '', browser)
  if (interaction === null || browser === undefined) return requestEndedPage()

  const session = await findAnySession(database, cookie.read(cookies))
  if (session === null) return responseOf(signInAnswer(pathOf(interaction)))

  const others = await refuseOtherCompany(database, interaction, session)
  if (others !== undefined) return others

  const { id: user } = session.user
  const renewal =
    isForm || interaction.mustPrompt
      ? null
      : await authorization.renew(interaction, user, { isBound: isBound(session) })
  if (renewal !== null) return continueToClient(renewal, session, interaction)

  const decision = isForm ? fields.get('decision') : null
  if (decision === 'deny') return redirect(await authorization.deny(interaction))

  const offers = offersFor(await authorization.offers(interaction, user), session)
  if (offers.length === 0) return noCompanyPage(interaction, session)
  return decide(setup, { fields, browser, interaction, session, decision, offers })
}

/** Request on the consent page by a signed-in user with at least one company to choose. */
type SignedInRequest = {
  fields: URLSearchParams
  browser: string
  interaction: Interaction
  session: AnySession
  decision: string | null
  offers: readonly Offer[]
}

/** Checks the chosen company, and returns its consent screen or the next step. */
async function decide(setup: ConsentSetup, request: SignedInRequest): Promise<Response> {
  const { database } = setup
  const { fields, browser, interaction, session, decision, offers } = request
  const offer =
    offers.find(({ tenant }) => tenant.id === fields.get('company')) ?? (offers.length === 1 ? offers[0] : undefined)
  const policyDecision = offer && (await evaluateRequest(database, { interaction, session, offer }))
  const seal = offer && policyDecision && sealOf(browser, { interaction, session, offer, policyDecision })
  const isDecided = decision === 'approve' || decision === 'view' || decision === 'approved'
  const rejectionReason =
    isDecided && fields.get('shown') !== seal ? findRejectionReason(fields, { session, offer }) : undefined
  if (offer === undefined || policyDecision === undefined || seal === undefined)
    return answerPage(companyChoicePage(interaction, session, offers, rejectionReason), rejectionReason)

  const step = { session, offer, to: pathOf(interaction) }
  const requiredStep = (await askCompanyProvider(database, step)) ?? (await askSecondFactor(database, step))
  if (requiredStep !== undefined) return requiredStep

  const path = `${pathOf(interaction)}&company=${offer.tenant.id}`
  const hasOthers = offers.length > 1
  const isChosenAnew = fields.has('anew') || fields.has('all') || (isDecided && rejectionReason === undefined)
  const consentRequest = { interaction, session, offer, path, hasOthers, isChosenAnew }
  const blocked = await blockedPage(database, policyDecision, consentRequest)
  if (blocked !== undefined) return blocked

  const levels = rejectionReason === undefined ? readLevels(request, offer, policyDecision, isDecided) : {}
  const isInDetail = decision === 'approve' || fields.has('all')
  const screen: ConsentScreen = {
    interaction,
    session,
    offer,
    seal,
    policyDecision,
    levels,
    isInDetail,
    hasOthers,
    rejectionReason,
  }
  if (!isDecided || rejectionReason !== undefined) return answerPage(consentPage(screen), rejectionReason)
  return finish(setup, request, screen, path)
}

const readLevels = (
  { fields, decision }: SignedInRequest,
  offer: Offer,
  policyDecision: AppPolicyDecision,
  isDecided: boolean,
): Levels =>
  decision === 'approved' || !(isDecided || fields.has('all'))
    ? capLevels(offer, (area) => toApprovedLevels(policyDecision)[area] ?? 'none')
    : levelsOf(offer, decision === 'view' ? 'view' : fields.get('all'), fields)

/** Carries out a decision: asks the owners, asks for reauthentication, or approves. */
async function finish(
  { database, authorization, relyingParty }: ConsentSetup,
  { fields }: SignedInRequest,
  screen: ConsentScreen,
  path: string,
): Promise<Response> {
  const { interaction, session, offer, policyDecision, levels } = screen
  if (isNothing(levels) && !isEmpty(offer))
    return pageResponse(consentPage({ ...screen, isUnchosen: true }), { leavesSite: true, status: 422 })

  const { id: user } = session.user
  const consent = { user, tenant: offer.tenant.id, areas: levels, isBound: isBound(session) }
  if (!isCovered(levels, policyDecision))
    return redirectAfter(path, async () => {
      await authorization.requestApproval(interaction, consent)
      return path
    })
  if (!session.isRecent && isWriting(levels)) return askConfirmation({ database, relyingParty }, session, PATH, fields)
  return redirectAfter(path, () => authorization.approve(interaction, consent))
}

/** Redirects the browser, or returns it to the screen if the company's policy has just changed. */
const redirectAfter = async (path: string, applyDecision: () => Promise<string>): Promise<Response> => {
  try {
    return redirect(await applyDecision())
  } catch (error) {
    if (error instanceof Refusal && error.code === 'conflict') return redirect(path)
    throw error
  }
}

/** Returns a page to decide on, with 409 if the decision was made on an outdated page. */
const answerPage = (page: Html, rejectionReason: string | undefined): Response =>
  pageResponse(page, { leavesSite: true, status: rejectionReason === undefined ? 200 : 409 })

/** Answers a request that ended before the decision. */
function answerEnded(error: unknown): Response {
  if (error instanceof Refusal && error.code === 'not_found') return requestEndedPage()
  throw error
}

const pathOf = ({ id }: Interaction): string => `${PATH}?authorization_id=${encodeURIComponent(id)}`

/**
 * Redirects through an intermediate page right after a sign-in: the browser is still following the form's redirects,
 * and the form's page allows none to another site.
 */
function continueToClient(address: string, { since }: AnySession, interaction: Interaction): Response {
  return Date.now() - Date.parse(since) < 60_000
    ? pageResponse(continuePage(interaction, address), { leavesSite: true })
    : redirect(address)
}

/** Returns the chosen level of each area, or one level for all. */
const levelsOf = (offer: Offer, all: string | null, form: URLSearchParams): Levels =>
  capLevels(offer, (area, maxLevel) =>
    all === 'most' ? maxLevel : (GRANT_LEVELS.find((level) => level === (all ?? form.get(fieldOf(area)))) ?? 'none'),
  )

/** Returns a level for each area, capped at the maximum that may be given. */
const capLevels = ({ areas }: Offer, chooseLevel: (area: Area, maxLevel: Level) => GrantLevel): Levels =>
  Object.fromEntries(
    areas.map(({ area, maxLevel }) => {
      const chosen = chooseLevel(area, maxLevel)
      return [area, GRANT_LEVELS.indexOf(chosen) > GRANT_LEVELS.indexOf(maxLevel) ? maxLevel : chosen]
    }),
  )

const isWriting = (levels: Levels): boolean => Object.values(levels).includes('edit')

const isNothing = (levels: Levels): boolean => Object.values(levels).every((level) => level === 'none')
