import { z } from 'zod'
import { areaOf, type Area, type AreaSubject } from '../../identity/permissions/areas.ts'
import type { Caller } from '../../identity/credentials/caller.ts'
import type { Scope } from '../../identity/permissions/scopes.ts'
import type { Db } from '../../platform/db/tenant.ts'
import type { RefusalRule } from '../../platform/errors/refusal.ts'
import { inputLimitsOf, type InputLimits } from '../call/input_limits.ts'
import { registerFinder, type NameLookup } from './finders.ts'
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

/** Actions of pages that intentionally have no tool (docs/spec/interface.md#actions-without-a-tool). */
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
 * Context of a run: one tenant's rows, the caller, the base of links, and whether a model reads the answer. A model
 * sees less than a page shows and gets more warnings.
 */
export type RunContext = { db: Db; caller: Caller; baseUrl: string; forAgent?: boolean | undefined }

/** Callback that reports a problem: the field's path, and the text of the rule after it. */
export type ReportProblem = (path: string, rule: RefusalRule) => void

/** Arguments of a tool, after they match its input's schema. */
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
  /** Whether the tool needs a user (U). A tenant key has none and can't call it. */
  person?: true
  /**
   * Counter that it takes numbers from. Calls of one tenant that would wait for it wait before they hold a connection.
   */
  counter?: NumberSeries
  /**
   * Inputs that change a record of another area, with its write scope. If that scope only proposes, the call waits too.
   */
  alsoWrites?: Readonly<Record<string, Scope>>
  /** Checks rules that a schema can't express. */
  check?(input: ToolInput<Shape>, problem: ReportProblem): void
  /**
   * Looks up and locks what the work needs, and writes nothing. Its first queries travel with the claim of the
   * idempotency key, whose earlier answer may make the work unnecessary.
   */
  prepare?(context: RunContext, input: ToolInput<Shape>): Promise<Prepared>
  run(context: RunContext, input: ToolInput<Shape>, prepared: Prepared): Promise<Outcome<Result>>
}

/** Counter whose row is locked until a transaction ends, so that numbers have no gaps. */
type NumberSeries = 'invoice' | 'job' | 'quote'

/** Record in a list of resources, with the fields a person needs to choose it. */
export type RecentRecord = { id: string; name: string; title: string; description: string; updated_at: string }

/** Tool as a call runs it, on input that its schema has parsed. */
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
  check?(input: unknown, problem: ReportProblem): void
  prepare?(context: RunContext, input: unknown): Promise<unknown>
  /** Runs on the result of `prepare`, and calls `prepare` itself if that was not started before. */
  run(context: RunContext, input: unknown, preparing?: Promise<unknown>): Promise<Outcome<Result>>
}

export type Entity<
  Name extends string = string,
  Tools extends FiveTools = FiveTools,
  PageActions extends readonly Tool[] = readonly Tool[],
> = {
  /** First part of wire names: `job_series`. */
  name: Name
  /** Name of one record: `job`. */
  singular: string
  /** Prefixes of fields that hold its id, in addition to the singular: `series` of `series_id`. */
  idAliases: readonly string[]
  /** Area of its scopes. */
  subject: AreaSubject
  /** Table and fields. */
  record: RecordFacts
  /** Permission area of that subject. */
  area: Area
  /** Whether `get` and `create` return the address of its page. */
  linked: boolean
  /** Lists its records as resources: the latest changes first, without what a list leaves out. */
  recent?: (context: RunContext, limit: number) => Promise<RecentRecord[]>
  /** Names accepted instead of the ids of its records (docs/spec/interface.md#names-instead-of-ids). */
  nameLookup?: NameLookup
  /** Returns the fate of a record that tools no longer reach, as text after `it`; undefined if it never existed. */
  explainAbsence?: (db: Db, id: string) => Promise<RefusalRule | undefined>
  /** Returns a record, or a repeated answer, without the fields that this caller may not see. */
  redact?: (caller: Caller, record: Record<string, unknown>) => Record<string, unknown>
  tools: Tools
  /** Actions that run like tools but are not listed. */
  pageActions: PageActions
}

/** Verbs after which a record is gone or no longer counts. */
const DESTRUCTIVE: ReadonlySet<Verb> = new Set(['archive', 'delete', 'cancel', 'void', 'end'])

export const isDestructive = ({ verb }: Pick<Tool, 'verb'>): boolean => DESTRUCTIVE.has(verb)

const READS: ReadonlySet<Verb> = new Set(['list', 'search', 'get'])

/** Declares a tool of any verb. Tools that change a record as the caller saw it are declared with `edit`. */
export const tool = <
  const Shape extends z.ZodRawShape,
  Result extends object,
  V extends Exclude<Verb, 'update'>,
  Prepared = undefined,
>(
  declared: ToolDeclaration<Shape, Result, V, Prepared> & { input: { expected_updated_at?: never } },
): Tool<Result, V> => defineTool(declared)

/** Builds a tool from its declaration, with the properties of its verb. */
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
    // Computed on the first call: for all tools it takes a tenth of the time to load the program.
    get inputLimits() {
      return (limits ??= inputLimitsOf(input))
    },
    run: async (context, input: ToolInput<Shape>, preparing = declared.prepare?.(context, input)) =>
      // No await if nothing is prepared, so that the first queries are sent in this tick.
      run(context, input, (preparing === undefined ? undefined : await preparing) as Prepared),
  }
}

/** Returns the inputs that every tool of a verb has (docs/spec/interface.md#idempotency). */
const verbInputs = (verb: Verb): z.ZodRawShape => (verb === 'create' ? createInputs : {})

type FiveTools = readonly [Tool, Tool, Tool, Tool, Tool]
type EntityDeclaration = Pick<
  Entity,
  'singular' | 'subject' | 'record' | 'recent' | 'redact' | 'nameLookup' | 'explainAbsence'
> &
  Partial<Pick<Entity, 'idAliases' | 'linked'>>

/** Declares an entity. Wire names, scopes, links, documentation, snapshots and id lookup derive from it. */
export function entity<
  const Name extends string,
  const Tools extends FiveTools,
  const PageActions extends readonly Tool[] = readonly [],
>({
  pageActions: acts,
  ...declared
}: EntityDeclaration & { name: Name; tools: Tools; pageActions?: PageActions }): Entity<
  Name,
  Tools,
  PageActions | readonly []
> {
  const whole = {
    idAliases: [],
    linked: false,
    ...declared,
    pageActions: acts ?? ([] as const),
    area: areaOf(declared.subject),
  }
  registerFinder({ nameLookup: undefined, explainAbsence: undefined, ...whole, scope: `read:${declared.subject}` })
  return whole
}

/** Returns the scope that a tool needs. */
export const scopeOf = ({ subject }: Entity, { reads }: Tool): Scope => `${reads ? 'read' : 'write'}:${subject}`
