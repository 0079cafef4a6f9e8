import { takeAttempt } from '../../identity/sign_in/attempts.ts'
import { messageResponse } from '../../platform/html/message.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { ifRefused } from '../../platform/errors/refusal.ts'
import type { Site } from '../site.ts'

/** Maximum links opened per 15 minutes from one network address, so that links can't be guessed. */
const MAX_OPENED = 60

/** Opens a mailed link; returns null if it is used, expired or invalid, or if the address exceeded its limit. */
export async function openMailedLink<T>(
  { database, clientAddressOf }: Site,
  request: PageRequest,
  open: () => Promise<T>,
  kind = 'link',
): Promise<T | null> {
  if (
    (await takeAttempt(database, [{ subject: `${kind} ${clientAddressOf(request.env.incoming)}`, max: MAX_OPENED }])) >
    0
  )
    return null
  return open().catch(ifRefused(null))
}

/** Returns the secret in the URL. */
export const linkSecret = (request: PageRequest): string => new URL(request.req.url).searchParams.get('link') ?? ''

/** Renders the page for a link that no longer works. */
export const expiredLinkPage = (): Response =>
  messageResponse({
    title: say`This link can't be used`,
    status: 404,
    body: say`It was already used or has expired. Request a new one.`,
    next: { label: say`Home`, href: '/' },
  })
