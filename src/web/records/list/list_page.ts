import { linkButton } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { attribute, html, when, type Html } from '../../../platform/html/html.ts'
import { moreMenu } from '../../../platform/html/parts/more.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { pager } from '../../../platform/html/parts/pager.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { Refusal } from '../../../platform/errors/refusal.ts'
import { chipsHtml, chipsOf, filterHtml, inputName, findSearchFilter } from '../../../records/list/filters.ts'
import type { PageContext, RecordView } from '../../../records/page/page_context.ts'
import { problemsOf, stepsOf, withLabel } from '../../../records/form/problems.ts'
import { mayWrite, type Filter, type Screen, type Sums, type ActionLink } from '../../../records/page/screen.ts'
import type { SavedView } from '../../../records/list/saved_views.ts'
import type { MemberContext } from '../../member_context.ts'
import { rowsHtml } from './rows.ts'
import { isSameQuery, savedLinks, viewMenu, type ListViews } from './view_links.ts'

export type ListResult = {
  rows: RecordView[]
  next: string | undefined
  previous: string | undefined
  sums?: Sums | undefined
  /** True if there are no records at all, even without filters. */
  isEmpty?: boolean
  /** Saved views of the list. */
  views: readonly SavedView[]
  /** Names of the columns this person chose. */
  columns: readonly string[]
  refusal?: Refusal
}

/** Draws a list: search and new record first, then views and filters, then rows. */
export async function listHtml(
  context: MemberContext,
  screen: Screen,
  params: URLSearchParams,
  { rows, next, previous, sums, isEmpty = false, views, columns, refusal }: ListResult,
): Promise<Html> {
  const { listing } = screen
  const [inputs, chips] = await Promise.all([
    filterHtml(context, listing.filters(), params),
    chipsOf(context, listing.filters(), params),
  ])
  const isBuiltIn =
    listing.views?.(context).some(({ filters }) => isSameQuery(new URLSearchParams(filters), params)) === true
  const visible = isBuiltIn ? [] : chips
  const saved: ListViews = { views, params, isBuiltIn, isRefused: refusal !== undefined, columns }
  const hasViews = listing.views !== undefined || views.length > 0
  const isFiltered =
    !isEmpty && listing.filters().some(({ name }) => name !== 'sort' && (params.get(name) ?? '') !== '')
  const title = screen.title
  const tools = html`${viewMenu(context, screen, saved)}<form class="filters" id="${FORM}" method="get"
    action="${context.path(screen.entity.name)}" role="search" aria-label="${say`Filter ${title}`}">${listing
      .filters()
      .filter(({ kind, name }) => (kind === 'record' || kind === 'subject') && params.has(name))
      .map(({ name }) => hidden(name, params.get(name)!))}${when(
      inputs.length > 0,
      () => html`
    <details${attribute('open', visible.length > 0 || refusal !== undefined)}
      ><summary class="button quiet">${say`Filter`}</summary>
      <div class="filter-fields">${inputs}<p class="actions"><button class="button plain">${say`Apply`}</button></p>
      </div>
    </details>`,
    )}</form>`
  return html`
<header class="page-head list-head">
  <h1>${title}</h1>
  ${searchHtml(screen, params)}
  <div class="actions">${headHtml(context, screen, params)}</div>${when(!hasViews, () => tools)}
</header>${when(
    hasViews,
    () => html`
<div class="list-tools">${viewsHtml(context, screen, saved)}${tools}
</div>`,
  )}
${chipsHtml(visible, (name) => pathWithoutFilter(context, screen, params, name))}${when(refusal, (refusal) =>
    notice({ kind: 'error', title: say`Check your filters`, body: refusalText(refusal, listing.filters()) }),
  )}
${rowsHtml({
  context,
  screen,
  params,
  rows,
  sums,
  columns,
  empty: isFiltered
    ? html`${say`No matches.`} <a href="${unfilteredPath(context, screen, params)}">${say`Show all`}</a>`
    : listing.empty,
})}
${pager({ label: say`Pages of ${title}`, previous, next })}`
}

