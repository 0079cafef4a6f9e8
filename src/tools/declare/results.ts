import type { Entity, Tool, Verb } from './define.ts'

/** Result of each tool and action, by wire name. `records/index.ts` derives it from the declarations. */
// eslint-disable-next-line typescript/no-empty-object-type -- it is filled where the entities are known
export interface Results {}

export type Wire = keyof Results

/** Names of the entities that have a tool with a verb. */
export type EntityNameWith<V extends Verb> = Wire extends infer One
  ? One extends `${infer Name}_${V}`
    ? Name
    : never
  : never

type EntityResults<E> =
  E extends Entity<infer Name, infer Tools, infer Acts> ? WiredOf<Name, Tools[number] | Acts[number]> : never
type WiredOf<Name extends string, T> =
  T extends Tool<infer Result, infer Verb> ? { wire: `${Name}_${Verb}`; result: Result } : never

/** Results of the tools and acts of entities, by wire name. */
export type ResultsOf<E> = { [One in EntityResults<E> as One['wire']]: One['result'] }
