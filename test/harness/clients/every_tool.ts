import { existsSync } from 'node:fs'
import { entities } from '../../../src/records/index.ts'
import type { Entity } from '../../../src/tools/declare/define.ts'
import type { Examples } from '../../../src/tools/declare/examples.ts'
import type { Result } from '../harness.ts'

/** Ids of one record of every kind, of one company. */
export type Records = Record<
  | 'user'
  | 'customer'
  | 'contact'
  | 'location'
  | 'tag'
  | 'note'
  | 'job'
  | 'series'
  | 'invoice'
  | 'quote'
  | 'item'
  | 'bundle'
  | 'parent'
  | 'category'
  | 'plan'
  | 'rate',
  string
>

type Listed = Pick<Entity, 'name' | 'tools'>

/** Loads the examples.ts of an entity. It covers each of the entity's tools. */
async function examplesOf({ name, tools }: Listed): Promise<Examples> {
  const path = `src/records/${name}/examples.ts`
  const file = new URL(`../../../${path}`, import.meta.url)
  if (!existsSync(file)) throw new Error(`${path} is missing: records of ${name}, and arguments that its tools take`)
  const { examples } = (await import(file.href)) as { examples: Examples }
  const without = tools.find(({ verb }) => examples.given[verb] === undefined)
  if (without !== undefined) throw new Error(`${path} has no arguments for ${name}_${without.verb}`)
  return examples
}

/** Lists the examples of every entity, by its name, in the order of tools/list. */
export const EXAMPLES: ReadonlyMap<string, Examples> = new Map(
  await Promise.all(entities.map(async (entity) => [entity.name, await examplesOf(entity)] as const)),
)

/** Example arguments of each tool. They refer to as many records as possible. */
export const ARGUMENTS: Readonly<Record<string, (of: Records) => object[]>> = Object.fromEntries(
  entities.flatMap(({ name, tools }) =>
    tools.map(({ verb }) => [`${name}_${verb}`, (of: Records) => [...EXAMPLES.get(name)!.given[verb]!(of)]]),
  ),
)

/** Company and owner for the examples. */
type Maker = { call(tool: string, given: object): Promise<Result>; owner: { id: string } }

/** Makes a record of every kind. Every text contains `word`. */
export async function makeRecords({ call, owner }: Maker, word: string): Promise<Records> {
  const begun = new Map<string, Promise<Readonly<Record<string, string>>>>()
  const idsOf = (name: string): Promise<Readonly<Record<string, string>>> => {
    if (!begun.has(name))
      begun.set(
        name,
        EXAMPLES.get(name)!.make?.({ call: call as never, word, user: owner.id, idsOf }) ?? Promise.resolve({}),
      )
    return begun.get(name)!
  }
  const records: Record<string, string> = { user: owner.id }
  for (const { name } of entities) Object.assign(records, await idsOf(name))
  return records as Records
}
