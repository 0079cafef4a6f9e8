import type { Caller } from '../identity/credentials/caller.ts'
import { needsApproval } from '../tools/call/burst_limit.ts'
import { mayCall } from '../tools/call/call.ts'
import type { ToolCatalog } from '../tools/declare/catalog.ts'
import { withWaitingCard } from './cards/cards.ts'
import type { Narrowing } from './protocol/types.ts'
import { requireValue } from '../platform/errors/require_value.ts'

/**
 * Lists a catalog's tools for a caller, from JSON written once: with `mine` only the tools it may call
 * (docs/spec/tools.md#own-tools), with `ui` the approval card on tools that only propose.
 */
export function ownTools(
  { tools, descriptions }: ToolCatalog,
  { mine, ui }: Pick<Narrowing, 'mine' | 'ui'>,
): (caller: Caller) => string {
  const offered = descriptions.map((description) => ({
    listed: requireValue(tools.get(description.name), 'A described tool'),
    json: JSON.stringify(description),
    waiting: JSON.stringify(withWaitingCard(description)),
  }))
  return (caller) => {
    const own = offered.filter(({ listed }) => !mine || mayCall(caller, listed))
    const needsCard = (listed: (typeof own)[number]['listed']): boolean =>
      ui && !listed.tool.reads && needsApproval({ caller, listed })
    return `[${own.map(({ listed, json, waiting }) => (needsCard(listed) ? waiting : json)).join(',')}]`
  }
}
