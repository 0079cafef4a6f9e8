import {
  isClaimingAccount,
  joinCompany,
  joinWithNewSignIn,
  findInvitation,
  type InvitationView,
} from '../../identity/people/invitations/invitations.ts'
import type { ChosenSignIn } from '../../identity/people/invitations/new_sign_in.ts'
import { MAX_PASSKEY_CHARS } from '../../identity/factors/passkeys/passkey_answers.ts'
import { signInPerson } from '../../identity/sign_in/complete_sign_in.ts'
import type { RecognizedPerson, Session } from '../../identity/sign_in/sessions.ts'
import { pageResponse, redirect } from '../../platform/http/answer.ts'
import { button } from '../../platform/html/parts/button.ts'
import { field, hidden } from '../../platform/html/parts/field.ts'
import { MAX_PUBLIC_FORM_BYTES, readFormFields } from '../../platform/http/form.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import { messageResponse } from '../../platform/html/message.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { passkeyButton } from '../../platform/html/parts/passkey_button.ts'
import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { redirectAfterClaim } from '../account/ended_access.ts'
import { openMailedLink } from '../account/mailed_link.ts'
import { statusOf } from '../faults.ts'
import { readNewSignIn } from './passkeys.ts'
import { originOf, currentSession, addSessionCookies } from './session.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { say } from '../../platform/i18n/say.ts'
import { sayHtml } from '../../platform/html/say_html.ts'
import { refusalNotice } from '../refusal_notice.ts'

/**
 * Returns the page of an invitation link. It offers both a new name and password and a sign-in link, so that it doesn't
 * reveal whether the address has an account.
 */
export const joinRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    '/join': {
      get: (site, request) => show(site, request, new URL(request.req.url).searchParams.get('invitation') ?? ''),
      post: accept,
    },
  })

async function show(site: Site, request: PageRequest, secret: string): Promise<Response> {
  const invitation = await findOpenInvitation(site, request, secret)
  if (invitation === null) return invalidInvitationPage()
  const session = await currentSession(site, request)
  return pageResponse(await pageFor(site, invitation, secret, session))
}

async function accept(site: Site, request: PageRequest): Promise<Response> {
  const sent = await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES + 2 * MAX_PASSKEY_CHARS)
  const secret = sent.get('invitation') ?? ''
  const invitation = await findOpenInvitation(site, request, secret)
  if (invitation === null) return invalidInvitationPage()
  const session = await currentSession(site, request)
  try {
    if (session !== null && !(invitation.startsOver && session.user.email === invitation.email)) {
      const newSignIn = await readNewSignIn(site, request, sent)
      const { tenant, isClaimed, ...person } = await joinCompany(
        site.database,
        secret,
        session,
        newSignIn,
        originOf(site, request),
      )
      return isClaimed
        ? await signInAndContinue(site, request, newSignIn, { tenant, person, isClaimed })
        : redirect(`/${tenant}`)
    }
    const newSignIn = await readNewSignIn(site, request, sent)
    const { tenant, isClaimed, ...person } = await joinWithNewSignIn(
      site.database,
      secret,
      newSignIn,
      originOf(site, request),
    )
    return await signInAndContinue(site, request, newSignIn, { tenant, person, isClaimed })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'not_found') return invalidInvitationPage()
    return pageResponse(
      await pageFor(site, invitation, secret, session, { refusal: error, name: sent.get('name') ?? '' }),
      { status: statusOf(error) },
    )
  }
}

/** Signs in the person who joined by the link, with their new sign-in method. */
async function signInAndContinue(
  site: Site,
  request: PageRequest,
  newSignIn: ChosenSignIn,
  { tenant, person, isClaimed }: { tenant: string; person: RecognizedPerson; isClaimed: boolean },
): Promise<Response> {
  const methods = 'passkey' in newSignIn ? (['link', 'passkey'] as const) : (['link'] as const)
  const signInResult = await signInPerson(site.database, person, methods, originOf(site, request))
  if (signInResult === null) return redirect(`/sign-in?to=/${tenant}`)
  return addSessionCookies(site, signInResult, isClaimed ? redirectAfterClaim(`/${tenant}`) : redirect(`/${tenant}`))
}

