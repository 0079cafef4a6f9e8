import type { z } from 'zod'
import { invalid } from '../refusal.ts'
import type { Refusal } from '../refusal.ts'
import { nearest } from '../shape/nearest.ts'
import type { Tool } from './define.ts'
import { withoutNulls } from './nulls.ts'

const MOST_NAMED = 10
const MOST_REACHED = 10_000

/** Arguments that fit the tool, or `invalid_input` that names every problem: field, rule, what was given. */
export function parse(tool: Tool, given: unknown): unknown {
  const parsed = tool.input.safeParse(withoutNulls(tool, given ?? {}), { reportInput: true })
  if (!parsed.success) throw refusal(parsed.error.issues.flatMap((issue) => sentences(issue, tool)))
  const problems = beyondReach(parsed.data)
  tool.check?.(parsed.data as never, (sentence) => problems.push(sentence))
  if (problems.length > 0) throw refusal(problems)
  return parsed.data
}

/** A page list is for reading on, not for walking a whole table (records 2.1, PAGE). */
function beyondReach({ page, limit }: { page?: unknown; limit?: unknown }): string[] {
  const reach = Number(page) * Number(limit)
  return reach > MOST_REACHED ? [`page x limit must be at most ${MOST_REACHED} (got ${reach}); narrow the filter`] : []
}

const refusal = (problems: readonly string[]): Refusal =>
  invalid([...problems.slice(0, MOST_NAMED), ...(problems.length > MOST_NAMED ? [`and ${problems.length - MOST_NAMED} more`] : [])].join('; '))

function sentences(issue: z.core.$ZodIssue, tool: Tool): string[] {
  const path = pathOf(issue.path)
  const field = path === '' ? 'arguments' : path
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField(key, path, issue.path, tool))
  if (issue.code === 'invalid_key') return [`${pathOf(issue.path.slice(0, -1))} ${rule(issue)}${got(issue.path.at(-1))}`]
  if (issue.code === 'invalid_union') return [`${field} ${issue.message}${got(issue.input)}`]
  if (issue.input === undefined) return [`${field} is required`]
  return [`${field} ${rule(issue)}${got(issue.input)}`]
}

function rule(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type': return issue.message.startsWith('Invalid input') ? `must be ${TYPES[issue.expected] ?? issue.expected}` : issue.message
    case 'invalid_value': return issue.message.startsWith('must ') ? issue.message : `must be one of ${issue.values.join(', ')}`
    case 'too_small': return issue.origin === 'array' ? `must have at least ${issue.minimum}` : `must be at least ${issue.minimum}`
    case 'too_big': return issue.origin === 'array' ? `must have at most ${issue.maximum}` : `must be at most ${issue.maximum}`
    case 'invalid_key': return `has a key that ${issue.issues[0]?.message ?? 'is not allowed'}`
    default: return issue.message
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text', number: 'a number', boolean: 'true or false', object: 'an object', array: 'a list', record: 'an object', int: 'a whole number',
}

/** Long values are cut: the caller knows what was sent. */
function got(input: unknown): string {
  if (Array.isArray(input)) return ` (got ${input.length} items)`
  const text = JSON.stringify(input) ?? String(input)
  return ` (got ${text.length > 60 ? `${text.slice(0, 57)}…` : text})`
}

function unknownField(key: string, path: string, at: readonly PropertyKey[], tool: Tool): string {
  const known = knownAt(tool.input, at)
  const near = key.endsWith('_id') && known.includes('id') && !known.includes(key) && key !== 'id' && at.length === 0 ? 'id' : nearest(key, known)
  return `unknown field '${path === '' ? key : `${path}.${key}`}'${near === undefined ? '' : ` (did you mean '${near}'?)`}`
}

/** The field names of the object that lies at a path. */
function knownAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  let at = inner(schema)
  for (const step of path) at = inner(typeof step === 'number' ? (at as { element?: unknown }).element : (at as z.ZodObject).shape?.[step as string])
  return Object.keys((at as z.ZodObject | undefined)?.shape ?? {})
}

function inner(schema: unknown): unknown {
  const def = (schema as { def?: { innerType?: unknown; out?: unknown } } | undefined)?.def
  return def?.innerType !== undefined ? inner(def.innerType) : def?.out !== undefined ? inner(def.out) : schema
}

const pathOf = (path: readonly PropertyKey[]): string =>
  path.map((step, i) => (typeof step === 'number' ? `[${step}]` : `${i > 0 ? '.' : ''}${String(step)}`)).join('')
