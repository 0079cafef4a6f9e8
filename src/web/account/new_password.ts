import { findResetLink, resetByLink, type ResetLinkView } from '../../identity/people/recovery/forgotten_password.ts'
import { pageResponse } from '../../platform/http/answer.ts'
import { button } from '../../platform/html/parts/button.ts'
import { checkbox, field, hidden } from '../../platform/html/parts/field.ts'
import { MAX_PUBLIC_FORM_BYTES, readFormFields } from '../../platform/http/form.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import { messageResponse } from '../../platform/html/message.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { statusOf } from '../faults.ts'
import { originOf } from '../sign_in/session.ts'
import type { Site } from '../site.ts'
import { expiredLinkPage, openMailedLink, linkSecret } from './mailed_link.ts'
import { refusalNotice } from '../refusal_notice.ts'

/** Renders the form. Only its button uses the link, so that mail scanners don't use it up. */
export async function showNewPassword(site: Site, request: PageRequest): Promise<Response> {
  const secret = linkSecret(request)
  const reset = await openMailedLink(site, request, () => findResetLink(site.database, secret))
  return reset === null ? expiredLinkPage() : pageResponse(page(reset, secret))
}

export async function saveNewPassword(site: Site, request: PageRequest): Promise<Response> {
  const sent = await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES)
  const secret = sent.get('link') ?? ''
  const reset = await openMailedLink(site, request, () => findResetLink(site.database, secret))
  if (reset === null) return expiredLinkPage()
  try {
    const form = { password: sent.get('password') ?? '', endsActiveAccess: sent.has('end_standing') }
    await resetByLink(site.database, secret, form, originOf(site, request))
    const response = messageResponse({
      title: say`Your password was changed`,
      body: `${say`You were signed out on all devices. Sign in with your new password.`}${reset.passkeys > 0 && !reset.claims ? ` ${remainingPasskeysText(reset.passkeys)}` : ''}`,
      next: { label: say`Sign in`, href: reset.claims ? '/sign-in?to=/account/before' : '/sign-in' },
    })
    response.headers.append('Set-Cookie', site.cookie.clear())
    return response
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'not_found') return expiredLinkPage()
    return pageResponse(page(reset, secret, error), { status: statusOf(error) })
  }
}

/** Explains which sign-in methods a new password leaves in place, since someone else may have added one. */
const remainingPasskeysText = (passkeys: number): string =>
  sayCount(
    passkeys,
    "One passkey still signs you in. After you sign in, remove it under Settings if you don't recognize it.",
    "{0} passkeys still sign you in. After you sign in, remove those you don't recognize under Settings.",
  )

const page = (
  { email, activeAccess, linked, passkeys, claims }: ResetLinkView,
  secret: string,
  refusal?: Refusal,
): Html =>
  layout({
    title: say`Set a new password`,
    isNarrow: true,
    body: html`
<section class="ticket">
  <h1>${say`Set a new password`}</h1>
  <p class="lead">${say`For ${email}. This signs you out on all devices.`}</p>${when(
    claims,
    () => html`
  <p>
    ${say`Everything that could sign in before stops working: browsers, passkeys, authenticator apps, linked accounts, keys and connected apps.`}
  </p>`,
  )}${when(
    linked > 0 && !claims,
    () => html`
  <p>${say`Outside accounts that sign you in are unlinked. You can link yours again afterwards.`}</p>`,
  )}${when(
    passkeys > 0 && !claims,
    () => html`
  <p>${remainingPasskeysText(passkeys)}</p>`,
  )}${when(refusal, refusalNotice)}
  <form class="form" method="post" action="/new-password">
    ${hidden('link', secret)}
    <input type="hidden" name="email" autocomplete="username" value="${email}">
    ${field({
      name: 'password',
      label: say`New password`,
      type: 'password',
      autocomplete: 'new-password',
      isRequired: true,
      isFocused: true,
      help: say`At least 12 characters`,
    })}${when(activeAccess.keys + activeAccess.apps > 0 && !claims, () =>
      checkbox({
        name: 'end_standing',
        label: say`Also revoke my API keys and connected apps, in every company`,
        help: say`They work without the password. API keys: ${activeAccess.keys}; connected apps: ${activeAccess.apps}.`,
      }),
    )}
    <p class="actions">${button({ label: say`Set password`, kind: 'main' })}</p>
  </form>
</section>`,
  })
