import type { MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { ownPath, redirect } from '../platform/http/answer.ts'
import { html, when, type Html } from '../platform/html/html.ts'
import type { PageRequest } from '../platform/http/page_request.ts'
import { say } from '../platform/i18n/say.ts'

/** Message that the next page shows once: what was done, where to go on, and how to undo it. */
export type FlashMessage = {
  sentence: string
  /** What to know about it, such as a warning of the tool. */
  notes?: readonly string[] | undefined
  next?: { label: string; href: string } | undefined
  /** Form that is sent to our own path `action`, with these fields. */
  undo?: { label?: string | undefined; action: string; fields: Readonly<Record<string, string>> } | undefined
}

const NAME = 'callout_saying'

/** Maximum characters that browsers keep in a cookie, without its name and attributes. */
const MAX_LENGTH = 3_500

/** Sends the browser on to one of our own pages, which says this once. */
export const redirectWithMessage = (to: string, saying: FlashMessage): Response =>
  redirect(to, { 'Set-Cookie': cookie(encodeMessage(saying), 60) })

/** Returns what this browser is still to be told, for a page that tells it now. Whatever isn't ours is nothing. */
export function takeFlashMessage({ req }: PageRequest): FlashMessage | undefined {
  const match = COOKIE_PATTERN.exec(req.header('cookie') ?? '')
  if (match === null) return undefined
  SHOWN_REQUESTS.add(req.raw)
  return decodeMessage(match[1]!)
}

/** Makes the browser forget what the answered page told it. */
export const clearFlashMessage: MiddlewareHandler = async (visit, next) => {
  await next()
  if (SHOWN_REQUESTS.has(visit.req.raw)) visit.res.headers.append('Set-Cookie', cookie('', 0))
}

const COOKIE_PATTERN = new RegExp(`(?:^|;\\s*)${NAME}=([A-Za-z0-9_-]{1,${MAX_LENGTH}})(?:;|$)`)

const SHOWN_REQUESTS = new WeakSet<Request>()

/** Draws the sentence, announced to those who don't see it. */
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
  return `${NAME}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`
}

/** Leaves out what doesn't fit: the way back first, then the notes, and shortens the sentence last. */
function encodeMessage({ sentence, notes, next, undo }: FlashMessage): string {
  const tries: FlashMessage[] = [
    { sentence, notes: notes ?? [], next, undo },
    { sentence, notes: notes ?? [], next },
    { sentence, next },
  ]
  return (
    tries.map(toBase64Url).find((text) => text.length <= MAX_LENGTH) ??
    toBase64Url({ sentence: `${sentence.slice(0, 300)}…` })
  )
}

const toBase64Url = (saying: FlashMessage): string => Buffer.from(JSON.stringify(saying)).toString('base64url')

function decodeMessage(text: string): FlashMessage | undefined {
  try {
    return MESSAGE_SCHEMA.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data
  } catch {
    return undefined
  }
}

const ownPathSchema = z.string().refine((path) => ownPath(path, '') !== '')

/** Leaves out a link or a form that leads elsewhere. */
const MESSAGE_SCHEMA = z.object({
  sentence: z.string(),
  notes: z.array(z.string()).optional().catch(undefined),
  next: z.object({ label: z.string(), href: ownPathSchema }).optional().catch(undefined),
  undo: z
    .object({ label: z.string().optional(), action: ownPathSchema, fields: z.record(z.string(), z.string()) })
    .optional()
    .catch(undefined),
})
