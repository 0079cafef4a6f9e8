import type { z } from 'zod'
import { isRecord } from '../../platform/validation/is_record.ts'
import type { Tool, Verb } from './define.ts'

/**
 * Removes nulls that their fields don't accept. For a create, a list or a search, null means omitted; for an update, it
 * empties a list or an object that may be empty (docs/spec/records.md#clearing).
 */
export function withoutNulls({ verb, input }: Pick<Tool, 'verb' | 'input'>, args: unknown): unknown {
  if (!FORGIVING.has(verb) || !isRecord(args)) return args
  const shape: Readonly<Record<string, z.ZodType>> = input.shape
  const nulls = Object.entries(shape).filter(
    ([name, field]) => Object.hasOwn(args, name) && args[name] === null && !accepts(field, null),
  )
  if (nulls.length === 0) return args
  const cleaned = { ...args }
  for (const [name, field] of nulls) {
    if (verb !== 'update' ? accepts(field, undefined) : CONTROLS.has(name)) delete cleaned[name]
    else if (verb === 'update') cleaned[name] = EMPTY.find((empty) => accepts(field, empty)) ?? null
  }
  return cleaned
}

const FORGIVING: ReadonlySet<Verb> = new Set(['list', 'search', 'create', 'update'])

/** Fields of a call that are not fields of a record. */
const CONTROLS = new Set(['expected_updated_at', 'keep_exceptions'])
const EMPTY: readonly unknown[] = [[], {}]

const accepts = (field: z.ZodType, value: unknown): boolean => field.safeParse(value).success
