import { z } from 'zod'
import type { Area } from '../access/rights/areas.ts'
import type { Caller } from '../access/credentials/caller.ts'
import type { Scope, Subject } from '../access/rights/scopes.ts'
import type { Db } from '../db/tenant.ts'
import type { RuleWords } from '../refusal.ts'
import { extentOf, type Extent } from './extent.ts'
import { createInputs } from './inputs.ts'
import type { Outcome } from './outcome.ts'

export type Verb = 'list' | 'search' | 'get' | 'create' | 'update' | 'archive' | 'delete' | 'cancel' | 'void' | 'end' | Act

/** What people do on the pages and the tool endpoint deliberately lacks (docs/spec/interface.md#left-out-of-the-tools). */
export type Act = 'pin' | 'tag' | 'merge' | 'take_over' | 'add_media' | 'remove_media'

/** What a tool runs with: one tenant's rows, who calls, and the address that links begin with. */
export type RunContext = { db: Db; caller: Caller; baseUrl: string }

/** Notes a problem: the field's path, and the words of the rule after it. */
export type NoteProblem = (path: string, rule: RuleWords) => void

/** The rules that a shape alone can't hold. */
type Check<Given> = (given: Given, problem: NoteProblem) => void

type Declared<Shape extends z.ZodRawShape, Given = z.output<z.ZodObject<Shape, z.core.$strict>>> = {
  verb: Verb
  title: string
  /** What the client is told beside the title. */
  description: string
  input: Shape
  /** U: a tenant key has no user and can't call it. */
  person?: true
  /** The counter that it takes numbers off: calls of one tenant that would wait for it wait before they have a connection. */
  counter?: NumberSeries
  check?: Check<Given>
  run: (context: RunContext, given: Given) => Promise<Outcome>
}

/** Whose rows are locked until a transaction ends, as numbers have no gap. */
export type NumberSeries = 'invoice' | 'job' | 'quote'

/** A record as a list of resources shows it, for a person to pick one. */
export type Recent = { id: string; name: string; title: string; description: string; updated_at: string }

/** A tool as its entity declares it. */
export type Tool = {
  verb: Verb
  title: string
  description: string
  person: boolean
  reads: boolean
  counter: NumberSeries | undefined
  input: z.ZodObject
  extent: Extent
  check: Check<never> | undefined
  run: (context: RunContext, given: never) => Promise<Outcome>
}

export type Entity = {
  /** In wire names: `job_series`. */
  name: string
  /** One of them: `job`. */
  singular: string
  subject: Subject
  area: Area
  /** Whether `get` and `create` answer the address of its page. */
  linked: boolean
  /** Makes its records resources: those that changed last, newest change first, without what a list leaves out. */
  recent?: (context: RunContext, most: number) => Promise<Recent[]>
  /** Where some fields are not every caller's: a record as this one may see it, also one that was answered before. */
  seen?: (caller: Caller, record: Record<string, unknown>) => Record<string, unknown>
  tools: readonly [Tool, Tool, Tool, Tool, Tool]
  /** Run through the same walk as the tools, and listed nowhere. */
  acts: readonly Tool[]
}

const READS: ReadonlySet<Verb> = new Set(['list', 'search', 'get'])

/** A tool's declaration. */
export function tool<const Shape extends z.ZodRawShape>(declared: Declared<Shape>): Tool {
  const { verb, title, description, person = false, counter, check, run } = declared
  const input = z.strictObject({ ...declared.input, ...sharedInputs(verb) })
  return { verb, title, description, person, reads: READS.has(verb), counter, check, run, input, extent: extentOf(input) } as Tool
}

/** What every tool of a verb takes (docs/spec/interface.md#idempotency). */
const sharedInputs = (verb: Verb): z.ZodRawShape => (verb === 'create' ? createInputs : {})

/** An entity's declaration; its wire names, scopes, links, documentation and snapshots derive from it. */
export const entity = (declared: Omit<Entity, 'linked' | 'acts'> & { linked?: true; acts?: readonly Tool[] }): Entity =>
  ({ acts: [], ...declared, linked: declared.linked ?? false })

/** The scope a tool needs. */
export const scopeOf = ({ subject }: Entity, { reads }: Tool): Scope => `${reads ? 'read' : 'write'}:${subject}`
