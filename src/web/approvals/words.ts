import { say, sayFor } from '../../platform/i18n/say.ts'
import { status } from '../../platform/html/parts/status.ts'
import type { Html } from '../../platform/html/html.ts'
import type { Proposal } from '../../approvals/proposal.ts'
import type { Verb } from '../../tools/declare/define.ts'

/** Returns the label of a call's action. */
export const verbLabel = (verb: Verb): string => VERB_LABELS[verb]?.() ?? sayFor('action')`Change`

const VERB_LABELS: Readonly<Partial<Record<Verb, () => string>>> = {
  create: () => sayFor('action')`New`,
  archive: () => say`Archive`,
  delete: () => say`Delete`,
  cancel: () => say`Cancel`,
  void: () => sayFor('action')`Void`,
  end: () => say`End`,
}

/** Renders the status of a plan. */
export function stateOf({ state, applied, calls }: Pick<Proposal, 'state' | 'applied' | 'calls'>): Html {
  switch (state) {
    case 'open':
      return status(say`Waiting`, 'warning')
    case 'approved':
      return applied === calls ? status(say`Approved`, 'good') : status(say`Approved in part`, 'good')
    case 'declined':
      return status(say`Declined`, 'ended')
    case 'sent_back':
      return status(say`Sent back`, 'plain')
    case 'withdrawn':
      return status(say`Withdrawn`, 'ended')
    case 'expired':
      return status(say`Expired`, 'ended')
  }
}

/** Names the API key or app that made the proposal, and its user. */
export const proposerName = ({
  connection,
  client,
  user_name,
}: Pick<Proposal, 'connection' | 'client' | 'user_name'>): string => {
  const app = client === null || client === connection ? connection : `${connection} (${client})`
  return user_name === null ? app : say`${app}, for ${user_name}`
}
