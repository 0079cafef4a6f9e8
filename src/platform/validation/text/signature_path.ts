import { invalidField } from '../../errors/refusal.ts'
import { refusals } from '../refusals.ts'

const MAX_LENGTH = 20_000
const STROKES = /^(?:M\d{1,3} \d{1,3}(?:L\d{1,3} \d{1,3})*)+$/

/** Checks the path data of a drawn signature, in whole points of 600 by 200. Returns null if it is empty. */
export function readSignaturePath(text: string, field: string): string | null {
  if (text === '') return null
  if (text.length > MAX_LENGTH || !STROKES.test(text)) throw invalidField(field, refusals.signature())
  return text
}
