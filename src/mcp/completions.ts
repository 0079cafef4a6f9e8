import { Refusal } from '../platform/errors/refusal.ts'
import { fold } from '../platform/validation/text/fold.ts'
import { todayIn } from '../platform/validation/formats/instants.ts'
import type { Wire } from '../tools/declare/results.ts'
import type { ToolAccess } from './rounds/tool_access.ts'

/** Name of a search tool. */
export type SearchTool = Extract<Wire, `${string}_search`>

/** Values for an argument, best first. */
type Completion = { values: readonly string[]; total?: number; hasMore: boolean }

/** Completion of a partly typed argument, given the arguments filled in before. */
export type Completer = (by: ToolAccess, typed: string, others: Readonly<Record<string, string>>) => Promise<Completion>

/** Maximum length of the typed text; no name is longer. */
const MAX_TYPED = 400

/** Maximum number of values that the protocol allows. */
const MAX_VALUES = 100

export const NO_COMPLETION: Completion = { values: [], total: 0, hasMore: false }

const completionOf = (values: readonly string[]): Completion => ({ values, total: values.length, hasMore: false })

/**
 * Completes ids of one kind of record by name: from a search tool, or from the most recently changed records that
 * contain the typed text. Completes a partial id too.
 */
export const idsOf =
  (singular: string, search?: SearchTool): Completer =>
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
    return recent.length < MAX_VALUES ? completionOf(values) : { values, hasMore: true }
  }

/** Completes the kinds of records that the caller may read, by their singular names. */
export const kinds: Completer = async (by, prefix) =>
  completionOf(by.kinds().filter((kind) => kind.startsWith(prefix.toLowerCase())))

/** Completes ids of the kind chosen before. */
export const idsOfKind: Completer = async (by, prefix, others) => {
  const kind = others['kind'] ?? ''
  if (!by.kinds().includes(kind)) return NO_COMPLETION
  return idsOf(kind, kind === 'customer' && by.may('customers_search') ? 'customers_search' : undefined)(
    by,
    prefix,
    others,
  )
}

/** Searches. A query that the tool refuses as invalid finds nothing. */
async function searchIds(by: ToolAccess, search: SearchTool, query: string): Promise<Completion> {
  try {
    const { rows, hasMore } = await by.call(search, { query, limit: MAX_VALUES })
    const values = rows.map(({ id }) => id)
    return hasMore ? { values, hasMore } : completionOf(values)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid_input') return NO_COMPLETION
    throw error
  }
}

/** Completes days: 31 from today on in the company's time zone, or all days of a typed month. */
export const days: Completer = async ({ caller }, prefix) => {
  const month = /^\d{4}-(0[1-9]|1[0-2])/.exec(prefix)?.[0]
  const first = month === undefined ? todayIn(caller.tenant.timezone) : Temporal.PlainDate.from(`${month}-01`)
  const count = month === undefined ? 31 : first.daysInMonth
  return completionOf(
    Array.from({ length: count }, (_, i) => first.add({ days: i }).toString()).filter((day) => day.startsWith(prefix)),
  )
}
