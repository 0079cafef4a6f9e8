import type { Caller } from '../identity/credentials/caller.ts'
import { mustWait } from '../tools/call/burst_limit.ts'
import { mayCall } from '../tools/call/call.ts'
import type { ToolCatalog } from '../tools/declare/catalog.ts'
import { withWaitingCard } from './cards/cards.ts'
import type { Narrowing } from './protocol/types.ts'
import { requireValue } from '../platform/errors/require_value.ts'

/**
 * Lists the tools of a catalog as a caller asked for them, as JSON that is written once: with `mine` only those that it
 * may call (docs/spec/tools.md#own-tools), with `ui` those that only propose with the card of what waits.
 */
export function ownTools(
  { tools, descriptions }: ToolCatalog,
  { mine, ui }: Pick<Narrowing, 'mine' | 'ui'>,
): (caller: Caller) => string {
  const told = descriptions.map((description) => ({
    listed: requireValue(tools.get(description.name), 'A described tool'),
    json: JSON.stringify(description),
    waiting: JSON.stringify(withWaitingCard(description)),
  }))
  return (caller) => {
    const own = told.filter(({ listed }) => !mine || mayCall(caller, listed))
    const waits = (listed: (typeof own)[number]['listed']): boolean =>
      ui && !listed.tool.reads && mustWait({ caller, listed })
    return `[${own.map(({ listed, json, waiting }) => (waits(listed) ? waiting : json)).join(',')}]`
  }
}
