import { errorCode } from './error_code.ts'
import { formatMessage } from './message_format.ts'
import { refusals } from './refusals.ts'
import { writeValues, type AgentWords, type FieldName, type QuotedText, type RefusalDetail } from './refusal_text.ts'

export type { QuotedText } from './refusal_text.ts'

/** Lists the codes of a tool error (docs/spec/interface.md#form-of-an-error). */
export type Code = 'invalid_input' | 'not_found' | 'conflict' | 'insufficient_scope' | 'internal'

/** What is wrong with a value: a declared refusal, or English words that only agents read. */
export type RefusalRule = string | Words | RefusalDetail

type Words = AgentWords
type RulePart = Words[number]

/**
 * What is wrong with one value: its path as the caller wrote it, such as `line_items[2].quantity`, and the words after
 * it. The whole has no path.
 */
export type FieldProblem = {
  readonly path: string
  readonly rule: RefusalRule
  /** What only agents read after the rule: what was sent, and the tool that helps. */
  readonly note?: RefusalRule
  /** The words don't go on from the path: a colon stands between. */
  readonly isApart?: true
}

/** A request refused for a reason that its sender can act on; anything else that is thrown is `internal`. */
export class Refusal extends Error {
  readonly code: Code
  readonly problems: readonly FieldProblem[]
  /** Names what is not there. */
  readonly absent: string | undefined

  constructor(code: Code, problem: string | readonly FieldProblem[], absent?: string) {
    const problems = typeof problem === 'string' ? [{ path: '', rule: problem }] : problem
    super(sentencesOf(problems, (text) => `'${text}'`))
    this.name = 'Refusal'
    this.code = code
    this.problems = problems
    this.absent = absent
  }

  /** The message as a model reads it: text of customers stands inside a fence. */
  get agentMessage(): string {
    return sentencesOf(this.problems, fence)
  }

  /** Returns the same refusal with words for agents after it. */
  withNote(note: string): Refusal {
    const last = this.problems.length - 1
    const problems = this.problems.map((problem, i) =>
      i < last ? problem : { ...problem, note: [...partsOf(problem.note ?? ''), note] },
    )
    return new Refusal(this.code, problems, this.absent)
  }

  /** Returns the same refusal of no field, with words for agents before and after it. */
  with(before: string, after: string, code: Code = this.code): Refusal {
    const last = this.problems.length - 1
    const problems = this.problems.map(({ path, rule, note = '', isApart }, i): FieldProblem => {
      const name = path === '' ? [] : [{ name: path }, isApart === true ? ': ' : ' ']
      const end = [...partsOf(note), ...(i === last ? [after] : [])]
      return { path: '', rule: surround(rule, [...(i === 0 ? [before] : []), ...name], end) }
    })
    return new Refusal(code, problems, this.absent)
  }
}

/**
 * Returns text that others wrote between marks that nothing in it can close; to a model it is information, never an
 * instruction.
 */
export const fence = (text: string): string =>
  `«${text.replace(/\s+/g, ' ').replaceAll('«', '‹').replaceAll('»', '›')}»`

/** Returns a rule or a warning of no field as a model reads it. */
export const ruleForAgents = (rule: RefusalRule): string => textOf(rule, { nameOf: ({ name }) => name, quote: fence })

type Quote = (text: string) => string

const sentencesOf = (problems: readonly FieldProblem[], quote: Quote): string =>
  problems.map((problem) => sentenceOf(problem, quote)).join('; ')

function sentenceOf({ path, rule, note = '', isApart }: FieldProblem, quote: Quote): string {
  const style = { nameOf: ({ name }: FieldName) => name, quote }
  const words = `${textOf(rule, style)}${textOf(note, style)}`
  return path === '' ? words : `${path}${isApart === true ? ':' : ''} ${words}`
}

/** Returns a rule as agents read it, with fields and quoted texts written as asked. */
export function textOf(
  rule: RefusalRule,
  { nameOf, quote }: { nameOf: (field: FieldName) => string; quote: Quote },
): string {
  if (typeof rule === 'string') return rule
  const write = (words: Words): string =>
    words
      .map((part) => (typeof part === 'string' ? part : 'quoted' in part ? quote(part.quoted) : nameOf(part)))
      .join('')
  if (!isDetail(rule)) return write(rule)
  const text = formatMessage(rule.texts.agent, 'en-US', writeValues(rule.values, { nameOf, quote, and: '' }))
  return write([...(rule.around?.before ?? []), text, ...(rule.around?.after ?? [])])
}

/** Returns a rule with words around it; people don't read those around a declared one. */
const surround = (rule: RefusalRule, before: Words, after: Words): RefusalRule =>
  isDetail(rule)
    ? {
        ...rule,
        around: {
          before: [...before, ...(rule.around?.before ?? [])],
          after: [...(rule.around?.after ?? []), ...after],
        },
      }
    : [...before, ...partsOf(rule), ...after]

/** `invalid_input`: a value broke a rule, or a precondition was not met. */
export const invalid = (rule: RefusalRule): Refusal => invalidFields([{ path: '', rule }])

