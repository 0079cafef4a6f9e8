import { answer, redirect } from '../../html/answer.ts'
import { linkButton } from '../../html/button.ts'
import { hidden } from '../../html/field.ts'
import { html, when, type Html } from '../../html/html.ts'
import { notice } from '../../html/notice.ts'
import { pager } from '../../html/pager.ts'
import { table } from '../../html/table.ts'
import type { Visit } from '../../html/visit.ts'
import { Refusal } from '../../refusal.ts'
import { filterHtml } from '../../screens/filters.ts'
import { problemsOf, stepsOf } from '../../screens/problems.ts'
import { mayWrite, type Filter, type Screen } from '../../screens/screen.ts'
import type { PageContext, Shown } from '../../screens/page_context.ts'
import { requireMemberContext } from '../member_context.ts'
import { frame } from '../frame.ts'
import { noPage } from '../not_here.ts'
import type { Site } from '../site.ts'

const ROWS = 25

type Page = { rows: Shown[]; next: string | undefined; previous: string | undefined; refusal?: Refusal }

/** Shows a list with its filters, a page at a time. */
export async function showList(site: Site, visit: Visit, screen: Screen): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  requireSight(context, screen)
  const given = new URL(visit.req.url).searchParams
  const asked = given.size === 0 ? new URLSearchParams(screen.listing.usual?.(context)) : given
  if (screen.startsFrom === 'customer' && isOfCustomer(screen) && !asked.has('customer_id'))
    return redirect(context.path('customers'))
  const found = await find(context, screen, asked)
  const filters = await filterHtml(context, screen.listing.filters, asked)
  return answer(
    frame(context, {
      title: screen.title,
      here: context.path(screen.entity.name),
      body: page(context, screen, asked, found, filters),
    }),
    { status: found.refusal === undefined ? 200 : 422 },
  )
}

/** Answers 404 to somebody without the area. */
export function requireSight(context: PageContext, { entity }: Screen): void {
  if (!context.may(`read:${entity.subject}`)) throw noPage()
}

/** The verb that lists: customers are searched. */
export const listerOf = ({ entity }: Screen): 'list' | 'search' =>
  entity.tools.some(({ verb }) => verb === 'search') ? 'search' : 'list'

/** Tells whether the list tool needs a customer. */
const isOfCustomer = ({ entity }: Screen): boolean =>
  !(entity.tools[0].input.shape['customer_id']?.safeParse(undefined).success ?? true)

/** Returns the filters as the tool's arguments, without those left empty. */
export const argumentsOf = (filters: readonly Filter[], asked: URLSearchParams): Record<string, unknown> =>
  Object.fromEntries(
    filters.flatMap(({ kind, name }): [string, unknown][] => {
      const value = asked.get(name)?.trim() ?? ''
      return value === '' ? [] : [[name, kind === 'tick' ? true : kind === 'number' ? numberIn(value) : value]]
    }),
  )

/** Reads `INV-1042` as 1042. */
const numberIn = (text: string): number | string => (/\d$/.test(text) ? Number(/\d+$/.exec(text)![0]) : text)

async function find(context: PageContext, screen: Screen, asked: URLSearchParams): Promise<Page> {
  const hasCursor = 'cursor' in screen.entity.tools[0].input.shape
  const [cursor, page] = [asked.get('cursor'), asked.get('page') ?? '1']
  const place = hasCursor ? (cursor === null ? {} : { cursor }) : { page: /^\d+$/.test(page) ? Number(page) : page }
  try {
    const looking = { ...argumentsOf(screen.listing.filters, asked), ...place, limit: ROWS }
    const { rows, hasMore, nextCursor } = await (screen.listing.find?.(context, looking) ??
      context.callOf(screen.entity, listerOf(screen), looking))
    const at = (name: string, value: string | null): string => addressOf(context, screen, asked, name, value)
    return {
      rows,
      next: !hasMore ? undefined : hasCursor ? at('cursor', nextCursor!) : at('page', String(Number(page) + 1)),
      previous: hasCursor
        ? cursor === null
          ? undefined
          : at('cursor', null)
        : Number(page) > 1
          ? at('page', String(Number(page) - 1))
          : undefined,
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'invalid_input') throw error
    return { rows: [], next: undefined, previous: undefined, refusal: error }
  }
}

