import { GRANT_LEVELS, type Area, type GrantLevel, type Level } from '../../permissions/areas.ts'
import type { RelyingParty } from '../../factors/passkeys/relying_party.ts'
import { cookieOf } from '../../sign_in/cookies.ts'
import type { SessionCookie } from '../../sign_in/session_cookie.ts'
import { findAnySession, isBound, type AnySession } from '../../sign_in/sessions.ts'
import type { Database } from '../../../platform/db/tenant.ts'
import { answer, redirect, responseOf, signInFirst } from '../../../platform/http/answer.ts'
import { formOf } from '../../../platform/http/form.ts'
import type { Html } from '../../../platform/html/html.ts'
import { wrongMethod } from '../../../platform/html/message.ts'
import { newPages, type Pages, type Visit } from '../../../platform/http/visit.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { fieldOf, type Levels } from './areas.ts'
import { offersFor, othersAlone, providerFirst } from './bound.ts'
import { consentPage, isEmpty, type ConsentScreen } from './page.ts'
import { companyChoicePage, passOnPage } from './ways.ts'
import { noCompany, requestEnded } from './dead_ends.ts'
import type { AuthorizationServer, Interaction, Offer } from '../port.ts'
import { sealOf, whyAgain } from './shown.ts'
import { confirmFirst, secondFactorFirst } from './first.ts'
import { approvedLevels, isCovered, rulingOn, stoppedBy } from './ruling.ts'

/** Holds what the consent screen needs. */
export type ConsentSetup = {
  database: Database
  cookie: SessionCookie
  authorization: AuthorizationServer
  relyingParty: RelyingParty | null
}

const PATH = '/oauth/consent'

export const consentRoutes = (setup: ConsentSetup): Pages =>
  newPages()
    .on(['GET', 'POST'], PATH, (visit) => consent(setup, visit).catch(ended))
    .all(PATH, wrongMethod('GET, HEAD, POST'))

/** THE WALK OF A CONSENT, from the link that `authorize` redirects to, to the address that takes the answer back. */
async function consent(
  { database, cookie, authorization, relyingParty }: ConsentSetup,
  visit: Visit,
): Promise<Response> {
  const isForm = visit.req.method === 'POST'
  const given = isForm ? await formOf(visit.req.raw) : new URL(visit.req.url).searchParams
  const cookies = visit.req.header('cookie')

  const browser = cookieOf(cookies, authorization.browserCookieName)
  const interaction = await authorization.load(given.get('authorization_id') ?? '', browser)
  if (interaction === null || browser === undefined) return requestEnded()

  const session = await findAnySession(database, cookie.read(cookies))
  if (session === null) return responseOf(signInFirst(pathOf(interaction)))

  const others = await othersAlone(database, interaction, session)
  if (others !== undefined) return others

  const vouched = { isBound: isBound(session) }
  const known = isForm || interaction.mustAsk ? null : await authorization.renew(interaction, session.user.id, vouched)
  if (known !== null) return passOn(known, session, interaction)

  const decision = isForm ? given.get('decision') : null
  if (decision === 'deny') return redirect(await authorization.deny(interaction))

  const offers = offersFor(await authorization.offers(interaction, session.user.id), session)
  if (offers.length === 0) return noCompany(interaction, session)
  const offer =
    offers.find(({ tenant }) => tenant.id === given.get('company')) ?? (offers.length === 1 ? offers[0] : undefined)
  const verdict = offer && (await rulingOn(database, { interaction, session, offer }))
  const seal = offer && verdict && sealOf(browser, { interaction, session, offer, verdict })
  const isDecided = decision === 'approve' || decision === 'view' || decision === 'approved'
  const again = isDecided && given.get('shown') !== seal ? whyAgain(given, { session, offer }) : undefined
  if (offer === undefined || verdict === undefined || seal === undefined)
    return shown(companyChoicePage(interaction, session, offers, again), again)

  const asked = { session, offer, to: pathOf(interaction) }
  const first = (await providerFirst(database, asked)) ?? (await secondFactorFirst(database, asked))
  if (first !== undefined) return first

  const path = `${pathOf(interaction)}&company=${offer.tenant.id}`
  const isChosenAnew = given.has('anew') || given.has('all') || (isDecided && again === undefined)
  const stopped = await stoppedBy(database, verdict, {
    interaction,
    session,
    offer,
    path,
    hasOthers: offers.length > 1,
    isChosenAnew,
  })
  if (stopped !== undefined) return stopped

  const isAsApproved = decision === 'approved' || !(isDecided || given.has('all'))
  const levels =
    again !== undefined
      ? {}
      : isAsApproved
        ? within(offer, (area) => approvedLevels(verdict)[area] ?? 'none')
        : levelsOf(offer, decision === 'view' ? 'view' : given.get('all'), given)
  const isInDetail = decision === 'approve' || given.has('all')
  const screen: ConsentScreen = {
    interaction,
    session,
    offer,
    seal,
    verdict,
    levels,
    isInDetail,
    hasOthers: offers.length > 1,
    again,
  }
  if (!isDecided || again !== undefined) return shown(consentPage(screen), again)
  if (isNothing(levels) && !isEmpty(offer))
    return answer(consentPage({ ...screen, isUnchosen: true }), { leavesSite: true, status: 422 })

  const consent = { user: session.user.id, tenant: offer.tenant.id, areas: levels, ...vouched }
  if (!isCovered(levels, verdict))
    return onward(path, async () => {
      await authorization.ask(interaction, consent)
      return path
    })
  if (!session.isRecent && isWriting(levels)) return confirmFirst({ database, relyingParty }, session, PATH, given)
  return onward(path, () => authorization.approve(interaction, consent))
}

