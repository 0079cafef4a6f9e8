import { pageAnswer, responseOf } from '../http/answer.ts'
import { html, when, type Html } from './html.ts'
import { layout } from './layout.ts'
import { HttpRefusal, type HttpAnswer } from '../errors/http_refusal.ts'
import { say } from '../i18n/say.ts'

export type PageMessage = {
  title: string
  body: Html | string
  /** Next step for the reader. */
  next?: { label: string; href: string } | undefined
}

type PageMessageOptions = PageMessage & { status?: number; headers?: Readonly<Record<string, string>> }

/** Returns a response with a page that is only a message. */
export const messageResponse = (options: PageMessageOptions): Response => responseOf(messageAnswer(options))

/** Returns a refusal that ends a request with a page that is only a message. */
export const messageRefusal = (options: PageMessageOptions): HttpRefusal => new HttpRefusal(messageAnswer(options))

const messageAnswer = ({ status = 200, headers = {}, ...content }: PageMessageOptions): HttpAnswer =>
  pageAnswer(messagePage(content), { status, headers })

/** Draws a page that is only a message: the problem and the next step. */
export const messagePage = ({ title, body, next }: PageMessage): Html =>
  layout({
    title,
    isNarrow: true,
    body: html`
<section class="ticket">
  <h1>${title}</h1>
  <div class="prose">${typeof body === 'string' ? html`<p>${body}</p>` : body}</div>${when(
    next,
    (next) => html`
  <p class="actions"><a class="button main" href="${next.href}">${next.label}</a></p>`,
  )}
</section>`,
  })

/** Answers a path that exists, requested with a method that it doesn't allow. */
export const methodNotAllowed = (allowed: string) => (): Response =>
  messageResponse({
    title: say`That can't be done here`,
    body: say`This address answers other kinds of requests.`,
    status: 405,
    headers: { Allow: allowed },
    next: { label: say`Home`, href: '/' },
  })
