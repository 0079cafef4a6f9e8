import { ifRefused } from '../../../platform/errors/refusal.ts'
import type { MemberContext } from '../../member_context.ts'
import type { Site } from '../../site.ts'
import { openLetter, type MessageTarget } from './opening.ts'
import { send } from './send.ts'

const NOTHING_ASKED = new URLSearchParams()

/**
 * Sends a new document to its likeliest person in the company's words, and returns what to say of it. Where somebody
 * has to decide first (no sender, nobody to write to, the first of them opted out) nothing is sent: undefined.
 */
export async function sendNow(
  site: Site,
  context: MemberContext,
  about: MessageTarget,
  key: string,
): Promise<string | undefined> {
  const { matter, kind, channel, people, hasSender, objection, draft } = await openLetter(
    site,
    context,
    about,
    NOTHING_ASKED,
  )
  const [first] = people
  if (first === undefined || first.address !== draft.to || !hasSender || objection !== undefined) return undefined
  const letter = { kind, channel, ...draft, toName: null, firstName: null }
  return send(site, context, { about, letter, key, seen: matter.updated_at }).catch(ifRefused(undefined))
}
