import { html, when, type Html } from '../../../platform/html/html.ts'
import { say, sayCount, translationOf } from '../../../platform/i18n/say.ts'
import { countSegments } from '../../../messaging/outbox/segments.ts'
import { withStopHint, type StopHintPreview } from '../../../messaging/outbox/stop_hint.ts'

const MAX_NAMED = 8

/**
 * Returns how many texts a text counts as, with the hint for a new number, and which characters make it more than it
 * would be without them.
 */
export function segmentsText(text: string, preview?: StopHintPreview): string {
  const sent = preview === undefined ? text : withStopHint(text, preview)
  const { count, costly } = countSegments(sent)
  return [
    sayCount(count, 'Counts as one text.', 'Counts as {0} texts.'),
    ...(preview === undefined || sent === text
      ? []
      : [say`“${preview.hint}” is added, since it is the first to this number.`]),
    ...(costly.length === 0 ? [] : [say`It would be fewer without: ${costly.slice(0, MAX_NAMED).join(' ')}`]),
  ].join(' ')
}

/**
 * Draws the same below the box of that name; a script follows what is typed and whom it goes to
 * (public/records/text_parts.js). `link` is what stands for a customer's link, and an address as long as that; `first`
 * is what a first text to a number says, and `to` the number.
 */
export function segmentsHtml(
  of: string,
  text: string,
  {
    link,
    first,
    to,
  }: { link?: readonly [placeholder: string, sized: string]; first?: StopHintPreview; to?: string } = {},
): Html {
  const isFirst = first !== undefined && (to === undefined || first.numbers.includes(to))
  const sizedText = link === undefined ? text : text.replaceAll(...link)
  return html`
<text-parts class="help" aria-live="polite" data-of="${of}" data-one="${translationOf(ONE)}"
  data-many="${translationOf(COUNT_TEXT)}"
  data-fewer="${translationOf(HINT_TEXT)}"${when(
    link,
    ([placeholder, sized]) => html` data-instead="${placeholder}" data-link="${sized}"`,
  )}${when(
    first,
    ({ hint, company, numbers }) => html` data-added="${translationOf(ADDED_TEXT)}" data-hint="${hint}"
  data-company="${company}" data-numbers="${numbers.join(' ')}"`,
  )}>${text === '' ? '' : segmentsText(sizedText, isFirst ? first : undefined)}</text-parts>`
}

const ONE = 'Counts as one text.'
const COUNT_TEXT = 'Counts as {0} texts.'
const ADDED_TEXT = '“{0}” is added, since it is the first to this number.'
const HINT_TEXT = 'It would be fewer without: {0}'

/** Returns an address as long as that of a customer's link, which is made only when a message goes. */
export const linkPlaceholder = (baseUrl: string): string => `${baseUrl}/c/${'x'.repeat(22)}`
