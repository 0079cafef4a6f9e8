import type { Verb } from './define.ts'

/** Context for making examples. */
type ExampleScene = {
  /** Calls a tool as an owner. Returns its record. */
  call(tool: string, input: object): Promise<{ id: string } & Record<string, unknown>>
  /** Word in every text of the examples. */
  word: string
  /** Id of the owner. */
  user: string
  /** Returns the ids made by the examples of another entity, which are made first. */
  idsOf(entity: string): Promise<Readonly<Record<string, string>>>
}

type Ids<Kind extends string> = Readonly<Record<Kind, string>>

/** Records of an entity and arguments of its tools, for tests that run all tools. `Kind` names the records. */
export type Examples<Kind extends string = string> = {
  /** Creates records. Returns their ids by the names that the arguments use. */
  make?(scene: ExampleScene): Promise<Readonly<Record<string, string>>>
  /** Returns the arguments of each tool by its verb, one entry per call, with as many records as the tool can name. */
  given: { readonly [verb in Verb]?: (of: Ids<Kind>) => readonly object[] }
  /** Fields that a new record requires although no schema says so. */
  needs?: readonly string[]
}

/** Returns the arguments of a tool that is about one record. */
export const byId =
  <Kind extends string>(kind: Kind) =>
  (of: Ids<Kind>): readonly object[] => [{ id: of[kind] }]

let serial = 0

/** Returns a name that no other record has. */
export const freshName = (): string => `Made ${++serial}`

/** Returns the date that many days from now. */
export const dayAhead = (days: number): string => Temporal.Now.plainDateISO('UTC').add({ days }).toString()
