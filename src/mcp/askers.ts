import { entryOf, type Caller } from '../access/credentials/caller.ts'
import { readTenant } from '../db/tenant.ts'
import { Refusal } from '../refusal.ts'
import { callTool, isFailed } from '../tools/call.ts'
import type { ToolContext } from '../tools/context.ts'
import type { Catalogue } from '../tools/catalogue.ts'
import type { Asker } from './asker.ts'
import { isOpen, overviewAt, readingOf } from './resources/reading.ts'
import { recentOf, type Kind } from './resources/records.ts'
import { sheetMarkdown } from './resources/sheet.ts'
import { errorOf } from './words.ts'

/** Returns what prompts and completions read with, for one caller. */
export const askerFor = (
  context: ToolContext,
  { tools }: Catalogue,
  kinds: readonly Kind[],
  caller: Caller,
): Asker => ({
  caller,
  may(wire) {
    const listed = tools.get(wire)
    return listed !== undefined && caller.scopes.has(listed.scope)
  },
  async ask(wire, given) {
    const answer = await callTool(context, { listed: tools.get(wire)!, caller, client: null, given })
    // What a declaration says that its tool answers is what it answers.
    if (!isFailed(answer)) return answer.result as never
    const { code, message } = errorOf(answer)
    throw 'refusal' in answer ? answer.refusal : new Refusal(code, message)
  },
  async recent(singular, most) {
    const wanted = kinds.filter(({ entity, scope }) => entity.singular === singular && caller.scopes.has(scope))
    return (await recentOf(context, wanted, caller, most)).flat()
  },
  async overview(uri) {
    const asked = overviewAt(uri)
    if (asked === undefined || !isOpen(tools, caller, asked.overview)) return undefined
    const sheet = await readTenant(context.database, entryOf(caller), (db) =>
      asked.overview.read(readingOf({ db, caller, baseUrl: context.baseUrl }, tools), asked.variables),
    )
    return sheet && sheetMarkdown(sheet)
  },
})