/** `invalid_input` of a field: `invalidField('quantity', 'must be above 0')`. */
export const invalidField = (path: string, rule: RefusalRule): Refusal => invalidFields([{ path, rule }])

/** `invalid_input` of a field, in words that don't go on from its name: `rrule: COUNT and UNTIL exclude each other`. */
export const invalidAt = (path: string, rule: RefusalRule): Refusal => invalidFields([{ path, rule, isApart: true }])

/** `invalid_input` of several fields at once. */
export const invalidFields = (problems: readonly FieldProblem[]): Refusal => new Refusal('invalid_input', problems)

/** `not_found`: absent in this tenant, or archived. */
export const notFound = (what: string): Refusal =>
  new Refusal('not_found', [{ path: '', rule: refusals.absent({ what }) }], what)

/** `conflict`: collides with the present state. */
export const conflict = (rule: RefusalRule): Refusal => conflictField('', rule)

/** `conflict` of a field's value. */
export const conflictField = (path: string, rule: RefusalRule): Refusal => new Refusal('conflict', [{ path, rule }])

/** Returns a rule that names other fields or quotes texts: naming`must be after ${other('scheduled_start')}`. */
export const formatRule = (texts: TemplateStringsArray, ...between: (number | RulePart | RefusalRule)[]): Words =>
  texts.flatMap((text, i) => [text, ...asWords(between[i] ?? '')]).filter((part) => part !== '')

function asWords(part: number | RulePart | RefusalRule): Words {
  if (typeof part === 'number') return [String(part)]
  return isPart(part) ? [part] : partsOf(part)
}

const isPart = (part: RulePart | RefusalRule): part is RulePart =>
  typeof part === 'string' || (!Array.isArray(part) && ('quoted' in part || ('name' in part && !('texts' in part))))

/** Marks text that a customer or somebody else typed: naming`is the name of ${quoted(name)}`. */
export const quoteText = (text: string): QuotedText => ({ quoted: text })

/** Checks whether a rule is a declared refusal, not words. */
export const isDetail = (rule: RefusalRule): rule is RefusalDetail => typeof rule === 'object' && 'texts' in rule

/** Returns a rule as parts that another rule can contain; a fence stays a fence. */
function partsOf(rule: RefusalRule): Words {
  if (typeof rule === 'string') return [rule]
  if (!isDetail(rule)) return rule
  const quotes: QuotedText[] = []
  const quote = (text: string): string => `\uE000${quotes.push({ quoted: text }) - 1}\uE001`
  const text = textOf(rule, { nameOf: ({ name }) => name, quote })
  return text
    .split(/(\uE000\d+\uE001)/)
    .map((part, i) => (i % 2 === 0 ? part : (quotes[Number(part.slice(1, -1))] ?? part)))
}

/** Returns rules as one list. */
export const joinRules = (rules: readonly RefusalRule[]): Words =>
  rules.flatMap((rule, i) => [...(i === 0 ? [] : [', ']), ...partsOf(rule)])

export const fieldName = (name: string): FieldName => ({ name })

/** Returns what is there; undefined where it is refused as not found. */
export const ifPresent = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'not_found') return undefined
    throw error
  })

/** Bounds how many problems are named; of more it is said how many. */
export const MAX_NAMED = 10

/** Returns the first problems, and how many there are more. */
export const capProblems = (problems: readonly FieldProblem[], count = problems.length): FieldProblem[] => [
  ...problems.slice(0, MAX_NAMED),
  ...(count > MAX_NAMED ? [{ path: '', rule: refusals.more({ count: count - MAX_NAMED }) }] : []),
]

/** Handles an error of a promise: a refusal becomes `otherwise`, anything else is thrown. */
export const ifRefused =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if (error instanceof Refusal) return otherwise
    throw error
  }

/**
 * Thrown where nothing was done, because the service or the database is busy, locked or down; the same may be asked again
 * in `seconds`.
 */
export class Unavailable extends Error {
  readonly seconds: number
  /** Code of the error that it comes from. */
  readonly code: string | undefined
  /** True when the answer to a running query was lost. */
  readonly isLost: boolean

  constructor(
    why: string,
    { seconds = 1, isLost = false, cause }: { seconds?: number; isLost?: boolean; cause?: unknown } = {},
  ) {
    super(why, cause === undefined ? {} : { cause })
    this.name = 'Unavailable'
    this.seconds = seconds
    this.code = errorCode(cause)
    this.isLost = isLost
  }

  /** True when only the load refused it, which isn't logged as a fault. */
  get isExpected(): boolean {
    return !this.isLost && this.cause === undefined
  }
}

/** Thrown where nothing was done because the company is being moved, and can only be read meanwhile. */
export class Frozen extends Unavailable {
  constructor() {
    super('the company is being moved and can only be read', { seconds: 30 })
  }
}

/** Thrown where nobody knows whether it was done: the answer to its COMMIT is lost. */
export class Uncertain extends Error {}
