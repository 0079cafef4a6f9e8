import { ifRefused } from '../../../platform/errors/refusal.ts'
import type { MemberContext } from '../../member_context.ts'
import type { Site } from '../../site.ts'
import { openMessageForm, type MessageTarget } from './opening.ts'
import { sendMessage } from './send.ts'

const NO_PARAMETERS = new URLSearchParams()

/**
 * Sends a new document to its default recipient with the company's template. Returns the confirmation. If a person has
 * to decide first (no sender, no recipient, or the first one opted out), it sends nothing and returns undefined.
 */
export async function sendNow(
  site: Site,
  context: MemberContext,
  target: MessageTarget,
  key: string,
): Promise<string | undefined> {
  const { record, kind, channel, people, hasSender, objection, draft } = await openMessageForm(
    site,
    context,
    target,
    NO_PARAMETERS,
  )
  const [first] = people
  if (first === undefined || first.address !== draft.to || !hasSender || objection !== undefined) return undefined
  const letter = { kind, channel, ...draft, toName: null, firstName: null }
  return sendMessage(site, context, { target, draft: letter, key, seenVersion: record.updated_at }).catch(
    ifRefused(undefined),
  )
}
