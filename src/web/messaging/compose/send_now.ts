import { ifRefused } from '../../../platform/errors/refusal.ts'
import type { MemberContext } from '../../member_context.ts'
import type { Site } from '../../site.ts'
import { openLetter, type MessageTarget } from './opening.ts'
import { send } from './send.ts'

const NOTHING_ASKED = new URLSearchParams()

/**
 * Sends a new document to its default recipient with the company's template. Returns the confirmation. If a person has
 * to decide first (no sender, no recipient, or the first one opted out), it sends nothing and returns undefined.
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