/** Draws the page. A signed-in person who claims their account by joining chooses a new password too. */
async function pageFor(
  site: Site,
  invitation: InvitationView,
  secret: string,
  session: Session | null,
  failure?: JoinFailure,
): Promise<Html> {
  const isClaiming =
    session !== null &&
    session.user.email === invitation.email &&
    !invitation.startsOver &&
    (await isClaimingAccount(site.database, secret, session.user.id))
  const provider = session === null || isClaiming || invitation.startsOver ? null : await providerOf(site, invitation)
  return page(site, invitation, secret, { user: session?.user ?? null, isClaiming, provider }, failure)
}

/** Returns the name of the company's own provider, which can be used to join too; null if none is on. */
async function providerOf(site: Site, { tenant }: InvitationView): Promise<string | null> {
  const provider = await site.companyProvider(tenant)
  return provider?.isOn === true ? provider.name : null
}

const findOpenInvitation = (site: Site, request: PageRequest, secret: string): Promise<InvitationView | null> =>
  openMailedLink(site, request, () => findInvitation(site.database, secret), 'invitation')

const invalidInvitationPage = (): Response =>
  messageResponse({
    title: say`This invitation can't be used`,
    status: 404,
    body: say`It was used already, was withdrawn, or is older than two weeks. Ask for a new one.`,
    next: { label: say`Home`, href: '/' },
  })

type JoiningPerson = { user: { name: string; email: string } | null; isClaiming: boolean; provider: string | null }

type JoinFailure = { refusal: Refusal; name: string }

function page(
  { relyingParty }: Site,
  invitation: InvitationView,
  secret: string,
  { user, isClaiming, provider }: JoiningPerson,
  failure?: JoinFailure,
): Html {
  const { company, email, startsOver } = invitation
  const hasPasskeys = relyingParty !== null
  const isOther = user !== null && user.email !== email
  return layout({
    title: say`Join ${company}`,
    isNarrow: true,
    person: user ?? undefined,
    scripts: ['passkey.js'],
    body: html`
<section class="ticket">
  <p class="eyebrow">${say`Invitation`}</p>
  <h1>${say`Join ${company}`}</h1>
  <p class="lead">${say`${email} is invited.`}</p>${when(failure, ({ refusal }) => refusalNotice(refusal))}${
    isOther
      ? notice({
          kind: 'warning',
          title: say`You are signed in as ${user.email}`,
          body: say`Sign out, then open the link again.`,
        })
      : html`${when(
          user === null && !startsOver,
          () => html`
  <p>
    ${sayHtml`If you sign in with this address already, ${html`<a href="/sign-in?to=${encodeURIComponent(
      `/join?invitation=${encodeURIComponent(secret)}`,
    )}">${say`sign in to accept`}</a>`}. Otherwise choose a password.`}
  </p>`,
        )}${when(
          startsOver || isClaiming,
          () => html`
  <p>
    ${say`Choose a new password. Browsers signed in with this address are signed out, and its keys and connected apps stop working.`}
  </p>`,
        )}
  <form class="form" method="post" action="/join">
    ${hidden('invitation', secret)}${
      user === null || startsOver
        ? personFields(failure?.name ?? invitation.name ?? '')
        : isClaiming
          ? newPassword()
          : ''
    }
    <p class="actions">
      ${button({ label: say`Join the company`, kind: 'main' })}
      ${when(hasPasskeys && (user === null || startsOver || isClaiming), () =>
        passkeyButton({ label: say`Use a passkey instead`, purpose: 'join' }),
      )}
    </p>
  </form>${when(provider, (name) => joinByProvider(invitation, secret, name))}`
  }
</section>`,
  })
}

const joinByProvider = ({ tenant }: InvitationView, secret: string, name: string): Html => html`
  <form class="form" method="post" action="/${tenant}/sign-in">
    ${hidden('invitation', secret)}
    <p class="actions">${button({ label: say`Join with ${name}` })}</p>
    <p class="help">${say`You can then sign in to this company with ${name} too.`}</p>
  </form>`

/** Draws the fields for a person without an account. */
export const personFields = (name: string): Html => html`
    ${field({ name: 'name', label: say`Your name`, value: name, autocomplete: 'name', isRequired: true })}
    ${newPassword()}`

const newPassword = (): Html =>
  field({
    name: 'password',
    label: say`Password`,
    type: 'password',
    autocomplete: 'new-password',
    isRequired: true,
    help: say`At least 12 characters`,
  })
