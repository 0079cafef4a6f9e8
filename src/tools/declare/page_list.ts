import type { z } from 'zod'
import { tool, type ToolDeclaration, type ToolInput, type RunContext, type Tool } from './define.ts'
import { pageInputs, withUtcSince } from './inputs.ts'
import { pageOutcome, type PageOf } from '../call/outcome.ts'

type PageListInput<Shape extends z.ZodRawShape> = ToolInput<Shape> & ToolInput<typeof pageInputs>

type PageListDeclaration<Shape extends z.ZodRawShape, Row extends object> = Omit<
  ToolDeclaration<Shape>,
  'verb' | 'input' | 'run'
> & {
  /** Its filters, beside those of every page list. */
  input: Shape
  /** Refuses to list of a record that isn't there. */
  guard?(context: RunContext, given: PageListInput<Shape>): Promise<unknown>
  /** Returns one row more than the page holds. */
  rows(context: RunContext, given: PageListInput<Shape>): Promise<readonly Row[]>
  count(context: RunContext, given: PageListInput<Shape>): Promise<number>
}

/** Declares a list by page, whose guard, rows and count travel in one round trip. */
export const pageList = <const Shape extends z.ZodRawShape, Row extends object>({
  input,
  guard,
  rows,
  count,
  ...declared
}: PageListDeclaration<Shape, Row>): Tool<PageOf<Row>, 'list'> =>
  tool({
    ...declared,
    verb: 'list',
    input: { ...input, ...pageInputs },
    run: async (context, sent) => {
      const given = withUtcSince(context.caller, sent as unknown as PageListInput<Shape>)
      const [, found, total] = await Promise.all([
        guard?.(context, given),
        rows(context, given),
        given.include_total ? count(context, given) : undefined,
      ])
      return pageOutcome(found, given, total)
    },
  })
