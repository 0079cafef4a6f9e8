import fc, { type Arbitrary } from 'fast-check'
import type { Result } from '../harness/harness.ts'
import { tools } from './calls.ts'
import { target } from './fields.ts'

/**
 * Call in a history. A text with a leading @ refers to a record: `@job:4` to one that exists by then, `@part:4` to an
 * item that a bundle may contain, `@job:foreign` to one of another tenant. `~` in a text becomes a unique number.
 */
export type Command = { by: string; tool: string; given: Result }

const actor = fc.oneof(
  { weight: 20, arbitrary: fc.constant('ana') },
  { weight: 3, arbitrary: fc.constant('ben') },
  { weight: 4, arbitrary: fc.constant('office') },
  { weight: 3, arbitrary: fc.constant('tech') },
  { weight: 2, arbitrary: fc.constant('robot') },
  { weight: 1, arbitrary: fc.constant('stranger') },
)

/**
 * Subjects of a history. A kind that is listed more often gets more calls, so that one record has enough of them for
 * its rules to interact.
 */
const THEMES: readonly (readonly string[])[] = [
  ['customer', 'contact', 'contact', 'location', 'location', 'location', 'tag'],
  ['note', 'note', 'tag', 'customer', 'contact', 'job'],
  ['customer', 'location', 'job', 'job', 'job', 'quote', 'invoice'],
  ['job', 'job', 'note', 'contact'],
  ['invoice', 'invoice', 'invoice', 'rate', 'item', 'job'],
  ['quote', 'quote', 'quote', 'invoice', 'rate'],
  ['plan', 'plan', 'plan', 'rate', 'customer', 'location'],
  ['category', 'category', 'category', 'item', 'item'],
  ['category'],
  ['category'],
  ['item'],
  ['item', 'item', 'item', 'rate'],
  Object.keys(tools),
]

const OFTEN: Readonly<Record<string, number>> = { create: 5, update: 9, get: 1 }
const often = (kind: string, verb: string): number =>
  OFTEN[verb] ?? (kind === 'customer' ? 1 : kind === 'item' || kind === 'category' ? 4 : 2)

const callsOf = (kind: string): { weight: number; arbitrary: Arbitrary<Omit<Command, 'by'>> }[] =>
  Object.entries({ [`get of ${kind}`]: target(kind), ...tools[kind]! }).map(([tool, arguments_]) => ({
    weight: often(kind, tool.startsWith('get') ? 'get' : tool.split('_').at(-1)!),
    arbitrary: arguments_.map((given) => ({ tool, given })),
  }))

/** First command of every history. It makes the customer. */
const FIRST: Command = {
  by: 'ana',
  tool: 'customers_create',
  given: {
    customer_type: 'individual',
    first_name: 'Ana ~',
    status: 'lead',
    contacts: [{ first_name: 'Kim ~' }],
    locations: [{ address_line1: '~ Elm St' }],
  },
}

const callOf = (theme: readonly string[]): Arbitrary<Command> =>
  fc.tuple(actor, fc.oneof(...theme.flatMap(callsOf))).map(([by, command]) => ({ by, ...command }))

/** Histories of at most that many calls after the first. Half of them have the maximum. */
export const histories = (most: number): Arbitrary<Command[]> =>
  fc.oneof(
    ...THEMES.map((theme) =>
      fc.array(callOf(theme), { maxLength: 2 * most, size: 'max' }).map((calls) => [FIRST, ...calls.slice(0, most)]),
    ),
  )
