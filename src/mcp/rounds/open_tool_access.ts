import type { Caller } from '../../identity/credentials/caller.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { callTool, isFailed } from '../../tools/call/call.ts'
import type { ToolContext } from '../../tools/call/context.ts'
import { nameIn } from '../../records/page/result_card.ts'
import type { ToolCatalog, ListedTool } from '../../tools/declare/catalog.ts'
import type { Results } from '../../tools/declare/results.ts'
import type { RecentRecord } from '../../tools/declare/define.ts'
import type { ToolAccess } from './tool_access.ts'
import { mayReadOverview, overviewAt, readSheet } from '../resources/reading.ts'
import { recentOf, type Kind } from '../resources/records.ts'
import { sheetMarkdown } from '../resources/sheet.ts'
import { errorOf } from '../words.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** Returns the access of prompts and completions to one caller's tools. */
export const openToolAccess = (
  context: ToolContext,
  { tools }: ToolCatalog,
  kinds: readonly Kind[],
  caller: Caller,
): ToolAccess => ({
  caller,
  may(wire) {
    const listed = tools.get(wire)
    return listed !== undefined && caller.scopes.has(listed.scope)
  },
  async call(wire, input) {
    const answer = await callTool(context, {
      listed: requireValue(tools.get(wire), 'The tool of a question'),
      caller,
      client: null,
      input,
    })
    // A tool's declaration defines the type of its result.
    if (!isFailed(answer)) return answer.result as Results[typeof wire]
    const { code, message } = errorOf(answer)
    throw 'refusal' in answer ? answer.refusal : new Refusal(code, message)
  },
  kinds: () =>
    [...tools.values()].flatMap(({ entity, tool, scope }) =>
      tool.verb === 'get' && caller.scopes.has(scope) ? [entity.singular] : [],
    ),
  async recent(singular, limit) {
    const matching = kinds.filter(({ entity, scope }) => entity.singular === singular && caller.scopes.has(scope))
    const list = [...tools.values()].find(({ entity, tool }) => entity.singular === singular && tool.verb === 'list')
    if (matching.length === 0 && list !== undefined) return listRecords(context, list, caller, limit)
    return (await recentOf(context, matching, caller, limit)).flatMap(({ records }) => records)
  },
  async overview(uri) {
    const requested = overviewAt(uri)
    if (requested === undefined || !mayReadOverview(tools, caller, requested.overview)) return undefined
    const sheet = await readSheet(context, tools, caller, requested)
    return sheet && sheetMarkdown(sheet)
  },
})

/** Lists the first records of a kind with its tool; none if the tool requires more than a limit. */
async function listRecords(
  context: ToolContext,
  listed: ListedTool,
  caller: Caller,
  limit: number,
): Promise<RecentRecord[]> {
  const answer = await callTool(context, { listed, caller, client: null, input: { limit } })
  if (isFailed(answer)) return []
  const { rows = [] } = answer.result as { rows?: readonly { id: string; updated_at: string }[] }
  return rows.map((row) => ({
    id: row.id,
    name: nameIn(row) ?? '',
    title: '',
    description: '',
    updated_at: row.updated_at,
  }))
}
