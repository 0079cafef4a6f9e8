import type { z } from 'zod'
import { tool, type Declared, type Given, type RunContext, type Tool } from './define.ts'
import { pageInputs, since } from './inputs.ts'
import { paged, type PageOf } from '../call/outcome.ts'

type Asked<Shape extends z.ZodRawShape> = Given<Shape> & Given<typeof pageInputs>

type Listing<Shape extends z.ZodRawShape, Row extends object> = Omit<Declared<Shape>, 'verb' | 'input' | 'run'> & {
  /** Its filters, beside those of every page list. */
  input: Shape
  /** Refuses to list of a record that isn't there. */
  guard?(context: RunContext, given: Asked<Shape>): Promise<unknown>
  /** Returns one row more than the page holds. */
  rows(context: RunContext, given: Asked<Shape>): Promise<readonly Row[]>
  count(context: RunContext, given: Asked<Shape>): Promise<number>
}

/** Declares a list by page, whose guard, rows and count travel in one round trip. */
export const pageList = <const Shape extends z.ZodRawShape, Row extends object>({
  input,
  guard,
  rows,
  count,
  ...declared
}: Listing<Shape, Row>): Tool<PageOf<Row>, 'list'> =>
  tool({
    ...declared,
    verb: 'list',
    input: { ...input, ...pageInputs },
    run: async (context, sent) => {
      const given = since(context.caller, sent as unknown as Asked<Shape>)
      const [, found, total] = await Promise.all([
        guard?.(context, given),
        rows(context, given),
        given.include_total ? count(context, given) : undefined,
      ])
      return paged(found, given, total)
    },
  })
