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
import { answer } from '../../platform/http/answer.ts'
import { button } from '../../platform/html/parts/button.ts'
import { field, hidden } from '../../platform/html/parts/field.ts'
import { MAX_OPEN_BYTES, readFormFields } from '../../platform/http/form.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import { message } from '../../platform/html/message.ts'
import { passkeyButton } from '../../platform/html/parts/passkey_button.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal, invalid } from '../../platform/errors/refusal.ts'
import { statusOf } from '../faults.ts'
import { originOf, currentSession, addSessionCookies } from '../sign_in/session.ts'
import type { Site } from '../site.ts'
import { redirectClaimed } from './ended_access.ts'
import { expiredLinkPage, openMailedLink, linkSecret } from './mailed_link.ts'
import { refusalNotice } from '../refusal_notice.ts'

/** Renders the button that uses a mailed link; mail scanners don't press it. */
export async function showEmailVerification(site: Site, visit: PageRequest): Promise<Response> {
  const secret = linkSecret(visit)
  const proof = await openMailedLink(site, visit, () => findEmailLink(site.database, secret))
  return proof === null ? expiredLinkPage() : answer(page(site, proof, secret, await currentSession(site, visit)))
}

/** Uses the link, in any browser; it signs nobody in. */
export async function verifyEmail(site: Site, visit: PageRequest): Promise<Response> {
  const sent = await readFormFields(visit.req.raw, MAX_OPEN_BYTES + 2 * MAX_PASSKEY_CHARS)
  const secret = sent.get('link') ?? ''
  const proof = await openMailedLink(site, visit, () => findEmailLink(site.database, secret))
  if (proof === null) return expiredLinkPage()
  const session = await currentSession(site, visit)
  try {
    const isKnown = isTheirs(session, proof)
    const by = isKnown ? { user: session.user.id, session: session.id } : { password: sent.get('password') ?? '' }
    const chosen = await readNewSignIn(site, visit, sent, isKnown ? session.user.id : null)
    const { kind, address, person } = await verifyEmailByLink(site.database, secret, by, originOf(site, visit), chosen)
    if (person !== null && isKnown) {
      const methods = 'passkey' in chosen ? (['link', 'passkey'] as const) : (['link'] as const)
      const entered = await signInPerson(site.database, person, methods, originOf(site, visit))
      if (entered !== null) return addSessionCookies(site, entered, redirectClaimed('/'))
    }
    return message({
      title: kind === 'prove' ? say`Your e-mail address is confirmed` : say`Your e-mail address was changed`,
      body: kind === 'prove' ? say`${address} is confirmed.` : say`From now on you sign in with ${address}.`,
      next: { label: say`Home`, href: '/' },
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'not_found') return expiredLinkPage()
    return answer(page(site, proof, secret, session, error), { status: statusOf(error) })
  }
}

/** Returns the new password, or the passkey that the signed-in user's browser created. */
async function readNewSignIn(
  site: Site,
  visit: PageRequest,
  sent: URLSearchParams,
  user: string | null,
): Promise<ChosenSignIn> {
  const passkey = sent.get('passkey')
  if (passkey === null || user === null) return { password: sent.get('next') ?? '' }
  const [rp, browser] = [site.relyingParty, site.asked.read(visit.req.header('cookie'))]
  const accepted = rp && (await acceptNewPasskey(site.database, { rp, browser }, passkey, { purpose: 'add', user }))
  if (accepted === null) throw invalid(say`The passkey could not be checked. Try again, or choose a password.`)
  const device = deviceIn(visit.req.header('user-agent') ?? null)
  return {
    passkey: accepted.passkey,
    naming: { name: device === null ? say`Passkey` : deviceText(device), handle: accepted.handle },
  }
}

const isTheirs = (session: Session | null, { user_id }: EmailLinkView): session is Session =>
  session?.user.id === user_id

function page(
  { relyingParty }: Site,
  proof: EmailLinkView,
  secret: string,
  session: Session | null,
  refusal?: Refusal,
): Html {
  const { kind, address, name, hasPassword, claims } = proof
  const title = kind === 'prove' ? say`Is this address yours?` : say`Sign in with this address?`
  const isKnown = isTheirs(session, proof)
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
    isKnown || hasPassword
      ? html`
  <form class="form" method="post" action="/prove">
    ${hidden('link', secret)}${when(
      !isKnown,
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
      ${when(claims && isKnown && relyingParty !== null, () =>
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
