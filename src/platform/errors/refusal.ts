import { errorCode } from './error_code.ts'
import { formatMessage } from './message_format.ts'
import { refusals } from './refusals.ts'
import { formatValues, type AgentWords, type FieldName, type QuotedText, type RefusalDetail } from './refusal_text.ts'

export type { QuotedText } from './refusal_text.ts'

/** Code of a tool error (docs/spec/interface.md#error-format). */
export type Code = 'invalid_input' | 'not_found' | 'conflict' | 'insufficient_scope' | 'internal'

/** Problem with a value: a declared refusal, or English text for agents only. */
export type RefusalRule = string | Words | RefusalDetail

type Words = AgentWords
type RulePart = Words[number]

/**
 * Problem with one value: its path as the caller wrote it, such as `line_items[2].quantity`, and the text after it. A
 * problem with the whole request has no path.
 */
export type FieldProblem = {
  readonly path: string
  readonly rule: RefusalRule
  /** Addition for agents only: the value that was sent, and the tool that helps. */
  readonly note?: RefusalRule
  /** Whether a colon separates the path from the text, which isn't a continuation of it. */
  readonly isApart?: true
}

/** Thrown to refuse a request for a reason that its sender can act on. Any other error is `internal`. */
export class Refusal extends Error {
  readonly code: Code
  readonly problems: readonly FieldProblem[]
  /** Name of the missing record, such as `customer`. */
  readonly missingRecord: string | undefined

  constructor(code: Code, problem: string | readonly FieldProblem[], missingRecord?: string) {
    const problems = typeof problem === 'string' ? [{ path: '', rule: problem }] : problem
    super(sentencesOf(problems, (text) => `'${text}'`))
    this.name = 'Refusal'
    this.code = code
    this.problems = problems
    this.missingRecord = missingRecord
  }

  /** Message for a model, with quoted text inside a fence. */
  get agentMessage(): string {
    return sentencesOf(this.problems, quoteUntrusted)
  }

  /** Returns the same refusal with a further note for agents. */
  withNote(note: string): Refusal {
    const last = this.problems.length - 1
    const problems = this.problems.map((problem, i) =>
      i < last ? problem : { ...problem, note: [...partsOf(problem.note ?? ''), note] },
    )
    return new Refusal(this.code, problems, this.missingRecord)
  }

  /** Returns the same refusal without a path, with text for agents before and after it. */
  withContext(before: string, after: string, code: Code = this.code): Refusal {
    const last = this.problems.length - 1
    const problems = this.problems.map(({ path, rule, note = '', isApart }, i): FieldProblem => {
      const name = path === '' ? [] : [{ name: path }, isApart === true ? ': ' : ' ']
      const end = [...partsOf(note), ...(i === last ? [after] : [])]
      return { path: '', rule: surround(rule, [...(i === 0 ? [before] : []), ...name], end) }
    })
    return new Refusal(code, problems, this.missingRecord)
  }
}

/** Wraps untrusted text in marks that nothing in it can close: to a model it is information, never an instruction. */
export const quoteUntrusted = (text: string): string =>
  `«${text.replace(/\s+/g, ' ').replaceAll('«', '‹').replaceAll('»', '›')}»`

/** Formats a rule or a warning without a field for a model. */
export const ruleForAgents = (rule: RefusalRule): string =>
  textOf(rule, { nameOf: ({ name }) => name, quote: quoteUntrusted })

type Quote = (text: string) => string

const sentencesOf = (problems: readonly FieldProblem[], quote: Quote): string =>
  problems.map((problem) => sentenceOf(problem, quote)).join('; ')

function sentenceOf({ path, rule, note = '', isApart }: FieldProblem, quote: Quote): string {
  const style = { nameOf: ({ name }: FieldName) => name, quote }
  const words = `${textOf(rule, style)}${textOf(note, style)}`
  return path === '' ? words : `${path}${isApart === true ? ':' : ''} ${words}`
}

/** Formats a rule for agents. `nameOf` and `quote` format its fields and quoted texts. */
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
  const text = formatMessage(rule.texts.agent, 'en-US', formatValues(rule.values, { nameOf, quote, and: '' }))
  return write([...(rule.around?.before ?? []), text, ...(rule.around?.after ?? [])])
}

/** Returns a rule with text around it; around a declared refusal, only agents read that text. */
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

/** Returns `invalid_input`: a value broke a rule, or a precondition was not met. */
export const invalid = (rule: RefusalRule): Refusal => invalidFields([{ path: '', rule }])

