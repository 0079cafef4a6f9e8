import type { MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { ownPath, redirect } from '../platform/http/answer.ts'
import { html, when, type Html } from '../platform/html/html.ts'
import type { PageRequest } from '../platform/http/page_request.ts'
import { say } from '../platform/i18n/say.ts'

/** Message the next page shows once: the result, a link to continue, and an undo form. */
export type FlashMessage = {
  sentence: string
  /** Additional information, such as a tool's warnings. */
  notes?: readonly string[] | undefined
  next?: { label: string; href: string } | undefined
  /** Form that is posted to our own path `action`, with these fields. */
  undo?: { label?: string | undefined; action: string; fields: Readonly<Record<string, string>> } | undefined
}

const COOKIE_NAME = 'callout_saying'

/** Maximum characters of the cookie's value that browsers store. */
const MAX_LENGTH = 3_500

/** Redirects to one of our own pages, which shows the message once. */
export const redirectWithMessage = (to: string, message: FlashMessage): Response =>
  redirect(to, { 'Set-Cookie': cookie(encodeMessage(message), 60) })

/** Returns the message for the page now being shown; undefined for a cookie that isn't ours. */
export function takeFlashMessage({ req }: PageRequest): FlashMessage | undefined {
  const match = COOKIE_PATTERN.exec(req.header('cookie') ?? '')
  if (match === null) return undefined
  SHOWN_REQUESTS.add(req.raw)
  return decodeMessage(match[1]!)
}

/** Clears the cookie once a page has shown its message. */
export const clearFlashMessage: MiddlewareHandler = async (request, next) => {
  await next()
  if (SHOWN_REQUESTS.has(request.req.raw)) request.res.headers.append('Set-Cookie', cookie('', 0))
}

const COOKIE_PATTERN = new RegExp(`(?:^|;\\s*)${COOKIE_NAME}=([A-Za-z0-9_-]{1,${MAX_LENGTH}})(?:;|$)`)

const SHOWN_REQUESTS = new WeakSet<Request>()

/** Renders the message and announces it to screen readers. */
export const flashMessageHtml = ({ sentence, notes = [], next, undo }: FlashMessage): Html => html`
<div class="saying" role="status">
  <p><b>${sentence}</b>${notes.map((note) => html` <span class="saying-note">${note}</span>`)}${when(
    next,
    ({ label, href }) => html` <a href="${href}">${label}</a>`,
  )}</p>${when(
    undo,
    ({ label = say`Undo`, action, fields }) => html`
  <form method="post" action="${action}">${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button class="button plain">${label}</button></form>`,
  )}
</div>`

function cookie(value: string, seconds: number): string {
  return `${COOKIE_NAME}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`
}

/** Drops what doesn't fit: the undo form first, then the notes; truncates the sentence last. */
function encodeMessage({ sentence, notes, next, undo }: FlashMessage): string {
  const candidates: FlashMessage[] = [
    { sentence, notes: notes ?? [], next, undo },
    { sentence, notes: notes ?? [], next },
    { sentence, next },
  ]
  return (
    candidates.map(toBase64Url).find((text) => text.length <= MAX_LENGTH) ??
    toBase64Url({ sentence: `${sentence.slice(0, 300)}…` })
  )
}

const toBase64Url = (message: FlashMessage): string => Buffer.from(JSON.stringify(message)).toString('base64url')

function decodeMessage(text: string): FlashMessage | undefined {
  try {
    return MESSAGE_SCHEMA.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data
  } catch {
    return undefined
  }
}

const ownPathSchema = z.string().refine((path) => ownPath(path, '') !== '')

/** Schema of a message; drops a link or form that leads to another site. */
const MESSAGE_SCHEMA = z.object({
  sentence: z.string(),
  notes: z.array(z.string()).optional().catch(undefined),
  next: z.object({ label: z.string(), href: ownPathSchema }).optional().catch(undefined),
  undo: z
    .object({ label: z.string().optional(), action: ownPathSchema, fields: z.record(z.string(), z.string()) })
    .optional()
    .catch(undefined),
})
