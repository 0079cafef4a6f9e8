import {
  STARTER_TRADES,
  isTrade,
  listTakenNames,
  type StarterItem,
  type StarterTrade,
  type Trade,
} from '../../records/catalog_items/index.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { button } from '../../platform/html/parts/button.ts'
import { hidden } from '../../platform/html/parts/field.ts'
import { attribute, html, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { decimalText, digitsOf } from '../../records/format/formats.ts'
import { wordFor } from '../../records/page/states.ts'
import { undoChangePath } from '../activity/addresses.ts'
import { redirectWithMessage } from '../flash_message.ts'
import type { MemberContext } from '../member_context.ts'
import { requireOwner } from '../settings/settings_page.ts'
import type { Site } from '../site.ts'
import { addItems, unitName } from './add_items.ts'
import { redirectToNextStep, stepPage, type StepView } from './step_page.ts'

const TRADES: readonly Trade[] = ['plumbing', 'hvac', 'cleaning', 'landscaping']

/** Currency of the starter catalog's prices; in other currencies owners enter their own. */
const STARTER_CURRENCY = 'USD'

/** Renders the choice of a trade, and the usual items of the chosen one with editable prices. */
export async function drawServices({ context, query, form }: StepView): Promise<Html> {
  const chosen = form?.get('trade') ?? query?.get('trade') ?? ''
  const trade = isTrade(chosen) ? chosen : undefined
  const here = context.path('setup', 'services')
  return html`
  <p class="actions setup-trades" role="group" aria-label="${say`Your trade`}">${TRADES.map(
    (one) =>
      html`<a class="button" href="${here}?trade=${one}"${attribute('aria-current', one === trade, 'true')}
        >${STARTER_TRADES[one].name()}</a>`,
  )}</p>${
    trade === undefined
      ? html`
  <p>${say`Choose your trade to start from a list with usual prices. Or write your own:`} <a
    href="${context.path('catalog_items', 'new')}">${say`Create item`}</a></p>`
      : await itemsForm(context, trade, form)
  }`
}

async function itemsForm(context: MemberContext, trade: Trade, form: URLSearchParams | undefined): Promise<Html> {
  const { categories, items }: StarterTrade = STARTER_TRADES[trade]
  const names = items.map(({ name }) => name())
  const existing = await context.read((db) => listTakenNames(db, names))
  const { currency } = context.company
  return html`
  <form class="form" method="post" action="${context.path('setup', 'services')}">${hidden('trade', trade)}
    <p class="help">${
      currency === STARTER_CURRENCY
        ? say`Check what you sell, and change prices to yours. Prices are in ${currency}.`
        : say`Check what you sell, and enter your prices in ${currency}.`
    }</p>${Object.entries(categories).map(
      ([key, name]) => html`
    <fieldset class="starter"><legend>${name()}</legend>${items
      .filter(({ category }) => category === key)
      .map((item) => itemRow(item, currency, existing, form))}
    </fieldset>`,
    )}
    <p class="actions save-bar">${button({ label: say`Add to catalog`, kind: 'main' })}</p>
  </form>`
}

/** Renders an item with a checkbox and price; an item already in the catalog is read-only. */
function itemRow(
  item: StarterItem,
  currency: string,
  existing: ReadonlySet<string>,
  form: URLSearchParams | undefined,
): Html {
  const [name, { key, kind, unit }] = [item.name(), item]
  const details = [wordFor(kind), ...(unit === undefined ? [] : [say`per ${unitName(unit)}`])].join(' · ')
  if (existing.has(name))
    return html`
      <p class="starter-row"><span>${name}<span class="help">${say`In your catalog`}</span></span></p>`
  const usualPrice = currency === STARTER_CURRENCY ? decimalText(item.cents, digitsOf(currency)) : ''
  const isChecked = form === undefined ? item.isCommon === true && usualPrice !== '' : form.has(`item.${key}`)
  return html`
      <div class="starter-row"><label><input type="checkbox"
        name="item.${key}" value="yes"${attribute('checked', isChecked)}
        ><span>${name}<span class="help">${details}</span></span></label><input class="starter-price"
        name="price.${key}" value="${form?.get(`price.${key}`) ?? usualPrice}" inputmode="decimal" autocomplete="off"
        aria-label="${say`Price of ${name}`}"></div>`
}

/** Adds the checked items through the tools, as one change that can be undone. */
export async function saveServices(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  const name = sent.get('trade') ?? ''
  if (!isTrade(name)) return redirectToNextStep(context, 'services')
  const trade: StarterTrade = STARTER_TRADES[name]
  const chosen = trade.items.filter(({ key }) => sent.has(`item.${key}`))
  try {
    const { count, change } = await addItems(context, trade, chosen, ({ key }) => sent.get(`price.${key}`) ?? '')
    const here = context.path('setup', 'services')
    return redirectWithMessage(count === 0 ? `${here}?trade=${name}` : context.path('setup', 'tax'), {
      sentence:
        count === 0
          ? say`Nothing was selected`
          : sayCount(count, 'One item added to your catalog', '{0} items added to your catalog'),
      next: change === undefined ? undefined : { label: say`Undo`, href: undoChangePath(context, change, here) },
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const view = { site, context, form: sent }
    return stepPage('services', view, drawServices(view), error)
  }
}
