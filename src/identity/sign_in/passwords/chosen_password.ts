import { invalidField } from '../../../platform/errors/refusal.ts'
import type { RefusalDetail } from '../../../platform/errors/refusal_text.ts'
import { estimateGuesses, type Guesses } from './guesses.ts'
import { hashPassword, requirePassword } from './passwords.ts'
import { refusals } from './refusals.ts'

/** Words that somebody who knows the user would try: their address, their name, their companies. */
export type PersonalWords = { email: string; name: string; companies: readonly string[] }

/** Minimum guesses, as a power of ten. A common password with a prefix and a suffix takes fewer. */
const MIN_GUESSES_LOG10 = 9

/**
 * Maximum characters to measure: the work grows faster than the text, and a strong password is strong within this
 * length.
 */
const MAX_MEASURED = 32

/** Hashes a password that a user chose. Refuses what `requirePassword` refuses, and what is easy to guess. */
export async function hashChosenPassword(password: string, about: PersonalWords): Promise<string> {
  requirePassword(password)
  const guesses = await estimateGuesses(password.slice(0, MAX_MEASURED), ownWords(about))
  if (guesses.log10 < MIN_GUESSES_LOG10) throw invalidField('password', refusalOf(guesses))
  return hashPassword(password)
}

function refusalOf({ kinds }: Guesses): RefusalDetail {
  if (kinds.includes('own')) return refusals.personal()
  if (kinds.includes('dictionary')) return refusals.common()
  return refusals.repetitive()
}

/** Returns each word whole, without spaces and punctuation, and in parts, cut to the measured length. */
function ownWords({ email, name, companies }: PersonalWords): string[] {
  const names = [email, name, ...companies.slice(0, 20)]
  const words = names.flatMap((text) => [text, text.replace(/[^\p{L}\p{N}]+/gu, ''), ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(words.map((word) => word.toLowerCase().slice(0, MAX_MEASURED)))]
    .filter((word) => word.length >= 3)
    .slice(0, 100)
}
