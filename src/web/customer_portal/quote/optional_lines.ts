import { hidden } from '../../../platform/html/parts/field.ts'
import { attribute, html, when, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { quantity } from '../../../records/format/units.ts'
import { money } from '../../../records/format/formats.ts'
import type { QuoteOffer } from './offer.ts'

/** Parameter for a checked optional line, in URLs and forms. */
const LINE_PARAM = 'add'

/** Id of the form with the optional lines, which the Accept button in the bar submits. */
export const CHOICE_FORM_ID = 'choice'

/** Maximum ids read from a URL or form. */
const MAX_READ = 50

export const readCheckedLines = (sent: URLSearchParams): string[] => sent.getAll(LINE_PARAM).slice(0, MAX_READ)

export const readCheckedLinesFromUrl = (request: PageRequest): string[] =>
  readCheckedLines(new URL(request.req.url).searchParams)

/** Returns the query string that keeps the checked lines across pages. */
export const queryOf = ({ lines }: Pick<QuoteOffer, 'lines'>): string =>
  lines.length === 0 ? '' : `?${new URLSearchParams(lines.map((id) => [LINE_PARAM, id])).toString()}`

/** Draws hidden fields for the checked lines. */
export const hiddenCheckedLines = ({ lines }: Pick<QuoteOffer, 'lines'>): Html =>
  html`${lines.map((id) => hidden(LINE_PARAM, id))}`

/** Draws the optional lines. Without scripts a button updates the total. Accept always submits the checked lines. */
export const optionalHtml = (
  { content, lines, quote }: QuoteOffer,
  base: string,
  pictures: ReadonlyMap<string, string>,
): Html | '' =>
  when(
    content.optional_lines,
    (optional) => html`
<section class="part link-optional">
  <h2>${say`Add to your quote`}</h2>
  <form id="${CHOICE_FORM_ID}" method="get" action="${base}/accept" data-follows="${base}">
    <ul class="add-list">${optional.map((line) => {
      const isChecked = lines.includes(line.id)
      const picture = pictureOf(quote, line.id, pictures)
      return html`
      <li><label class="add">
        <input type="checkbox" name="${LINE_PARAM}" value="${line.id}"${attribute('checked', isChecked)}>${when(
          picture,
          (address) => html`
        <img src="${address}" alt="" width="64" height="64" loading="lazy">`,
        )}
        <span class="add-what"><b>${line.name}</b>${when(
          line.quantity !== 1,
          () => html` <span class="help">${quantity(line.quantity, line.unit)}</span>`,
        )}${when(line.description, (description) => html`<span class="help written">${description}</span>`)}</span>
        <span class="add-price">+${money(line.line_total_cents, content.currency)}</span>
      </label></li>`
    })}
    </ul>
    <p class="actions" data-without-script>
      <button class="button quiet" formaction="${base}">${say`Update total`}</button></p>
  </form>
</section>`,
  )

const pictureOf = (
  { optional_lines }: QuoteOffer['quote'],
  line: string,
  pictures: ReadonlyMap<string, string>,
): string | undefined => {
  const item = optional_lines?.find(({ id }) => id === line)?.catalog_item_id
  return item == null ? undefined : pictures.get(item)
}
