import { z } from 'zod'
import { areaOf, type Area, type AreaSubject } from '../../identity/permissions/areas.ts'
import type { Caller } from '../../identity/credentials/caller.ts'
import type { Scope } from '../../identity/permissions/scopes.ts'
import type { Db } from '../../platform/db/tenant.ts'
import type { RefusalRule } from '../../platform/errors/refusal.ts'
import { inputLimitsOf, type InputLimits } from '../call/input_limits.ts'
import { registerFinder, type Naming } from './finders.ts'
import { createInputs } from './inputs.ts'
import type { Outcome } from '../call/outcome.ts'
import type { RecordFacts } from './record_facts.ts'

export type Verb =
  | 'list'
  | 'search'
  | 'get'
  | 'create'
  | 'update'
  | 'archive'
  | 'delete'
  | 'cancel'
  | 'void'
  | 'end'
  | PageAction

/** Actions of the pages that no tool offers, on purpose (docs/spec/interface.md#left-out-of-the-tools). */
type PageAction =
  | 'pin'
  | 'tag'
  | 'merge'
  | 'take_over'
  | 'book'
  | 'add_line'
  | 'ask_deposit'
  | 'add_option'
  | 'set_optional_lines'
  | 'save_template'
  | 'use_template'
  | 'delete_template'
  | 'accept'
  | 'change_visits'
  | 'add_visits'
  | 'renew'
  | 'schedule_price'
  | 'set_skills'
  | 'cancel_price'
  | 'bill_stage'
  | 'record_payment'
  | 'take_back_payment'
  | 'add_media'
  | 'remove_media'

/**
 * Holds what a tool runs with: one tenant's rows, the caller, the address that links begin with, and whether a model
 * reads the answer, which sees less than a page shows and is warned of more.
 */
export type RunContext = { db: Db; caller: Caller; baseUrl: string; forAgent?: boolean | undefined }

/** Notes a problem: the field's path, and the words of the rule after it. */
export type NoteProblem = (path: string, rule: RefusalRule) => void

/** Describes what a tool is given, once it fits the shape of its input. */
export type ToolInput<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape, z.core.$strict>>

export type ToolDeclaration<
  Shape extends z.ZodRawShape,
  Result extends object = Record<string, unknown>,
  V extends Verb = Verb,
  Prepared = undefined,
> = {
  verb: V
  title: string
  /** Description that clients show beside the title. */
  description: string
  input: Shape
  /** Marks a tool that needs a user (U): a tenant key has none and can't call it. */
  person?: true
  /**
   * Names the counter that it takes numbers from: calls of one tenant that would wait for it wait before they have a
   * connection.
   */
  counter?: NumberSeries
  /**
   * Inputs that change a record of another area, with its write scope: where that only proposes, the call waits too.
   */
  alsoWrites?: Readonly<Record<string, Scope>>
  /** Checks the rules that a shape alone can't hold. */
  check?(input: ToolInput<Shape>, problem: NoteProblem): void
  /**
   * Looks up and locks what the work needs, and writes nothing: its first queries travel with the claim of the
   * idempotency key, whose earlier answer may make the work needless.
   */
  prepare?(context: RunContext, input: ToolInput<Shape>): Promise<Prepared>
  run(context: RunContext, input: ToolInput<Shape>, prepared: Prepared): Promise<Outcome<Result>>
}

/** Names the counter whose row is locked until a transaction ends, so that numbers have no gap. */
type NumberSeries = 'invoice' | 'job' | 'quote'

/** Describes a record in a list of resources, for a person to pick one. */
export type RecentRecord = { id: string; name: string; title: string; description: string; updated_at: string }

/** Describes a tool as the walk runs it, on what its input has read. */
export type Tool<Result extends object = Record<string, unknown>, V extends Verb = Verb> = {
  verb: V
  title: string
  description: string
  person: boolean
  reads: boolean
  counter: NumberSeries | undefined
  alsoWrites: Readonly<Record<string, Scope>>
  input: z.ZodObject
  inputLimits: InputLimits
  check?(input: unknown, problem: NoteProblem): void
  prepare?(context: RunContext, input: unknown): Promise<unknown>
  /** Runs on what `prepare` found, and prepares itself where that was not begun before. */
  run(context: RunContext, input: unknown, preparing?: Promise<unknown>): Promise<Outcome<Result>>
}

export type Entity<
  Name extends string = string,
  Tools extends FiveTools = FiveTools,
  Acts extends readonly Tool[] = readonly Tool[],
