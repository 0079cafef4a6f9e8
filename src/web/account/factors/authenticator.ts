import { confirmAuthenticator, findSetupSecret } from '../../../identity/factors/authenticator.ts'
import { base32, totpUri } from '../../../identity/sign_in/passwords/totp.ts'
import { strengthenSession, type SignedInUser } from '../../../identity/sign_in/sessions.ts'
import { pageResponse, ownPath, redirect } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { copyable } from '../../../platform/html/parts/copyable.ts'
import { field, hidden } from '../../../platform/html/parts/field.ts'
import { MAX_PUBLIC_FORM_BYTES, readFormFields } from '../../../platform/http/form.ts'
import { html, when } from '../../../platform/html/html.ts'
import { layout } from '../../../platform/html/layout.ts'
import { qrCode } from '../../../platform/html/parts/qr_code.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { statusOf } from '../../faults.ts'
import { requireForFactors } from '../../sign_in/recent.ts'
import { originOf, requirePerson } from '../../sign_in/session.ts'
import type { Site } from '../../site.ts'
import { refusalNotice } from '../../refusal_notice.ts'

/** Shows the secret of an authenticator app during setup, to scan or type, and asks for its first code. */
export async function showAuthenticator(site: Site, request: PageRequest): Promise<Response> {
  const { user, ...session } = await requirePerson(site, request)
  await requireForFactors(site, request, { user, ...session })
  const to = ownPath(request.req.query('to'), '/factors')
  const secret = await findSetupSecret(site, user.id)
  return secret === null ? redirect(to) : setUpPage(user, secret, to)
}

/** Activates the authenticator app, and shows its recovery codes once. */
export async function confirmOwnAuthenticator(site: Site, request: PageRequest): Promise<Response> {
  const session = await requirePerson(site, request)
  await requireForFactors(site, request, session)
  const sent = await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES)
  const to = ownPath(sent.get('to'), '/factors')
  const { user } = session
  try {
    const codes = await confirmAuthenticator(site, user.id, sent.get('code') ?? '', originOf(site, request))
    await strengthenSession(site.database, session, 'totp')
    return recoveryCodesPage(user, codes, to)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const secret = await findSetupSecret(site, user.id)
    return secret === null ? redirect(to) : setUpPage(user, secret, to, error)
  }
}

function setUpPage(user: SignedInUser, secret: Buffer, to: string, refusal?: Refusal): Response {
  const uri = totpUri(secret, { issuer: 'Callout', account: user.email })
  const secretText = (base32(secret).match(/.{1,4}/g) ?? []).join(' ')
  return pageResponse(
    layout({
      title: say`Set up an authenticator app`,
      person: user,
      isNarrow: true,
      styles: ['factors.css'],
      scripts: ['copy.js'],
      body: html`
<section class="ticket">
  <h1>${say`Set up an authenticator app`}</h1>${when(refusal, refusalNotice)}
  <ol class="steps">
    <li>
      <p>
        ${say`Scan this with the app on your phone.`}
      </p>${qrCode(uri, say`QR code for the authenticator app; the secret is below as text`)}
      <p class="help">${say`Or type the secret into the app:`}</p>
      <p>${copyable(secretText)}</p></li>
    <li><p>${say`Enter the six digits that the app shows.`}</p>
      <form class="form" method="post" action="/factors/authenticator/confirm">${hidden('to', to)}
        ${field({
          name: 'code',
          label: say`Code`,
          autocomplete: 'one-time-code',
          keys: 'numeric',
          isRequired: true,
          isFocused: true,
        })}
        <p class="actions">
          ${button({ label: say`Turn it on`, kind: 'main' })}${linkButton(say`Cancel`, to, 'quiet')}
        </p>
      </form></li>
  </ol>
</section>`,
    }),
    { status: refusal === undefined ? 200 : statusOf(refusal) },
  )
}

/** Shows recovery codes, once. */
export const recoveryCodesPage = (person: SignedInUser, codes: readonly string[], to: string): Response =>
  pageResponse(
    layout({
      title: say`Recovery codes`,
      person,
      isNarrow: true,
      styles: ['factors.css'],
      scripts: ['copy.js'],
      body: html`
<section class="ticket">
  <h1>${say`Save these recovery codes`}</h1>
  <p class="lead">
    ${say`Use a code after your password when you don't have the app. Each code works once. Save these codes now. You won't see them again.`}
  </p>
  ${copyable(codes.join('\n'), { isBlock: true })}
  <p class="actions">${linkButton(say`I saved these codes`, to, 'main')}</p>
</section>`,
    }),
  )
