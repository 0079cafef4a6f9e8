import { MAX_PASSKEY_CHARS } from '../../identity/factors/passkeys/passkey_answers.ts'
import { pageResponse, pageAnswer, redirect, signInAnswer } from '../../platform/http/answer.ts'
import { button } from '../../platform/html/parts/button.ts'
import {
  MAX_PUBLIC_FORM_BYTES,
  MAX_SAVED_FORM_BYTES,
  parseFields,
  hasFiles,
  isForm,
  tooLargeRefusal,
  readFormBody,
} from '../../platform/http/form.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import type { HttpAnswer } from '../../platform/errors/http_refusal.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { signInPage, type signInMethods } from './sign_in_page.ts'
import { say } from '../../platform/i18n/say.ts'

/**
 * Asks a person whose session ended before they sent a form to sign in. The page keeps the form's text. It can't keep
 * files.
 */
export async function signInAgain(
  { req: { raw } }: PageRequest,
  path: string,
  methods: ReturnType<typeof signInMethods>,
): Promise<HttpAnswer> {
  if (!isForm(raw)) return signInAnswer(hasFiles(raw) ? path : '/')
  const formBody = await readFormBody(raw, MAX_SAVED_FORM_BYTES)
  parseFields(formBody)
  return pageAnswer(signInPage({ ...methods, to: path, typed: formBody.toString('base64url') }), { status: 401 })
}

/** Size of a record's form when it is carried along in Base64url, which needs no escaping in a page. */
const MAX_CARRIED_BYTES = Math.ceil((MAX_SAVED_FORM_BYTES * 4) / 3)

/** Maximum bytes of a form that carries another one and a passkey response, with quotes percent-encoded. */
export const MAX_CARRYING_BYTES = MAX_PUBLIC_FORM_BYTES + MAX_CARRIED_BYTES + 2 * MAX_PASSKEY_CHARS

/** Returns the carried form, if any. Limits everything else but a passkey response to `MAX_PUBLIC_FORM_BYTES`. */
export function readCarriedForm(form: URLSearchParams): string | undefined {
  const [formText = '', passkey = ''] = [form.get('typed') ?? undefined, form.get('passkey') ?? undefined]
  const size = [...form].reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (formText.length > MAX_CARRIED_BYTES || !/^[\w-]*$/.test(formText) || passkey.length > MAX_PASSKEY_CHARS)
    throw tooLargeRefusal(MAX_PUBLIC_FORM_BYTES)
  if (size - formText.length - passkey.length > MAX_PUBLIC_FORM_BYTES) throw tooLargeRefusal(MAX_PUBLIC_FORM_BYTES)
  return form.get('typed') ?? undefined
}

/** Continues after authentication: to a page, or with the form that was sent before. */
export const continueTo = (to: string, formText: string | undefined): Response =>
  formText === undefined
    ? redirect(to)
    : pageResponse(continuePage(to, formText), { leavesSite: to.startsWith('/oauth/consent') })

/** Draws the kept form after a new sign-in, to be sent by the person who is signed in now. */
const continuePage = (path: string, formText: string): Html =>
  layout({
    title: say`Signed in`,
    isNarrow: true,
    body: html`
<section class="ticket">
  <h1>${say`Thank you, it's you`}</h1>
  <p class="lead">${say`Your changes are still here.`}</p>
  <form class="form" method="post" action="${path}">${[...parseFields(Buffer.from(formText, 'base64url'))].map(
    ([name, value]) => html`
    <input type="hidden" name="${name}" value="${value}">`,
  )}
    <p class="actions">${button({
      label: say`Send it now`,
      kind: 'main',
    })}<a class="button plain" href="/">${say`Cancel`}</a></p>
  </form>
</section>`,
  })
