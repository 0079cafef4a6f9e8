import type { Caller } from '../access/credentials/caller.ts'
import { Refusal } from '../refusal.ts'
import { callTool, isFailed } from '../tools/call.ts'
import type { ToolContext } from '../tools/context.ts'
import type { Catalogue } from '../tools/catalogue.ts'
import type { Recent } from '../tools/define.ts'
import { recentOf, type Kind } from './resources.ts'
import { errorOf } from './words.ts'

/** What prompts and completions of one caller are made with: the tools, under their own checks. */
export type Asker = {
  caller: Caller
  /** Whether a tool is there and the caller has the scope for it. */
  may(wire: string): boolean
  /** The result of a tool; its refusal is thrown. */
  ask<T>(wire: string, given: object): Promise<T>
  /** What changed last of a kind of record, by what one is called. */
  recent(singular: string, most: number): Promise<Recent[]>
}

export const askerFor = (context: ToolContext, { tools }: Catalogue, kinds: readonly Kind[], caller: Caller): Asker => ({
  caller,
  may(wire) {
    const listed = tools.get(wire)
    return listed !== undefined && caller.scopes.has(listed.scope)
  },
  async ask<T>(wire: string, given: object): Promise<T> {
    const answer = await callTool(context, { listed: tools.get(wire)!, caller, client: null, given })
    if (!isFailed(answer)) return answer.result as T
    const { code, message } = errorOf(answer)
    throw 'refusal' in answer ? answer.refusal : new Refusal(code, message)
  },
  async recent(singular, most) {
    const wanted = kinds.filter(({ entity, scope }) => entity.singular === singular && caller.scopes.has(scope))
    return (await recentOf(context, wanted, caller, most)).flat()
  },
})
