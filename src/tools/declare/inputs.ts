import { z } from 'zod'
import type { Caller } from '../../identity/credentials/caller.ts'
import { ruleText } from '../../platform/errors/rule_text.ts'
import { flag, id, instant, whole } from '../../platform/validation/fields.ts'
import { lowerBound } from '../../platform/validation/formats/instants.ts'
import { refusals } from '../../platform/validation/refusals.ts'
import { nonEmptyText } from '../../platform/validation/text/text.ts'
import { requireSince, type ByChange } from '../call/by_change.ts'

/** Rows of a page when the caller gives no limit. */
const DEFAULT_LIMIT = 25

const limit = () => whole(1, 100).default(DEFAULT_LIMIT).describe('1-100')
const include_removed = () => flag().optional().describe('Also rows gone since')
const updated_since = () => instant().optional().describe('Changed since, oldest first')

/** Declares the inputs of a page list (docs/spec/interface.md#page-lists). */
export const pageInputs = {
  page: whole(1, 1000).default(1).describe('From 1'),
  limit: limit(),
  include_total: flag().optional().describe('Count all'),
  updated_since: updated_since(),
  include_removed: include_removed(),
}

/** Declares the input of lists whose rows can do without ids, as documents are named by their numbers. */
export const briefInput = { brief: flag().optional().describe('Rows without ids') }

/** Returns a list's inputs with `updated_since` as an instant in UTC. */
export function withUtcSince<Given extends ByChange>({ tenant }: Caller, query: Given): Given {
  requireSince(query)
  return query.updated_since === undefined
    ? query
    : { ...query, updated_since: lowerBound(tenant.timezone, query.updated_since) }
}

/** Declares the inputs of a cursor list. */
export const cursorInputs = {
  cursor: z
    .string()
    .refine((cursor) => cursor.length <= 512, ruleText(refusals.tooLong({ max: '512' })))
    .optional()
    .describe('nextCursor of last answer'),
  limit: limit(),
  updated_since: updated_since(),
  include_removed: include_removed(),
}

/** Declares the id of the record that a tool is about. */
export const idInput = { id: id().describe('Id') }

/** Takes the record that an edit is about, and the state it was seen in; `edit` alone takes them. */
export const editInputs = { ...idInput, expected_updated_at: instant().optional().describe('Refuse if changed') }

/** Returns a shape whose descriptions name a create's defaults; an update leaves an omitted field as it is. */
export const withDefaults = <Shape extends z.ZodRawShape>(
  shape: Shape,
  defaults: { readonly [name in keyof Shape]?: string },
): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => {
      const usual = defaults[name]
      return [name, usual === undefined ? field : (field as z.ZodType).describe(`Default ${usual}`)]
    }),
  ) as Shape

/** Declares the key of a create, which is done once, however often it is sent. */
export const createInputs = { idempotency_key: nonEmptyText(64).optional().describe('For safe retries') }

/**
 * Returns a value as the type that a tool's declaration gives it: arguments that its schema parsed, a result that it
 * answers. The compiler can't follow a declaration through a walk over all tools, so it is told here and nowhere else.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
export const asDeclared = <T>(value: unknown): T => value as T
