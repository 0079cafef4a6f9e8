import { requestReset } from '../../identity/people/recovery/forgotten_password.ts'
import { takeAttempt } from '../../identity/sign_in/attempts.ts'
import { pageResponse } from '../../platform/http/answer.ts'
import { button } from '../../platform/html/parts/button.ts'
import { field } from '../../platform/html/parts/field.ts'
import { MAX_PUBLIC_FORM_BYTES, readFormFields } from '../../platform/http/form.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import { messageResponse } from '../../platform/html/message.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import type { Site } from '../site.ts'

/** Maximum reset emails requested per 15 minutes from one network address, for all recipients together. */
const MAX_REQUESTS = 10

export async function showForgotPassword({ mailing }: Site, request: PageRequest): Promise<Response> {
  return pageResponse(mailing === 'none' ? helpPage() : requestPage(request.req.query('email') ?? ''))
}

/** Returns the same response at once for every address. A later task looks up the account. */
export async function requestResetLink(
  { database, clientAddressOf, mailing }: Site,
  request: PageRequest,
): Promise<Response> {
  if (mailing === 'none') return pageResponse(helpPage(), { status: 409 })
  const email = (await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES)).get('email') ?? ''
  const wait = await takeAttempt(database, [
    { subject: `forgotten password ${clientAddressOf(request.env.incoming)}`, max: MAX_REQUESTS },
  ])
  if (wait > 0) return pageResponse(requestPage(email, wait), { status: 429, headers: { 'Retry-After': String(wait) } })
  await requestReset(database, email)
  return messageResponse({
    title: say`Check your email`,
    body: html`<p>${say`If we can send that address a link, it is on its way. It works once, for one hour.`}</p>
    <p>${say`Didn't get it? Check your spam folder, or ask an owner of your company for a link.`}</p>${when(
      mailing === 'kept',
      () => html`
    <p>${say`This service doesn’t send mail yet. Its administrator can find yours with callout mail list.`}</p>`,
    )}`,
    next: { label: say`Sign in`, href: '/sign-in' },
  })
}

const requestPage = (email: string, wait = 0): Html =>
  layout({
    title: say`Forgotten password`,
    isNarrow: true,
    body: html`
<section class="ticket">
  <h1>${say`Set a new password`}</h1>
  <p class="lead">${say`We'll email you a link.`}</p>${when(wait > 0, () =>
    notice({
      kind: 'error',
      title: say`Too many attempts`,
      body: sayCount(
        Math.max(1, Math.ceil(wait / 60)),
        'Wait a minute, then try again.',
        'Wait {0} minutes, then try again.',
      ),
    }),
  )}
  <form class="form" method="post" action="/forgot-password">
    ${field({
      name: 'email',
      label: say`Email`,
      type: 'email',
      value: email.slice(0, 254),
      autocomplete: 'username',
      isRequired: true,
      isFocused: true,
    })}
    <p class="actions">${button({
      label: say`Send link`,
      kind: 'main',
    })}<a class="button plain" href="/sign-in">${say`Cancel`}</a></p>
  </form>
</section>`,
  })

const helpPage = (): Html =>
  layout({
    title: say`Forgotten password`,
    isNarrow: true,
    body: html`
<section class="ticket">
  <h1>${say`Get help`}</h1>
  <p class="lead">${say`This service sends no mail.`}</p>
  <p>${say`An owner of your company can make you a link that sets a new password: under Settings, Members, your name. If you belong to several companies, ask this service’s administrator.`}</p>
  <p class="actions"><a class="button main" href="/sign-in">${say`Sign in`}</a></p>
</section>`,
  })
