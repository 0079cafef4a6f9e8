import { Refusal } from '../platform/errors/refusal.ts'
import { fold } from '../platform/validation/text/fold.ts'
import { todayIn } from '../platform/validation/formats/instants.ts'
import type { Wire } from '../tools/declare/results.ts'
import type { Asker } from './rounds/asker.ts'

/** Names a tool that searches. */
export type SearchTool = Extract<Wire, `${string}_search`>

/** Holds values for an argument, best first. */
type Completion = { values: readonly string[]; total?: number; hasMore: boolean }

/** Completes an argument as far as it is typed, with the arguments that were filled in before. */
export type Complete = (by: Asker, typed: string, others: Readonly<Record<string, string>>) => Promise<Completion>

/** Maximum length of the entered text; no name is longer. */
const MAX_TYPED = 400

/** Maximum number of values that the protocol takes. */
const MAX_VALUES = 100

export const NO_COMPLETION: Completion = { values: [], total: 0, hasMore: false }

const all = (values: readonly string[]): Completion => ({ values, total: values.length, hasMore: false })

/**
 * Completes ids of a kind of record by what people call it: from a search tool, or from those that changed last and
 * show what is typed. A partial id is completed too.
 */
export const idsOf =
  (singular: string, search?: SearchTool): Complete =>
  async (by, prefix) => {
    if (prefix.length > MAX_TYPED) return NO_COMPLETION
    if (search !== undefined && !/^[0-9a-f]{8}-/i.test(prefix)) return searchIds(by, search, prefix)
    const recent = await by.recent(singular, MAX_VALUES)
    const part = fold(prefix)
    const values = recent
      .filter(
        ({ id, name, title, description }) =>
          id.startsWith(prefix.toLowerCase()) || fold(`${name} ${title} ${description}`).includes(part),
      )
      .map(({ id }) => id)
    return recent.length < MAX_VALUES ? all(values) : { values, hasMore: true }
  }

/** Completes the kinds of records that may be read, by the words for one. */
export const kinds: Complete = async (by, prefix) =>
  all(by.kinds().filter((kind) => kind.startsWith(prefix.toLowerCase())))

/** Completes ids of the kind that was chosen before. */
export const idsOfKind: Complete = async (by, prefix, others) => {
  const kind = others['kind'] ?? ''
  if (!by.kinds().includes(kind)) return NO_COMPLETION
  return idsOf(kind, kind === 'customer' && by.may('customers_search') ? 'customers_search' : undefined)(
    by,
    prefix,
    others,
  )
}

/** Searches; a text that no record can be called finds none. */
async function searchIds(by: Asker, search: SearchTool, query: string): Promise<Completion> {
  try {
    const { rows, hasMore } = await by.ask(search, { query, limit: MAX_VALUES })
    const values = rows.map(({ id }) => id)
    return hasMore ? { values, hasMore } : all(values)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid_input') return NO_COMPLETION
    throw error
  }
}

/** Completes days: the month from today on, in the company's time zone; for a typed month, all its days. */
export const days: Complete = async ({ caller }, prefix) => {
  const month = /^\d{4}-(0[1-9]|1[0-2])/.exec(prefix)?.[0]
  const first = month === undefined ? todayIn(caller.tenant.timezone) : Temporal.PlainDate.from(`${month}-01`)
  const count = month === undefined ? 31 : first.daysInMonth
  return all(
    Array.from({ length: count }, (_, i) => first.add({ days: i }).toString()).filter((day) => day.startsWith(prefix)),
  )
}
