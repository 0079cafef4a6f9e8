import { normalizeText } from '../platform/validation/text/text.ts'
import { extensionsOf } from './screening/content_types.ts'

const MAX_LENGTH = 120
const MAX_INPUT_LENGTH = 1_000
const MAX_EXTENSION = 10

/** Matches names that Windows reserves for devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/i

/**
 * Matches control and format characters (which reverse text or are invisible), line separators, private use and
 * unassigned code points.
 */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu

/**
 * Returns a file name for display and saving: no path, no hidden characters, and an extension of an allowed type. Never
 * use it as a path.
 */
export function displayName(input: string, type: string): string {
  const base = normalizeName(input.slice(-MAX_INPUT_LENGTH).toWellFormed()).replace(/^.*[/\\]/s, '')
  const clean = base
    .replace(INVISIBLE, '')
    .replace(/[<>:"|?*\uFFFD]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  const safeName = clean === '' ? 'attachment' : DEVICE.test(clean) ? `_${clean}` : clean
  const { stem, extension } = splitExtension(safeName)
  const allowed = extensionsOf(type)
  if (allowed.length === 0 || allowed.includes(extension.slice(1).toLowerCase()))
    return truncateName(stem, MAX_LENGTH - extension.length) + extension
  return `${truncateName(safeName, MAX_LENGTH - MAX_EXTENSION)}.${allowed[0]}`
}

/** Normalizes a name. Returns it unchanged if it has no normal form. */
function normalizeName(name: string): string {
  const normalized = normalizeText(name, MAX_INPUT_LENGTH)
  return 'text' in normalized ? normalized.text : name
}

const truncateName = (text: string, maxLength: number): string =>
  Array.from(text.slice(0, 2 * maxLength))
    .slice(0, maxLength)
    .join('')
    .toWellFormed()

function splitExtension(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.')
  return dot > 0 && name.length - dot <= MAX_EXTENSION
    ? { stem: name.slice(0, dot), extension: name.slice(dot) }
    : { stem: name, extension: '' }
}
