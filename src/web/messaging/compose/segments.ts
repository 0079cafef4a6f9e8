import { html, when, type Html } from '../../../platform/html/html.ts'
import { say, sayCount, translationOf } from '../../../platform/i18n/say.ts'
import { countSegments } from '../../../messaging/outbox/segments.ts'

const MAX_NAMED = 8

/** Returns how many texts a text counts as, and which characters make it more than it would be without them. */
export function segmentsText(text: string): string {
  const { count, costly } = countSegments(text)
  const counts = sayCount(count, 'Counts as one text.', 'Counts as {0} texts.')
  if (costly.length === 0) return counts
  return `${counts} ${say`It would be fewer without: ${costly.slice(0, MAX_NAMED).join(' ')}`}`
}

/**
 * Draws the same below the box of that name; a script follows what is typed there (public/records/text_parts.js).
 * `link` is what stands for a customer's link, and an address as long as that.
 */
export const segmentsHtml = (
  of: string,
  text: string,
  link?: readonly [placeholder: string, sized: string],
): Html => html`
<text-parts class="help" aria-live="polite" data-of="${of}" data-one="${translationOf(ONE)}"
  data-many="${translationOf(COUNT_TEXT)}"
  data-fewer="${translationOf(HINT_TEXT)}"${when(
    link,
    ([placeholder, sized]) => html` data-instead="${placeholder}" data-link="${sized}"`,
  )}>${text === '' ? '' : segmentsText(link === undefined ? text : text.replaceAll(...link))}</text-parts>`

const ONE = 'Counts as one text.'
const COUNT_TEXT = 'Counts as {0} texts.'
const HINT_TEXT = 'It would be fewer without: {0}'

/** Returns an address as long as that of a customer's link, which is made only when a message goes. */
export const linkPlaceholder = (baseUrl: string): string => `${baseUrl}/c/${'x'.repeat(22)}`