const FORM = 'list-filters'

const searchHtml = ({ listing }: Screen, params: URLSearchParams): Html | '' =>
  when(findSearchFilter(listing.filters()), ({ name, label }) => {
    const text = label
    return html`
  <div class="list-search"><input form="${FORM}" type="search" name="${name}" value="${params.get(name) ?? ''}"
    aria-label="${text}" placeholder="${text}" autocomplete="off"
    ><button form="${FORM}" class="button plain">${say`Search`}</button></div>`
  })

/** Draws the link to a new record and a menu of the other links. A `plain` link goes beside the menu. */
function headHtml(context: PageContext, screen: Screen, params: URLSearchParams): Html {
  const { entity, listing } = screen
  const query = params.size === 0 ? '' : `?${params.toString()}`
  const links: ActionLink[] = [
    ...(listing.links?.(context) ?? []),
    { label: say`Export CSV`, href: `${context.path(entity.name)}.csv${query}`, kind: 'quiet' },
  ]
  const linkButtons = (isBeside: boolean): Html[] =>
    links
      .filter(({ kind = 'plain' }) => (kind !== 'quiet') === isBeside)
      .map(({ label, href, kind = 'plain' }) => linkButton(label, href, kind))
  return html`${when(mayWrite(context, entity), () =>
    linkButton(say`New ${screen.singular}`, `${context.path(entity.name, 'new')}${customerQuery(params)}`, 'main'),
  )}${linkButtons(true)}${moreMenu(say`More`, linkButtons(false))}`
}

/** Returns a refusal's text with filters named by their labels. Each filter has a single value. */
function refusalText({ problems }: Refusal, filters: readonly Filter[]): string {
  const labeled = filters.flatMap((filter) => ('label' in filter ? [{ ...filter, name: inputName(filter) }] : []))
  const { fields, general } = problemsOf(
    { problems: problems.map((problem) => ({ ...problem, path: stepsOf(problem.path)[0]! })) },
    labeled,
  )
  const named = labeled.flatMap(({ name, label }) => (fields.has(name) ? [withLabel(label, fields.get(name)!)] : []))
  return [...general, ...named].join(' ')
}

/** Returns the list's URL without filters, except the customer. */
const unfilteredPath = (context: PageContext, screen: Screen, params: URLSearchParams): string =>
  addressOf(context, screen, params.has('customer_id') ? { customer_id: params.get('customer_id')! } : {})

/** Returns the list's URL without one of its filters. */
const pathWithoutFilter = (context: PageContext, screen: Screen, params: URLSearchParams, name: string): string =>
  addressOf(
    context,
    screen,
    Object.fromEntries([...params].filter(([key, value]) => key !== name && key !== 'page' && value !== '')),
  )

/** Returns a list's URL with only the given filters, clearing the default ones. */
function addressOf(
  context: PageContext,
  { entity, listing }: Screen,
  params: Readonly<Record<string, string>>,
): string {
  const defaults = Object.keys(listing.defaultFilters?.(context) ?? {}).map((name) => [name, ''] as const)
  const query = new URLSearchParams({ ...Object.fromEntries(defaults), ...params })
  return `${context.path(entity.name)}${query.size === 0 ? '' : `?${query.toString()}`}`
}

/** Draws the built-in views, the current one marked, followed by saved views. */
const viewsHtml = (context: PageContext, screen: Screen, saved: ListViews): Html => html`
  <nav class="views" aria-label="${say`Views of ${screen.title}`}">${(screen.listing.views?.(context) ?? []).map(
    ({ label, filters }) => {
      const query = new URLSearchParams(filters)
      return html`
    <a class="button quiet"
      href="${context.path(screen.entity.name)}?${query.toString()}"
        ${attribute('aria-current', isSameQuery(query, saved.params), 'true')}>${label}</a>`
    },
  )}${savedLinks(context, screen, saved)}
  </nav>`

const customerQuery = (params: URLSearchParams): string =>
  params.has('customer_id') ? `?customer_id=${encodeURIComponent(params.get('customer_id')!)}` : ''
