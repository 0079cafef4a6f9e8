import {
  findEmailLink,
  verifyEmailByLink,
  type EmailLinkView,
} from '../../identity/people/recovery/email_verification.ts'
import type { ChosenSignIn } from '../../identity/people/invitations/new_sign_in.ts'
import { MAX_PASSKEY_CHARS } from '../../identity/factors/passkeys/passkey_answers.ts'
import { acceptNewPasskey } from '../../identity/factors/passkeys/passkey_ceremonies.ts'
import { deviceIn, deviceText } from '../../identity/security/device.ts'
import { signInPerson } from '../../identity/sign_in/complete_sign_in.ts'
import type { Session } from '../../identity/sign_in/sessions.ts'
import { pageResponse } from '../../platform/http/answer.ts'
import { button } from '../../platform/html/parts/button.ts'
import { field, hidden } from '../../platform/html/parts/field.ts'
import { MAX_PUBLIC_FORM_BYTES, readFormFields } from '../../platform/http/form.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import { messageResponse } from '../../platform/html/message.ts'
import { passkeyButton } from '../../platform/html/parts/passkey_button.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal, invalid } from '../../platform/errors/refusal.ts'
import { statusOf } from '../faults.ts'
import { originOf, currentSession, addSessionCookies } from '../sign_in/session.ts'
import type { Site } from '../site.ts'
import { redirectAfterClaim } from './ended_access.ts'
import { expiredLinkPage, openMailedLink, linkSecret } from './mailed_link.ts'
import { refusalNotice } from '../refusal_notice.ts'

/** Renders the button that uses a mailed link; mail scanners don't press it. */
export async function showEmailVerification(site: Site, request: PageRequest): Promise<Response> {
  const secret = linkSecret(request)
  const emailLink = await openMailedLink(site, request, () => findEmailLink(site.database, secret))
  return emailLink === null
    ? expiredLinkPage()
    : pageResponse(page(site, emailLink, secret, await currentSession(site, request)))
}

/** Uses the link, in any browser; it signs nobody in. */
export async function verifyEmail(site: Site, request: PageRequest): Promise<Response> {
  const sent = await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES + 2 * MAX_PASSKEY_CHARS)
  const secret = sent.get('link') ?? ''
  const emailLink = await openMailedLink(site, request, () => findEmailLink(site.database, secret))
  if (emailLink === null) return expiredLinkPage()
  const session = await currentSession(site, request)
  try {
    const isLinkOwner = belongsToLinkOwner(session, emailLink)
    const confirmation = isLinkOwner
      ? { user: session.user.id, session: session.id }
      : { password: sent.get('password') ?? '' }
    const newSignIn = await readNewSignIn(site, request, sent, isLinkOwner ? session.user.id : null)
    const { kind, address, person } = await verifyEmailByLink(
      site.database,
      secret,
      confirmation,
      originOf(site, request),
      newSignIn,
    )
    if (person !== null && isLinkOwner) {
      const methods = 'passkey' in newSignIn ? (['link', 'passkey'] as const) : (['link'] as const)
      const newSession = await signInPerson(site.database, person, methods, originOf(site, request))
      if (newSession !== null) return addSessionCookies(site, newSession, redirectAfterClaim('/'))
    }
    return messageResponse({
      title: kind === 'prove' ? say`Your email address is confirmed` : say`Your email address was changed`,
      body: kind === 'prove' ? say`${address} is confirmed.` : say`From now on you sign in with ${address}.`,
      next: { label: say`Home`, href: '/' },
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'not_found') return expiredLinkPage()
    return pageResponse(page(site, emailLink, secret, session, error), { status: statusOf(error) })
  }
}

/** Returns the new password, or the passkey that the signed-in user's browser created. */
async function readNewSignIn(
  site: Site,
  request: PageRequest,
  sent: URLSearchParams,
  user: string | null,
): Promise<ChosenSignIn> {
  const passkey = sent.get('passkey')
  if (passkey === null || user === null) return { password: sent.get('next') ?? '' }
  const [rp, browser] = [site.relyingParty, site.challengeCookie.read(request.req.header('cookie'))]
  const accepted = rp && (await acceptNewPasskey(site.database, { rp, browser }, passkey, { purpose: 'add', user }))
  if (accepted === null) throw invalid(say`The passkey could not be checked. Try again, or choose a password.`)
  const device = deviceIn(request.req.header('user-agent') ?? null)
  return {
    passkey: accepted.passkey,
    details: { name: device === null ? say`Passkey` : deviceText(device), handle: accepted.handle },
  }
}

const belongsToLinkOwner = (session: Session | null, { user_id }: EmailLinkView): session is Session =>
  session?.user.id === user_id

function page(
  { relyingParty }: Site,
  emailLink: EmailLinkView,
  secret: string,
  session: Session | null,
  refusal?: Refusal,
): Html {
  const { kind, address, name, hasPassword, claims } = emailLink
  const title = kind === 'prove' ? say`Is this address yours?` : say`Sign in with this address?`
  const isLinkOwner = belongsToLinkOwner(session, emailLink)
  return layout({
    title,
    isNarrow: true,
    person: session?.user,
    scripts: ['passkey.js'],
    body: html`
<section class="ticket">
  <p class="eyebrow">${say`The account of ${name}`}</p>
  <h1>${title}</h1>
  <p class="lead">${address}</p>${when(refusal, refusalNotice)}${
    isLinkOwner || hasPassword
      ? html`
  <form class="form" method="post" action="/prove">
    ${hidden('link', secret)}${when(
      !isLinkOwner,
      () => html`
    <p>${say`Press this only if you sign in as ${name} yourself. Your password confirms it. It doesn't sign you in here.`}</p>
    ${field({
      name: 'password',
      label: say`Password of this account`,
      type: 'password',
      autocomplete: 'current-password',
      isRequired: true,
      isFocused: true,
    })}`,
    )}${when(
      claims,
      () => html`
    <p>${say`Choose a new password. Everything else that could sign in to this account stops working: browsers, passkeys, authenticator apps, linked accounts, keys and connected apps.`}</p>
    ${newPasswordField()}`,
    )}
    <p class="actions">
      ${button({ label: kind === 'prove' ? say`Yes, this is my address` : say`Use this address`, kind: 'main' })}
      ${when(claims && isLinkOwner && relyingParty !== null, () =>
        passkeyButton({ label: say`Use a passkey instead`, purpose: 'add' }),
      )}
    </p>
  </form>`
      : html`
  <p>${say`Open this link in the browser in which you are signed in.`}</p>`
  }
</section>`,
  })
}

const newPasswordField = (): Html =>
  field({
    name: 'next',
    label: say`New password`,
    type: 'password',
    autocomplete: 'new-password',
    isRequired: true,
    help: say`At least 12 characters`,
  })
