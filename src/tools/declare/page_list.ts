import type { z } from 'zod'
import { tool, type ToolDeclaration, type ToolInput, type RunContext, type Tool } from './define.ts'
import { asDeclared, pageInputs, withUtcSince } from './inputs.ts'
import { pageOutcome, type Outcome, type PageOf } from '../call/outcome.ts'

type PageListInput<Shape extends z.ZodRawShape> = ToolInput<Shape> & ToolInput<typeof pageInputs>

type PageListDeclaration<Shape extends z.ZodRawShape, Row extends object, Groups extends object> = Omit<
  ToolDeclaration<Shape>,
  'verb' | 'input' | 'run'
> & {
  /** Filters in addition to those of every page list. */
  input: Shape
  /** Refuses to list the rows of a record that doesn't exist. */
  guard?(context: RunContext, input: PageListInput<Shape>): Promise<unknown>
  /** Returns one row more than the page holds. */
  rows(context: RunContext, input: PageListInput<Shape>): Promise<readonly Row[]>
  count(context: RunContext, input: PageListInput<Shape>): Promise<number>
  /** Columns that brief rows omit. */
  brief?: readonly (keyof Row)[]
  /** Returns sums instead of rows, if the input asks for groups. */
  groups?(context: RunContext, input: PageListInput<Shape>): Promise<Grouping<Groups>> | undefined
}

type Grouping<Groups> = { found: Groups; count: number; hasMore: boolean }

/** Declares a page list. Its guard, rows and count run in one round trip. */
export const pageList = <const Shape extends z.ZodRawShape, Row extends object, Groups extends object = never>({
  input,
  guard,
  rows,
  count,
  brief = [],
  groups,
  ...declared
}: PageListDeclaration<Shape, Row, Groups>): Tool<PageOf<Row> | (PageOf<Row> & Groups), 'list'> =>
  tool({
    ...declared,
    verb: 'list',
    input: { ...input, ...pageInputs },
    run: async (context, sent) => {
      const query = withUtcSince(context.caller, asDeclared<PageListInput<Shape>>(sent))
      const grouping = await groups?.(context, query)
      if (grouping !== undefined) return groupsOutcome<Row, Groups>(grouping, query)
      const [, list, total] = await Promise.all([
        guard?.(context, query),
        rows(context, query),
        query.include_total ? count(context, query) : undefined,
      ])
      return pageOutcome(list, query, total, 'brief' in query && query.brief === true ? brief : [])
    },
  })

/** Builds the answer for groups, which has no rows. */
function groupsOutcome<Row extends object, Groups extends object>(
  { found, count, hasMore }: Grouping<Groups>,
  query: ToolInput<typeof pageInputs>,
): Outcome<PageOf<Row> | (PageOf<Row> & Groups)> {
  const { result } = pageOutcome<Row>([], query, query.include_total ? count : undefined)
  return { result: { ...found, ...result, hasMore } }
}
