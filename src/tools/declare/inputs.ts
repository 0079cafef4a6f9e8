import { z } from 'zod'
import type { Caller } from '../../identity/credentials/caller.ts'
import { ruleText } from '../../platform/errors/rule_text.ts'
import { flag, id, instant, wholeNumber } from '../../platform/validation/fields.ts'
import { lowerBound } from '../../platform/validation/formats/instants.ts'
import { refusals } from '../../platform/validation/refusals.ts'
import { nonEmptyText } from '../../platform/validation/text/text.ts'
import { requireSince, type ChangeFilter } from '../call/by_change.ts'

/** Default number of rows per page. */
const DEFAULT_LIMIT = 25

const limit = () => wholeNumber(1, 100).default(DEFAULT_LIMIT).describe('1-100')
const include_removed = () => flag().optional().describe('Also rows removed since')
const updated_since = () => instant().optional().describe('Changed since, oldest first')

/** Inputs of a page list (docs/spec/interface.md#page-lists). */
export const pageInputs = {
  page: wholeNumber(1, 1000).default(1).describe('From 1'),
  limit: limit(),
  include_total: flag().optional().describe('Count all'),
  updated_since: updated_since(),
  include_removed: include_removed(),
}

/** Input of lists whose rows may omit ids, since documents are named by their numbers. */
export const briefInput = { brief: flag().optional().describe('Rows without ids') }

/** Returns a list's inputs with `updated_since` as a UTC instant. */
export function withUtcSince<Query extends ChangeFilter>({ tenant }: Caller, query: Query): Query {
  requireSince(query)
  return query.updated_since === undefined
    ? query
    : { ...query, updated_since: lowerBound(tenant.timezone, query.updated_since) }
}

/** Inputs of a cursor list. */
export const cursorInputs = {
  cursor: z
    .string()
    .refine((cursor) => cursor.length <= 512, ruleText(refusals.tooLong({ max: '512' })))
    .optional()
    .describe('nextCursor from last page'),
  limit: limit(),
  updated_since: updated_since(),
  include_removed: include_removed(),
}

/** Id of the record that a tool is about. */
export const idInput = { id: id().describe('Id') }

/** Record to edit, and the state in which the caller saw it. Only `edit` uses these inputs. */
export const editInputs = { ...idInput, expected_updated_at: instant().optional().describe('Refuse if changed') }

/** Returns a shape whose descriptions name the defaults of a create. An update leaves omitted fields unchanged. */
export const withDefaults = <Shape extends z.ZodRawShape>(
  shape: Shape,
  defaults: { readonly [name in keyof Shape]?: string },
): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => {
      const defaultText = defaults[name]
      return [name, defaultText === undefined ? field : (field as z.ZodType).describe(`Default ${defaultText}`)]
    }),
  ) as Shape

/** Idempotency key of a create, which is done once however often it is sent. */
export const createInputs = { idempotency_key: nonEmptyText(64).optional().describe('For safe retries') }

/**
 * Returns a value as the type that a tool's declaration gives it: parsed arguments, or a result. The compiler can't
 * follow a declaration through code that handles all tools, so the type is asserted here and nowhere else.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
export const asDeclared = <T>(value: unknown): T => value as T
