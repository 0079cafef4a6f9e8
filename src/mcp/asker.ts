import type { Caller } from '../access/credentials/caller.ts'
import { Refusal } from '../refusal.ts'
import { callTool, isFailed } from '../tools/call.ts'
import type { Results, Wire } from '../tools/results.ts'
import type { ToolContext } from '../tools/context.ts'
import type { Catalogue } from '../tools/catalogue.ts'
import type { Recent } from '../tools/define.ts'
import { recentOf, type Kind } from './resources.ts'
import { errorOf } from './words.ts'

/** Gives prompts and completions the tools of one caller, under their own checks. */
export type Asker = {
  caller: Caller
  /** Tells whether a tool exists and the caller has the scope for it. */
  may(wire: string): boolean
  /** Returns the result of a tool; its refusal is thrown. */
  ask<W extends Wire>(wire: W, given: object): Promise<Results[W]>
  /** Lists what changed last of a kind of record, named by the word for one. */
  recent(singular: string, most: number): Promise<Recent[]>
}

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
})
