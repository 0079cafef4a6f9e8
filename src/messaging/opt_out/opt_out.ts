import { withoutMarks } from '../../platform/validation/text/text.ts'

/**
 * The meaning of a text for further texts: `stop` and `start` take effect at once, `unclear` waits for a person, and
 * undefined is an ordinary message (47 CFR 64.1200(a)(10), docs/spec/messages.md#opt-out).
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

/** Words that change nothing about an opt-out they stand beside. */
const COURTESIES: ReadonlySet<string> = new Set(
  ['please all text texts message messages', 'por favor todo todos texto textos mensaje mensajes'].flatMap((words) =>
    words.toUpperCase().split(' '),
  ),
)

/** Maximum length in characters of a text that is read as an answer; a longer one is a conversation. */
const MAX_ANSWER = 40

/** Reads what a text asks for. Opting in takes the bare word, since consent is never guessed. */
export function parseOptOut(body: string): OptOutAnswer | undefined {
  const text = body.length > 4 * MAX_ANSWER ? '' : body.trim()
  if (START_WORDS.has(text.toUpperCase())) return 'start'
  const words = wordsOf(text).filter((word) => !COURTESIES.has(word))
  const first = words[0]
  if (first === undefined) return undefined
  if (STOP_WORDS.has(words.join('')) || words.every((word) => STOP_WORDS.has(word))) return 'stop'
  if (Array.from(text).length > MAX_ANSWER) return undefined
  return beginnings(first, words[1]).some((word) => STOP_WORDS.has(word)) ? 'unclear' : undefined
}

/** Returns the words of a text in capitals, without accents, quotes, punctuation and invisible characters. */
const wordsOf = (text: string): string[] =>
  withoutMarks(text)
    .replaceAll(/\p{Cf}/gu, '')
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/**
 * Returns what a text can begin with: its first word, as written or without a slipped last letter, or its first two.
 */
const beginnings = (first: string, second = ''): string[] => [first, first.replace(/(.)\1+$/u, '$1'), first + second]