> = {
  /** First part of wire names: `job_series`. */
  name: Name
  /** Names one of them: `job`. */
  singular: string
  /** Lists the words that fields which take its id begin with beside the singular: `series` of `series_id`. */
  alsoCalled: readonly string[]
  /** Area of its scopes. */
  subject: AreaSubject
  /** Declares its table and fields. */
  record: RecordFacts
  /** Names the permission area of that subject. */
  area: Area
  /** `get` and `create` answer the address of its page. */
  linked: boolean
  /** Makes its records resources: those that changed last, newest change first, without what a list leaves out. */
  recent?: (context: RunContext, most: number) => Promise<RecentRecord[]>
  /** What people call its records, accepted instead of an id (docs/spec/interface.md#names-instead-of-ids). */
  called?: Naming
  /**
   * Returns what became of a record that tools no longer reach, as words after `it`; undefined for one that never was.
   */
  left?: (db: Db, id: string) => Promise<RefusalRule | undefined>
  /** Returns a record as this caller may see it, a repeated answer too, where some fields are not for everybody. */
  seen?: (caller: Caller, record: Record<string, unknown>) => Record<string, unknown>
  tools: Tools
  /** Actions that run like the tools and are listed nowhere. */
  acts: Acts
}

/** Lists the verbs after which a record is gone, or counts no more. */
const DESTRUCTIVE: ReadonlySet<Verb> = new Set(['archive', 'delete', 'cancel', 'void', 'end'])

export const isDestructive = ({ verb }: Pick<Tool, 'verb'>): boolean => DESTRUCTIVE.has(verb)

const READS: ReadonlySet<Verb> = new Set(['list', 'search', 'get'])

/** Declares a tool of any verb but those that change a record as somebody saw it: `edit` declares them. */
export const tool = <
  const Shape extends z.ZodRawShape,
  Result extends object,
  V extends Exclude<Verb, 'update'>,
  Prepared = undefined,
>(
  declared: ToolDeclaration<Shape, Result, V, Prepared> & { input: { expected_updated_at?: never } },
): Tool<Result, V> => defineTool(declared)

/** Makes a tool from its declaration, with what its verb says of it. */
export function defineTool<Shape extends z.ZodRawShape, Result extends object, V extends Verb, Prepared>({
  person,
  counter,
  alsoWrites = {},
  run,
  ...declared
}: ToolDeclaration<Shape, Result, V, Prepared>): Tool<Result, V> {
  const input = z.strictObject({ ...declared.input, ...verbInputs(declared.verb) })
  let limits: InputLimits | undefined
  return {
    ...declared,
    person: person === true,
    reads: READS.has(declared.verb),
    counter,
    alsoWrites,
    input,
    // When it is first called: those of all tools are a tenth of the time that reading the program takes.
    get inputLimits() {
      return (limits ??= inputLimitsOf(input))
    },
    run: async (context, input: ToolInput<Shape>, preparing = declared.prepare?.(context, input)) =>
      // Without an await where nothing is prepared, so that the first queries are asked in this tick.
      run(context, input, (preparing === undefined ? undefined : await preparing) as Prepared),
  }
}

/** Returns what every tool of a verb takes (docs/spec/interface.md#idempotency). */
const verbInputs = (verb: Verb): z.ZodRawShape => (verb === 'create' ? createInputs : {})

type FiveTools = readonly [Tool, Tool, Tool, Tool, Tool]
type EntityDeclaration = Pick<Entity, 'singular' | 'subject' | 'record' | 'recent' | 'seen' | 'called' | 'left'> &
  Partial<Pick<Entity, 'alsoCalled' | 'linked'>>

/** Declares an entity, from which wire names, scopes, links, documentation, snapshots and id lookup derive. */
export function entity<
  const Name extends string,
  const Tools extends FiveTools,
  const Acts extends readonly Tool[] = readonly [],
>({
  acts,
  ...declared
}: EntityDeclaration & { name: Name; tools: Tools; acts?: Acts }): Entity<Name, Tools, Acts | readonly []> {
  const whole = {
    alsoCalled: [],
    linked: false,
    ...declared,
    acts: acts ?? ([] as const),
    area: areaOf(declared.subject),
  }
  registerFinder({ called: undefined, left: undefined, ...whole, scope: `read:${declared.subject}` })
  return whole
}

/** Returns the scope that a tool needs. */
export const scopeOf = ({ subject }: Entity, { reads }: Tool): Scope => `${reads ? 'read' : 'write'}:${subject}`
