import { normalizeText } from '../platform/validation/text/text.ts'
import { extensionsOf } from './screening/content_types.ts'

const MAX_LENGTH = 120
const MAX_READ = 1_000
const MAX_EXTENSION = 10

/** Matches names that Windows reserves for devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/i

/**
 * Matches control and format characters (which reverse text or are invisible), line separators, private use and
 * unassigned code points.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu

/**
 * Returns a file name for display and saving: no path, no hidden characters, and an extension of an allowed type. Never
 * use it as a path.
 */
export function displayName(input: string, type: string): string {
  const base = normalizeName(input.slice(-MAX_READ).toWellFormed()).replace(/^.*[/\\]/s, '')
  const clean = base
    .replace(UNSEEN, '')
    .replace(/[<>:"|?*\uFFFD]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  const named = clean === '' ? 'attachment' : DEVICE.test(clean) ? `_${clean}` : clean
  const { stem, extension } = splitExtension(named)
  const fitting = extensionsOf(type)
  if (fitting.length === 0 || fitting.includes(extension.slice(1).toLowerCase()))
    return truncateName(stem, MAX_LENGTH - extension.length) + extension
  return `${truncateName(named, MAX_LENGTH - MAX_EXTENSION)}.${fitting[0]}`
}

/** Normalizes a name. Returns it unchanged if it has no normal form. */
function normalizeName(name: string): string {
  const read = normalizeText(name, MAX_READ)
  return 'text' in read ? read.text : name
}

const truncateName = (text: string, most: number): string =>
  Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join('')
    .toWellFormed()

function splitExtension(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.')
  return dot > 0 && name.length - dot <= MAX_EXTENSION
    ? { stem: name.slice(0, dot), extension: name.slice(dot) }
    : { stem: name, extension: '' }
}
