import { pageResponse } from '../../platform/http/answer.ts'
import { html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { decimalText, digitsOf, money } from '../../records/format/formats.ts'
import { quantity } from '../../records/format/units.ts'
import { requireMemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import type { Site } from '../site.ts'

const MAX_SUGGESTED = 8
const MAX_LENGTH = 200

/** Answers catalog items whose name or SKU starts with the typed text, with the values to fill in a line. */
export async function suggestItems(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  if (!context.may('read:catalog_items')) throw notFoundRefusal()
  const query = (new URL(request.req.url).searchParams.get('q') ?? '').trim().slice(0, MAX_LENGTH)
  const { rows } =
    query === '' ? { rows: [] } : await context.call('catalog_items_list', { query, limit: MAX_SUGGESTED })
  const { currency } = context.company
  return pageResponse(
    html`${rows.map(
      ({ name, unit, unit_price_cents: price }) =>
        html`<option value="${name}"${
          price == null
            ? ''
            : html` label="${money(price, currency)} / ${quantity(1, unit ?? null)}" data-price="${decimalText(
                price,
                digitsOf(currency),
              )}" data-unit="${unit ?? ''}"`
        }></option>`,
    )}`,
  )
}
