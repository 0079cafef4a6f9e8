import { takeAttempt } from '../../identity/sign_in/attempts.ts'
import { message } from '../../platform/html/message.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { ifRefused } from '../../platform/errors/refusal.ts'
import type { Site } from '../site.ts'

/** Limits links opened in a quarter of an hour from one address, so that nobody guesses one. */
const MAX_OPENED = 60

/** Opens what a link is for; null for one that is used, old or made up, and past the limit of an address. */
export async function openMailedLink<T>(
  { database, senderOf }: Site,
  visit: PageRequest,
  open: () => Promise<T>,
  kind = 'link',
): Promise<T | null> {
  if ((await takeAttempt(database, [{ subject: `${kind} ${senderOf(visit.env.incoming)}`, most: MAX_OPENED }])) > 0)
    return null
  return open().catch(ifRefused(null))
}

/** Returns the secret that an address carries. */
export const linkSecret = (visit: PageRequest): string => new URL(visit.req.url).searchParams.get('link') ?? ''

/** Draws the page of a link that no longer works. */
export const expiredLinkPage = (): Response =>
  message({
    title: say`This link can't be used`,
    status: 404,
    body: say`It was already used or has expired. Request a new one.`,
    next: { label: say`Home`, href: '/' },
  })