function addressOf(
  context: PageContext,
  { entity }: Screen,
  asked: URLSearchParams,
  name: string,
  value: string | null,
): string {
  const query = new URLSearchParams([...asked].filter(([key, text]) => text !== '' && key !== name))
  if (value !== null) query.set(name, value)
  return `${context.path(entity.name)}${query.size === 0 ? '' : `?${query.toString()}`}`
}

function page(
  context: PageContext,
  screen: Screen,
  asked: URLSearchParams,
  { rows, next, previous, refusal }: Page,
  filters: Html,
): Html {
  const isNarrowed = screen.listing.filters.some(({ name }) => (asked.get(name) ?? '') !== '')
  const query = asked.size === 0 ? '' : `?${asked.toString()}`
  return html`
<header class="page-head">
  <h1>${screen.title}</h1>
  <p class="actions">${when(mayWrite(context, screen.entity), () => linkButton(`New ${screen.one}`, `${context.path(screen.entity.name, 'new')}${customerIn(asked)}`, 'main'))}
    ${(screen.listing.ways?.(context) ?? []).map(({ label, href, kind = 'plain' }) => linkButton(label, href, kind))}${linkButton('Download as CSV', `${context.path(screen.entity.name)}.csv${query}`, 'quiet')}</p>
</header>
${viewsHtml(context, screen, asked)}
<form class="filters" method="get" action="${context.path(screen.entity.name)}" role="search" aria-label="Narrow the list">${screen.listing.filters.filter(({ kind, name }) => kind === 'record' && asked.has(name)).map(({ name }) => hidden(name, asked.get(name)!))}
  ${filters}
</form>${when(refusal, (refusal) => notice({ kind: 'error', title: "That can't be looked for", body: inWords(refusal, screen.listing.filters) }))}
${table({
  caption: screen.title,
  isCaptionHidden: true,
  columns: screen.listing.columns(context) as readonly { label: string; cell: (row: Shown) => Html | string }[],
  rows,
  empty: isNarrowed
    ? html`Nothing fits. <a href="${wholeOf(context, screen, asked)}">Show all</a>`
    : screen.listing.empty,
})}
${pager({ label: `Pages of ${screen.title}`, previous, next })}`
}

/** A refusal that calls the filters, of one value each, by their labels. */
function inWords({ problems }: Refusal, filters: readonly Filter[]): string {
  const { fields, whole } = problemsOf(
    { problems: problems.map((problem) => ({ ...problem, path: stepsOf(problem.path)[0]! })) },
    filters.flatMap((filter) => ('label' in filter ? [filter] : [])),
  )
  return [...whole, ...fields.values()].join(' ')
}

/** Returns the list without its filters; a customer's list stays that customer's. */
function wholeOf(context: PageContext, { entity, listing }: Screen, asked: URLSearchParams): string {
  const query = new URLSearchParams(Object.keys(listing.usual?.(context) ?? {}).map((name) => [name, '']))
  if (asked.has('customer_id')) query.set('customer_id', asked.get('customer_id')!)
  return `${context.path(entity.name)}${query.size === 0 ? '' : `?${query.toString()}`}`
}

/** Draws the views above the filters, the present one marked. */
const viewsHtml = (context: PageContext, { entity, title, listing }: Screen, asked: URLSearchParams): Html | '' =>
  listing.views === undefined
    ? ''
    : html`
<nav class="views" aria-label="Views of ${title}">${listing.views(context).map(({ label, filters }) => {
        const query = new URLSearchParams(filters)
        return html`
  <a class="button quiet" href="${context.path(entity.name)}?${query.toString()}"${when(sameFilters(query, asked), () => html` aria-current="true"`)}>${label}</a>`
      })}
</nav>`

const sameFilters = (one: URLSearchParams, other: URLSearchParams): boolean => filtersIn(one) === filtersIn(other)

const filtersIn = (asked: URLSearchParams): string =>
  [...asked]
    .filter(([name, value]) => value !== '' && name !== 'page')
    .map((pair) => pair.join('='))
    .sort()
    .join('&')

const customerIn = (asked: URLSearchParams): string =>
  asked.has('customer_id') ? `?customer_id=${encodeURIComponent(asked.get('customer_id')!)}` : ''
