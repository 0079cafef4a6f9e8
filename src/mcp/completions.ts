import { Refusal } from '../refusal.ts'
import { fold } from '../shape/fold.ts'
import { todayIn } from '../shape/instants.ts'
import type { Wire } from '../tools/results.ts'
import type { Asker } from './asker.ts'

/** A tool that searches. */
export type SearchTool = Extract<Wire, `${string}_search`>

/** Values for an argument, best first. */
export type Completion = { values: readonly string[]; total?: number; hasMore: boolean }

/** Completes an argument as far as it is typed. */
export type Complete = (by: Asker, typed: string) => Promise<Completion>

/** Nothing is called by more. */
const LONGEST = 400

/** As many values as the protocol takes. */
const MAX_VALUES = 100

export const NOTHING: Completion = { values: [], total: 0, hasMore: false }

const all = (values: readonly string[]): Completion => ({ values, total: values.length, hasMore: false })

/**
 * Ids of a kind of record, by what people call it: with a search tool those it finds, else those of what changed last
 * that show what is typed. An id that is begun is completed too.
 */
export const idsOf = (singular: string, search?: SearchTool): Complete => async (by, typed) => {
  if (typed.length > LONGEST) return NOTHING
  if (search !== undefined && !/^[0-9a-f]{8}-/i.test(typed)) return searched(by, search, typed)
  const recent = await by.recent(singular, MAX_VALUES)
  const wanted = fold(typed)
  const values = recent.filter(({ id, name, title, description }) =>
    id.startsWith(typed.toLowerCase()) || fold(`${name} ${title} ${description}`).includes(wanted)).map(({ id }) => id)
  return recent.length < MAX_VALUES ? all(values) : { values, hasMore: true }
}

/** What no record can be called finds none. */
async function searched(by: Asker, search: SearchTool, query: string): Promise<Completion> {
  try {
    const { rows, hasMore } = await by.ask(search, { query, limit: MAX_VALUES })
    const values = rows.map(({ id }) => id)
    return hasMore ? { values, hasMore } : all(values)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid_input') return NOTHING
    throw error
  }
}

/** The month from today on, in the company's time zone; of a month that is typed, all its days. */
export const days: Complete = async ({ caller }, typed) => {
  const month = /^\d{4}-(0[1-9]|1[0-2])/.exec(typed)?.[0]
  const first = month === undefined ? todayIn(caller.tenant.timezone) : Temporal.PlainDate.from(`${month}-01`)
  const count = month === undefined ? 31 : first.daysInMonth
  return all(Array.from({ length: count }, (_, i) => first.add({ days: i }).toString()).filter((day) => day.startsWith(typed)))
}