/** Sends the browser on, or back to the screen where the company's policy was changed in this moment. */
const onward = async (path: string, decided: () => Promise<string>): Promise<Response> => {
  try {
    return redirect(await decided())
  } catch (error) {
    if (error instanceof Refusal && error.code === 'conflict') return redirect(path)
    throw error
  }
}

/** Returns a page to decide on, as a conflict where a decision was made on another one. */
const shown = (page: Html, again: string | undefined): Response =>
  answer(page, { leavesSite: true, status: again === undefined ? 200 : 409 })

/** Answers a request that ended while the person was deciding. */
function ended(error: unknown): Response {
  if (error instanceof Refusal && error.code === 'not_found') return requestEnded()
  throw error
}

const pathOf = ({ id }: Interaction): string => `${PATH}?authorization_id=${encodeURIComponent(id)}`

/**
 * Passes on by a page in between: a browser that has just signed in is still following the redirects of that form,
 * whose page allows none to another site.
 */
function passOn(address: string, { since }: AnySession, interaction: Interaction): Response {
  return Date.now() - Date.parse(since) < 60_000
    ? answer(passOnPage(interaction, address), { leavesSite: true })
    : redirect(address)
}

/** Returns what was chosen for each area, or one level for all of them. */
const levelsOf = (offer: Offer, all: string | null, given: URLSearchParams): Levels =>
  within(offer, (area, most) =>
    all === 'most' ? most : (GRANT_LEVELS.find((level) => level === (all ?? given.get(fieldOf(area)))) ?? 'none'),
  )

/** Returns a level for each area, never above the most that may be given. */
const within = ({ areas }: Offer, wish: (area: Area, most: Level) => GrantLevel): Levels =>
  Object.fromEntries(
    areas.map(({ area, most }) => {
      const wished = wish(area, most)
      return [area, GRANT_LEVELS.indexOf(wished) > GRANT_LEVELS.indexOf(most) ? most : wished]
    }),
  )

const isWriting = (levels: Levels): boolean => Object.values(levels).includes('edit')

const isNothing = (levels: Levels): boolean => Object.values(levels).every((level) => level === 'none')
