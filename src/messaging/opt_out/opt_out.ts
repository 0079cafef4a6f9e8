import { withoutMarks } from '../../platform/validation/text/text.ts'

/**
 * Effect of a text on later texts: `stop` and `start` apply at once, `unclear` awaits a person's decision (47 CFR
 * 64.1200(a)(10), docs/spec/messages.md#opt-out).
 */
type OptOutAnswer = 'stop' | 'start' | 'unclear'

const STOP_WORDS: ReadonlySet<string> = new Set([
  'STOP',
  'STOPALL',
  'QUIT',
  'END',
  'REVOKE',
  'OPTOUT',
  'CANCEL',
  'UNSUBSCRIBE',
  'REMOVE',
  'ALTO',
  'BAJA',
  'PARAR',
])
const START_WORDS: ReadonlySet<string> = new Set(['START', 'YES', 'UNSTOP'])

/** Words that don't change the meaning of an opt-out. */
const COURTESIES: ReadonlySet<string> = new Set(
  ['please all text texts message messages', 'por favor todo todos texto textos mensaje mensajes'].flatMap((words) =>
    words.toUpperCase().split(' '),
  ),
)

/** Maximum characters of a text that counts as an opt-out or opt-in; a longer one is conversation. */
const MAX_ANSWER = 40

/** Parses an opt-out or opt-in. Opting in takes the bare keyword, since consent is never guessed. */
export function parseOptOut(body: string): OptOutAnswer | undefined {
  const text = body.length > 4 * MAX_ANSWER ? '' : body.trim()
  if (START_WORDS.has(text.toUpperCase())) return 'start'
  const words = wordsOf(text).filter((word) => !COURTESIES.has(word))
  const first = words[0]
  if (first === undefined) return undefined
  if (STOP_WORDS.has(words.join('')) || words.every((word) => STOP_WORDS.has(word))) return 'stop'
  if (Array.from(text).length > MAX_ANSWER) return undefined
  return candidateKeywords(first, words[1]).some((word) => STOP_WORDS.has(word)) ? 'unclear' : undefined
}

/** Returns the words of a text in upper case, without accents, quotes, punctuation and invisible characters. */
const wordsOf = (text: string): string[] =>
  withoutMarks(text)
    .replaceAll(/\p{Cf}/gu, '')
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** Returns possible keywords: the first word, also without a repeated last letter, and the first two words joined. */
const candidateKeywords = (first: string, second = ''): string[] => [
  first,
  first.replace(/(.)\1+$/u, '$1'),
  first + second,
]