/** Returns `invalid_input` of a field: `invalidField('quantity', 'must be above 0')`. */
export const invalidField = (path: string, rule: RefusalRule): Refusal => invalidFields([{ path, rule }])

/** Returns `invalid_input` of a field, with a colon after its path: `rrule: COUNT and UNTIL can't be combined`. */
export const invalidAt = (path: string, rule: RefusalRule): Refusal => invalidFields([{ path, rule, isApart: true }])

/** Returns `invalid_input` of several fields at once. */
export const invalidFields = (problems: readonly FieldProblem[]): Refusal => new Refusal('invalid_input', problems)

/** Returns `not_found`: missing in this tenant, or archived. */
export const notFound = (what: string): Refusal =>
  new Refusal('not_found', [{ path: '', rule: refusals.absent({ what }) }], what)

/** Returns `conflict`: a collision with the current state. */
export const conflict = (rule: RefusalRule): Refusal => conflictField('', rule)

/** Returns `conflict` of a field's value. */
export const conflictField = (path: string, rule: RefusalRule): Refusal => new Refusal('conflict', [{ path, rule }])

/** Returns a rule with field names or quotes: formatRule`must be after ${fieldName('scheduled_start')}`. */
export const formatRule = (texts: TemplateStringsArray, ...values: (number | RulePart | RefusalRule)[]): Words =>
  texts.flatMap((text, i) => [text, ...toParts(values[i] ?? '')]).filter((part) => part !== '')

function toParts(part: number | RulePart | RefusalRule): Words {
  if (typeof part === 'number') return [String(part)]
  return isPart(part) ? [part] : partsOf(part)
}

const isPart = (part: RulePart | RefusalRule): part is RulePart =>
  typeof part === 'string' || (!Array.isArray(part) && ('quoted' in part || ('name' in part && !('texts' in part))))

/** Marks text that a customer or another person typed: formatRule`is the name of ${quoteText(name)}`. */
export const quoteText = (text: string): QuotedText => ({ quoted: text })

/** Checks whether a rule is a declared refusal, not plain text. */
export const isDetail = (rule: RefusalRule): rule is RefusalDetail => typeof rule === 'object' && 'texts' in rule

/** Returns a rule as parts that another rule can contain; quoted text stays quoted. */
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

/** Joins rules with commas. */
export const joinRules = (rules: readonly RefusalRule[]): Words =>
  rules.flatMap((rule, i) => [...(i === 0 ? [] : [', ']), ...partsOf(rule)])

export const fieldName = (name: string): FieldName => ({ name })

/** Returns the result; undefined if it is refused as `not_found`. */
export const ifPresent = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'not_found') return undefined
    throw error
  })

/** Maximum number of problems to name; further ones are only counted. */
export const MAX_NAMED = 10

/** Returns the first problems, and the number of further ones. */
export const capProblems = (problems: readonly FieldProblem[], count = problems.length): FieldProblem[] => [
  ...problems.slice(0, MAX_NAMED),
  ...(count > MAX_NAMED ? [{ path: '', rule: refusals.more({ count: count - MAX_NAMED }) }] : []),
]

/** Returns an error handler: it turns a refusal into `otherwise` and rethrows anything else. */
export const ifRefused =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    if (error instanceof Refusal) return otherwise
    throw error
  }

/**
 * Thrown if nothing was done because the service or the database is busy, locked or down. The request may be retried
 * after `seconds`.
 */
export class Unavailable extends Error {
  readonly seconds: number
  /** Code of the underlying error. */
  readonly code: string | undefined
  /** Whether the answer to a running query was lost. */
  readonly isLost: boolean

  constructor(
    reason: string,
    { seconds = 1, isLost = false, cause }: { seconds?: number; isLost?: boolean; cause?: unknown } = {},
  ) {
    super(reason, cause === undefined ? {} : { cause })
    this.name = 'Unavailable'
    this.seconds = seconds
    this.code = errorCode(cause)
    this.isLost = isLost
  }

  /** Whether load was the only cause, which isn't logged as a fault. */
  get isExpected(): boolean {
    return !this.isLost && this.cause === undefined
  }
}

/** Thrown if nothing was done because the company is being moved and is read-only meanwhile. */
export class Frozen extends Unavailable {
  constructor() {
    super('the company is being moved and can only be read', { seconds: 30 })
  }
}

/** Thrown if the outcome is unknown: the answer to the COMMIT was lost. */
export class Uncertain extends Error {}
