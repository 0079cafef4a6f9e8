import { pageAnswer, signInFirst } from '../../html/answer.ts'
import { button } from '../../html/button.ts'
import { RECORD_BYTES, fieldsIn, hasFiles, isForm, writtenOf } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { layout } from '../../html/layout.ts'
import type { HttpAnswer } from '../../http_refusal.ts'
import type { Visit } from '../../html/visit.ts'
import { signInPage } from './sign_in_page.ts'
import { say } from '../../language/say.ts'

/** For a form that was sent when its session had ended: signing in, with the typed text kept in the page. Files can't be kept. */
export async function signInAgain({ req: { raw } }: Visit, path: string): Promise<HttpAnswer> {
  if (!isForm(raw)) return signInFirst(hasFiles(raw) ? path : '/')
  const written = await writtenOf(raw, RECORD_BYTES)
  fieldsIn(written)
  return pageAnswer(signInPage({ to: path, typed: written.toString('base64url') }), { status: 401 })
}

/** Is the size of a record's form when it is carried along: letters and digits alone, which a page holds as they are. */
export const KEPT_BYTES = Math.ceil((RECORD_BYTES * 4) / 3)

export const isKept = (typed: string): boolean => typed.length <= KEPT_BYTES && /^[\w-]*$/.test(typed)

/** Draws the form as it was, after signing in again, to be sent by the person who is signed in now. */
export const goOnPage = (path: string, typed: string): Html =>
  layout({
    title: say`Signed in`,
    isNarrow: true,
    body: html`
<section class="ticket">
  <h1>${say`You are signed in again`}</h1>
  <p class="lead">${say`What you typed is still here.`}</p>
  <form class="form" method="post" action="${path}">${[...fieldsIn(Buffer.from(typed, 'base64url'))].map(
    ([name, value]) => html`
    <input type="hidden" name="${name}" value="${value}">`,
  )}
    <p class="actions">${button({ label: say`Send it now`, kind: 'main' })}<a class="button plain" href="/">${say`Cancel`}</a></p>
  </form>
</section>`,
  })
