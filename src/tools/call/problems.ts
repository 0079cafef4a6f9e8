import { isRecord } from '../../platform/validation/is_record.ts'
import type { z } from 'zod'
import {
  MAX_NAMED,
  capProblems,
  invalidFields,
  type Refusal,
  type FieldProblem,
} from '../../platform/errors/refusal.ts'
import { nearestName } from '../../platform/validation/text/nearest.ts'
import type { Tool } from '../declare/define.ts'
import { refusals } from './refusals.ts'
import { ruleOf } from './issue_rule.ts'
import { findIdOf } from '../declare/finders.ts'
import { withoutNulls } from '../declare/nulls.ts'

const MAX_LAST_ROW = 10_000

/** Tool to check arguments against. A prompt takes only texts, so it has no input limits. */
type CheckedTool = Pick<Tool, 'verb' | 'input' | 'check'> & Partial<Pick<Tool, 'inputLimits'>>

/** Returns arguments that match the tool. Throws `invalid_input` with every problem: field, rule, value. */
export function parseArguments(tool: CheckedTool, input: unknown): unknown {
  const excess = tool.inputLimits?.findExcess(input) ?? []
  if (excess.length > 0) throw refusal(excess)
  const parsed = tool.input.safeParse(withoutNulls(tool, input ?? {}), { reportInput: true })
  if (!parsed.success) throw refusal(listProblems(parsed.error.issues, tool, input), countOf(parsed.error.issues))
  const problems = pageProblems(parsed.data)
  tool.check?.(parsed.data, (path, rule) => problems.push({ path, rule }))
  if (problems.length > 0) throw refusal(problems)
  return parsed.data
}

/** Limits how far a page list reaches; it is not for reading a whole table (docs/spec/interface.md#page-lists). */
function pageProblems({ page, limit }: { page?: unknown; limit?: unknown }): FieldProblem[] {
  const lastRow = Number(page) * Number(limit)
  return lastRow > MAX_LAST_ROW
    ? [{ path: 'page', rule: `x limit must be at most ${MAX_LAST_ROW} (got ${lastRow}); narrow the filter` }]
    : []
}

const refusal = (problems: readonly FieldProblem[], count?: number): Refusal =>
  invalidFields(capProblems(problems, count))

type Issue = z.core.$ZodIssue

const countOf = (issues: readonly Issue[]): number =>
  issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0)

/** Returns the problems to name. No text is made for those that are only counted. */
function listProblems(issues: readonly Issue[], tool: CheckedTool, input: unknown): FieldProblem[] {
  const named: FieldProblem[] = []
  for (const issue of issues) {
    if (named.length >= MAX_NAMED) break
    named.push(...problemsIn(issue, tool, input, MAX_NAMED - named.length))
  }
  return named
}

function problemsIn(issue: Issue, tool: CheckedTool, input: unknown, limit: number): FieldProblem[] {
  const fieldPath = pathOf(issue.path)
  const path = fieldPath === '' ? 'arguments' : fieldPath
  if (issue.code === 'unrecognized_keys')
    return unknownFields(issue.keys.slice(0, limit), fieldPath, fieldsAt(tool.input, issue.path), input)
  if (issue.code === 'invalid_key')
    return [{ path: pathOf(issue.path.slice(0, -1)), rule: ruleOf(issue), note: gotText(issue.path.at(-1)) }]
  if (issue.code === 'invalid_union') return [{ path, rule: ruleOf(issue), note: gotText(issue.input) }]
  const hint = findIdOf(issue.path.findLast((step) => typeof step === 'string') ?? '')
  if (issue.input === undefined) return [{ path, rule: refusals.missing(), note: hint }]
  return [{ path, rule: ruleOf(issue), note: `${Array.isArray(issue.input) ? '' : hint}${gotText(issue.input)}` }]
}

/** Shortens a given value: the caller knows what was sent. */
function gotText(input: unknown): string {
  if (Array.isArray(input)) return ` (got ${input.length} items)`
  return ` (got ${shorten(
    JSON.stringify(typeof input === 'string' ? input.slice(0, MAX_SHOWN) : input) ?? String(input),
  )})`
}

const MAX_SHOWN = 60
const shorten = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 3)}…` : text)

/** Names each unknown field with its likely match. If one has no match, lists the valid fields once. */
function unknownFields(
  keys: readonly string[],
  path: string,
  names: readonly string[],
  input: unknown,
): FieldProblem[] {
  const hints = keys.map((key) => likelyNames(key, names, input))
  const last = hints.findLastIndex((likely) => likely.length === 0)
  return keys.map((key, i) => {
    const likely = hints[i] ?? []
    const hint =
      likely.length > 0
        ? ` (did you mean ${likely.map((name) => `'${name}'`).join(' or ')}?)`
        : i === last && names.length > 0
          ? ` (the fields are ${names.join(', ')})`
          : ''
    return { path: '', rule: `unknown field '${path === '' ? '' : `${path}.`}${shorten(key)}'${hint}` }
  })
}

/** Returns likely matches of a key: `id` for another name of it, the most similar field, or those sharing a word. */
function likelyNames(key: string, names: readonly string[], input: unknown): readonly string[] {
  if (key.endsWith('_id') && names.includes('id') && isRecord(input) && !Object.hasOwn(input, 'id')) return ['id']
  const nearest = nearestName(key, names)
  if (nearest !== undefined) return [nearest]
  const words = wordsOf(key)
  return names.filter((name) => wordsOf(name).some((word) => words.includes(word))).slice(0, MAX_SUGGESTIONS)
}

const MAX_SUGGESTIONS = 3

/** Returns the distinguishing words of a name. */
const wordsOf = (name: string): string[] =>
  name
    .slice(0, 64)
    .toLowerCase()
    .split('_')
    .filter((word) => word.length > 2 && word !== 'ids' && word !== 'cents')

/** Lists the visible fields of the object at a path. */
function fieldsAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  let node = inner(schema)
  for (const step of path)
    node = inner(
      typeof step === 'number'
        ? (node as { element?: unknown }).element
        : (node as z.ZodObject).shape?.[step as string],
    )
  return Object.entries((node as z.ZodObject | undefined)?.shape ?? {})
    .filter(([, field]) => !isHidden(field))
    .map(([name]) => name)
}

const isHidden = (field: unknown): boolean => (field as z.ZodType).meta()?.['hidden'] === true

function inner(schema: unknown): unknown {
  const def = (schema as { def?: { innerType?: unknown; out?: unknown } } | undefined)?.def
  return def?.innerType !== undefined ? inner(def.innerType) : def?.out !== undefined ? inner(def.out) : schema
}

const pathOf = (path: readonly PropertyKey[]): string =>
  path.map((step, i) => (typeof step === 'number' ? `[${step}]` : `${i > 0 ? '.' : ''}${String(step)}`)).join('')
