import type { Caller } from '../access/credentials/caller.ts'
import { Refusal } from '../refusal.ts'
import { callTool } from '../tools/call.ts'
import type { ToolContext } from '../tools/context.ts'
import type { Catalogue } from '../tools/catalogue.ts'
import type { Recent } from '../tools/define.ts'
import { recentOf, type Kind } from './resources.ts'

/** Gives prompts and completions the tools of one caller, under their own checks. */
export type Asker = {
  caller: Caller
  /** Tells whether a tool exists and the caller has the scope for it. */
  may(wire: string): boolean
  /** Returns the result of a tool; its refusal is thrown. */
  ask<T>(wire: string, given: object): Promise<T>
  /** Lists what changed last of a kind of record, named by the word for one. */
  recent(singular: string, most: number): Promise<Recent[]>
}

export const askerFor = (context: ToolContext, { tools }: Catalogue, kinds: readonly Kind[], caller: Caller): Asker => ({
  caller,
  may(wire) {
    const listed = tools.get(wire)
    return listed !== undefined && caller.scopes.has(listed.scope)
  },
  async ask<T>(wire: string, given: object): Promise<T> {
    const { text, isError, code = 'internal' } = await callTool(context, { listed: tools.get(wire)!, caller, client: null, given })
    if (isError) throw new Refusal(code, text.slice(code.length + 2))
    return JSON.parse(text) as T
  },
  async recent(singular, most) {
    const wanted = kinds.filter(({ entity, scope }) => entity.singular === singular && caller.scopes.has(scope))
    return (await recentOf(context, wanted, caller, most)).flat()
  },
})
