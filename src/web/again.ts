import { answer, signInFirst } from '../html/answer.ts'
import { button } from '../html/button.ts'
import { RECORD_BYTES, formOf, hasFiles, isForm } from '../html/form.ts'
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import { layout } from '../html/layout.ts'
import type { Visit } from '../html/visit.ts'
import { signInPage } from './sign_in_page.ts'

/** For a form that was sent when its session had ended: signing in, with the typed text kept in the page. Files can't be kept. */
export async function signInAgain({ req: { raw } }: Visit, path: string): Promise<Response> {
  if (!isForm(raw)) return signInFirst(hasFiles(raw) ? path : '/')
  const typed = await formOf(raw, RECORD_BYTES)
  return answer(signInPage({ to: path, typed: typed.toString() }), { status: 401 })
}

/** After signing in again: the form as it was, to be sent by the person who is signed in now. */
export const goOnPage = (path: string, typed: string): Html => layout({
  title: 'Signed in', isNarrow: true,
  body: html`
<section class="ticket">
  <h1>You are signed in again</h1>
  <p class="lead">What you typed is still here.</p>
  <form class="form" method="post" action="${path}">${[...new URLSearchParams(typed)].map(([name, value]) => html`
    <input type="hidden" name="${name}" value="${value}">`)}
    <p class="actions">${button({ label: 'Send it now', kind: 'main' })}<a class="button plain" href="/">Leave it</a></p>
  </form>
</section>`,
})
