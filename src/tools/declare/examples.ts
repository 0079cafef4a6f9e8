import type { Verb } from './define.ts'

/** Holds what examples are made with. */
type ExampleScene = {
  /** Calls a tool as an owner; answers its record. */
  call(tool: string, input: object): Promise<{ id: string } & Record<string, unknown>>
  /** Stands in every text of what is made. */
  word: string
  /** Id of the owner. */
  user: string
  /** Returns the ids that the examples of an entity made, which are made first. */
  idsOf(entity: string): Promise<Readonly<Record<string, string>>>
}

type Ids<Kind extends string> = Readonly<Record<Kind, string>>

/** Records of an entity and arguments of its tools, for tests that walk all tools: `Kind` are the records they name. */
export type Examples<Kind extends string = string> = {
  /** Makes records; answers their ids by what the arguments call them. */
  make?(scene: ExampleScene): Promise<Readonly<Record<string, string>>>
  /** Returns the arguments of each tool by its verb, one call an entry, naming as many records as the tool can. */
  given: { readonly [verb in Verb]?: (of: Ids<Kind>) => readonly object[] }
  /** Names the fields that a record can't be made without, though no schema says so. */
  needs?: readonly string[]
}

/** Arguments of a tool that is about one record. */
export const byId =
  <Kind extends string>(kind: Kind) =>
  (of: Ids<Kind>): readonly object[] => [{ id: of[kind] }]

let serial = 0

/** Returns a name that no other record has. */
export const freshName = (): string => `Made ${++serial}`

/** Returns a day from now on. */
export const dayAhead = (days: number): string => Temporal.Now.plainDateISO('UTC').add({ days }).toString()
