import { linkButton } from '../../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import type { OfferContent } from '../../../customer_portal/offer.ts'
import { picturesOf } from '../../../records/catalog_items/index.ts'
import { day, money } from '../../../records/format/formats.ts'
import { multilineText } from '../../../records/page/parts.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { takeFlashMessage, type FlashMessage } from '../../flash_message.ts'
import { actionBar, questionButton } from '../action_bar.ts'
import { customerPage } from '../customer_page.ts'
import { findDocument, type PortalDocument } from '../document.ts'
import type { LinkContext } from '../link_context.ts'
import { isOpenOffer } from './accept.ts'
import { findOffers, type OptionOffer } from './offer.ts'
import { itemIds } from './quote.ts'

/** Maximum lines shown of an option. Its own page has all of them. */
const MAX_LINES = 8

/** Shows the options of a link side by side, cheapest first, each with a link to its page. */
export const showOptions = (context: LinkContext, document: PortalDocument, request: PageRequest): Promise<Response> =>
  optionsPage(context, document, { flashMessage: takeFlashMessage(request) })

type OptionsPageOptions = { flashMessage?: FlashMessage | undefined; status?: number }

export async function optionsPage(
  context: LinkContext,
  document: PortalDocument,
  more: OptionsPageOptions = {},
): Promise<Response> {
  const offers = await findOffers(context)
  const ids = itemIds(offers.flatMap((one) => one.quote.line_items))
  const pictures = await context.read((db) => picturesOf(db, ids, context.base))
  const accepted = offers.find(({ state }) => state === 'accepted')
  const open = offers.filter(isOpenOffer)
  const [first] = open
  const cards = offers.map((one) => ({ ...one, picture: pictureOf(one, pictures) }))
  return customerPage({
    ...more,
    from: context.company,
    title: say`Your options`,
    body: html`
<header class="options-head">
  <h1>${accepted === undefined ? say`Choose the option that suits you` : say`You chose an option`}</h1>${when(
    first,
    ({ quote: { customer_name, valid_until, message } }) => html`
  <p class="lead">${say`Prepared for ${customer_name}, valid until ${day(valid_until)}`}</p>${when(
    message,
    multilineText,
  )}`,
  )}
</header>${when(accepted === undefined && open.length === 0, () =>
      notice({ kind: 'info', title: say`These options can’t be accepted anymore` }),
    )}
<ul class="options">${cards.map((one) => optionHtml(context, one))}
</ul>
${actionBar(
  accepted?.content.title ?? sayCount(offers.length, 'one option', '{0} options'),
  priceText(accepted, open, context.currency),
  when(accepted, (one) => linkButton(say`View quote`, addressOf(context, one), 'main')),
  html`${questionButton(document)}${when(open.length > 0, () =>
    linkButton(say`Decline all`, `${document.base}/decline`, 'quiet'),
  )}`,
)}`,
  })
}

/** Returns the price of the accepted option, or the lowest price of the open ones. */
const priceText = (accepted: OptionOffer | undefined, open: readonly OptionOffer[], currency: string): string =>
  accepted !== undefined
    ? money(accepted.content.total_cents, currency)
    : open.length === 0
      ? ''
      : say`from ${money(Math.min(...open.map(({ content }) => content.total_cents)), currency)}`

const addressOf = (context: LinkContext, { id }: OptionOffer): string => findDocument(context, 'quotes', id)?.base ?? ''

/** Returns an option's picture: that of its most expensive line with one. */
function pictureOf({ quote }: OptionOffer, pictures: ReadonlyMap<string, string>): string | undefined {
  const [mostExpensive] = quote.line_items
    .filter(({ catalog_item_id }) => catalog_item_id !== null && pictures.has(catalog_item_id))
    .toSorted((a, b) => b.line_total_cents - a.line_total_cents)
  return mostExpensive?.catalog_item_id == null ? undefined : pictures.get(mostExpensive.catalog_item_id)
}

function optionHtml(context: LinkContext, one: OptionOffer & { picture: string | undefined }): Html {
  const { content, picture, state, quote } = one
  const lines = content.line_items.filter(({ kind }) => kind !== 'discount')
  const isOpen = isOpenOffer(one)
  const optionClass = isOpen ? 'open' : state === 'accepted' ? 'chosen' : 'closed'
  return html`
  <li class="option ${optionClass}">${when(picture, (address) => html`<img src="${address}" alt="" width="600" height="400">`)}
    <div class="option-what">
      <p class="eyebrow">${content.display_number}</p>
      <h2>${content.title}</h2>
      <p class="option-price"><b>${money(content.total_cents, content.currency)}</b>${when(
        content.tax_cents > 0,
        () => html` <span class="help">${say`with tax`}</span>`,
      )}</p>
      <ul class="option-lines">${lines.slice(0, MAX_LINES).map(({ name }) => html`<li>${name}</li>`)}</ul>${when(
        lines.length > MAX_LINES,
        () => html`<p class="help">${sayCount(lines.length - MAX_LINES, 'and one more', 'and {0} more')}</p>`,
      )}${extrasText(content)}
    </div>
    <p class="option-step">${
      isOpen
        ? linkButton(
            html`${say`See option`} <span class="unseen">${content.title}</span>`,
            addressOf(context, one),
            'main',
          )
        : html`<b>${stateText(state, quote.decline_reason)}</b> <a href="${addressOf(context, one)}">${say`View`}</a>`
    }</p>
  </li>`
}

const extrasText = ({ optional_lines = [], currency }: OfferContent): Html | '' =>
  when(
    optional_lines.length > 0,
    () =>
      html`<p class="help">${sayCount(
        optional_lines.length,
        'One thing to add, {1}',
        '{0} things to add, from {1}',
        money(Math.min(...optional_lines.map(({ line_total_cents }) => line_total_cents)), currency),
      )}</p>`,
  )

const stateText = (state: OptionOffer['state'], reason: string | null): string =>
  STATE_TEXTS[state]?.(reason) ?? say`No longer offered`

const STATE_TEXTS: Readonly<Partial<Record<OptionOffer['state'], (reason: string | null) => string>>> = {
  accepted: () => say`Accepted`,
  declined: (reason) => (reason === 'superseded' ? say`Not chosen` : say`Declined`),
  expired: () => say`Expired`,
  stale: () => say`There is a newer version`,
  revising: () => say`Being changed`,
}
