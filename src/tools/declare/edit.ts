import type { z } from 'zod'
import { defineTool, type ToolDeclaration, type ToolInput, type RunContext, type Tool, type Verb } from './define.ts'
import { asDeclared, editInputs } from './inputs.ts'
import type { Outcome } from '../call/outcome.ts'
import { requireFixed, requireUnchanged } from '../call/unchanged.ts'

/** Record whose row is locked, alone or with other data that its change needs. */
type LockedRecord = { updated_at: string } | { before: { updated_at: string } }

type EditInput<Shape extends z.ZodRawShape> = ToolInput<Shape> & { id: string }

type EditDeclaration<
  Shape extends z.ZodRawShape,
  Fixed extends keyof Shape & string,
  Before extends LockedRecord,
  Extra,
  Result extends object,
  V extends Verb,
> = Omit<ToolDeclaration<Shape, Result, V>, 'input' | 'check' | 'prepare' | 'run'> & {
  /** Arguments besides the id. */
  input: Shape
  /** Fields that are accepted only with their current value. */
  fixed?: readonly Fixed[]
  /** Locks the record, and makes the refusals that don't depend on the state the caller saw. */
  lock(context: RunContext, input: EditInput<Shape>): Promise<Before>
  /** Looks up other data in the round trip of the lock. */
  lookUp?(context: RunContext, input: EditInput<Shape>): Promise<Extra>
  run(context: RunContext, patch: Omit<ToolInput<Shape>, Fixed>, before: Before, extra: Extra): Promise<Outcome<Result>>
}

/**
 * Declares a tool that changes a record. It leaves alone a record that changed since the caller saw it, whatever the
 * entity does.
 */
export function edit<
  const Shape extends z.ZodRawShape,
  Before extends LockedRecord,
  Result extends object,
  V extends Verb,
  Extra = undefined,
  Fixed extends keyof Shape & string = never,
>({
  fixed = [],
  lock,
  lookUp,
  run,
  ...declared
}: EditDeclaration<Shape, Fixed, Before, Extra, Result, V>): Tool<Result, V> {
  return defineTool({
    ...declared,
    input: { ...editInputs, ...declared.input },
    run: async (context, sent) => {
      const { expected_updated_at, ...patch } = asDeclared<
        EditInput<Shape> & { expected_updated_at?: string | undefined }
      >(sent)
      const edited = asDeclared<EditInput<Shape>>(patch)
      const lockUnchanged = async (): Promise<Before> => {
        const locked = await lock(context, edited)
        const record = recordOf(locked)
        requireFixed(record, patch, ...fixed)
        requireUnchanged(record, expected_updated_at, context.caller)
        return locked
      }
      const [before, lookedUp] = await Promise.all([lockUnchanged(), lookUp?.(context, edited)])
      return run(context, without(patch, 'id', ...fixed) as Omit<ToolInput<Shape>, Fixed>, before, lookedUp as Extra)
    },
  })
}

const recordOf = (locked: LockedRecord): { updated_at: string } & Record<string, unknown> =>
  'before' in locked ? locked.before : locked

const without = (object: object, ...names: readonly string[]): object =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
