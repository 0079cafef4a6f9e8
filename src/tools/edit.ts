import type { z } from 'zod'
import { declaredTool, type Declared, type Given, type RunContext, type Tool, type Verb } from './define.ts'
import { editInputs } from './inputs.ts'
import type { Outcome } from './outcome.ts'
import { requireUnchanged } from './unchanged.ts'

/** A record whose row is locked, alone or beside what else its change needs of it. */
type Locked = { updated_at: string } | { before: { updated_at: string } }

type Edited<Shape extends z.ZodRawShape> = Given<Omit<Shape, 'expected_updated_at'> & Pick<typeof editInputs, 'id'>>

type Editing<Shape extends z.ZodRawShape, Before extends Locked, Beside, Result extends object, V extends Verb> = Omit<Declared<Shape, Result, V>, 'input' | 'check' | 'run'> & {
  /** Beside the id. */
  input: Shape
  /** Locks the record, and refuses what is refused whatever state it was seen in. */
  lock(context: RunContext, given: Edited<Shape>): Promise<Before>
  /** What else is looked up in the round trip of the lock. */
  beside?(context: RunContext, given: Edited<Shape>): Promise<Beside>
  run(context: RunContext, given: Edited<Shape>, before: Before, beside: Beside): Promise<Outcome<Result>>
}

/** A tool that changes a record: one that changed since the caller saw it is left alone, whatever the entity does. */
export function edit<const Shape extends z.ZodRawShape, Before extends Locked, Result extends object, V extends Verb, Beside = undefined>({ lock, beside, run, ...declared }: Editing<Shape, Before, Beside, Result, V>): Tool<Result, V> {
  type Sent = Edited<Shape> & { expected_updated_at?: string | undefined }
  return declaredTool({
    ...declared,
    input: { ...editInputs, ...declared.input },
    run: async (context, sent) => {
      const { expected_updated_at, ...given } = sent as Sent
      const edited = given as unknown as Edited<Shape>
      const unchanged = async (): Promise<Before> => {
        const locked = await lock(context, edited)
        requireUnchanged('before' in locked ? locked.before : locked, expected_updated_at, context.caller)
        return locked
      }
      const [before, found] = await Promise.all([unchanged(), beside?.(context, edited)])
      return run(context, edited, before, found as Beside)
    },
  })
}
