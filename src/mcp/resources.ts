import type { Caller } from '../identity/credentials/caller.ts'
import type { ToolContext } from '../tools/call/context.ts'
import type { ToolCatalog } from '../tools/declare/catalog.ts'
import { cardAt } from './cards/cards.ts'
import { listOverviews, overviewAt, overviewTemplates, readOverview } from './resources/reading.ts'
import { absent, listRecent, readRecord, templateOf, type Kind } from './resources/records.ts'
import type { Resources } from './protocol/types.ts'

/** Serves records and overviews by URI, with no more access than the tools give (docs/spec/tools.md#resources). */
export const resourcesOf = (
  context: ToolContext,
  { tools }: ToolCatalog,
  kinds: readonly Kind[],
  hasCards: boolean,
): Resources<Caller> => ({
  templates: (caller) => [...kinds.map(templateOf), ...overviewTemplates(tools, caller)],
  list: (caller) => listRecent(context, kinds, caller, listOverviews(tools, caller)),
  async read(caller, uri, meta) {
    const kind = kinds.find(({ uriPrefix }) => uri.startsWith(uriPrefix))
    if (kind !== undefined) return readRecord(context, kind, caller, uri, meta)
    const requested = overviewAt(uri)
    if (requested !== undefined) return readOverview(context, tools, caller, uri, requested, meta)
    await context.confirm(caller)
    return (hasCards ? cardAt(uri) : undefined) ?? absent
  },
})
