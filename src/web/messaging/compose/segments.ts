import { html, when, type Html } from '../../../platform/html/html.ts'
import { say, sayCount, translationOf } from '../../../platform/i18n/say.ts'
import { countSegments } from '../../../messaging/outbox/segments.ts'
import { withStopHint, type StopHintPreview } from '../../../messaging/outbox/stop_hint.ts'

const MAX_NAMED = 8

/**
 * Describes how many SMS segments a text takes, with the hint for a new number, and which characters increase the
 * count.
 */
export function segmentsText(text: string, preview?: StopHintPreview): string {
  const sent = preview === undefined ? text : withStopHint(text, preview)
  const { count, costly } = countSegments(sent)
  return [
    sayCount(count, 'Counts as one text.', 'Counts as {0} texts.'),
    ...(preview === undefined || sent === text
      ? []
      : [say`“${preview.hint}” is added, because it is the first text to this number.`]),
    ...(costly.length === 0 ? [] : [say`It would be fewer without: ${costly.slice(0, MAX_NAMED).join(' ')}`]),
  ].join(' ')
}

/**
 * Draws the same below the text field `fieldId`. A script updates it as the text and recipient change
 * (public/records/text_parts.js). `link` is the placeholder and a URL as long as a real link; `first` is the hint in
 * the first text to a number, and `to` the number.
 */
export function segmentsHtml(
  fieldId: string,
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
<text-parts class="help" aria-live="polite" data-of="${fieldId}" data-one="${translationOf(ONE)}"
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
const ADDED_TEXT = '“{0}” is added, because it is the first text to this number.'
const HINT_TEXT = 'It would be fewer without: {0}'

/** Returns a URL as long as a customer link. The link itself is created only on sending. */
export const linkPlaceholder = (baseUrl: string): string => `${baseUrl}/c/${'x'.repeat(22)}`
