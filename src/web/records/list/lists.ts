import { pageResponse, redirect } from '../../../platform/http/answer.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { findColumns } from '../../../records/list/columns.ts'
import { inputName } from '../../../records/list/filters.ts'
import { listViews } from '../../../records/list/saved_views.ts'
import { mayWrite, type Filter, type Screen } from '../../../records/page/screen.ts'
import type { PageContext } from '../../../records/page/page_context.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { frame } from '../../frame.ts'
import { listHtml, type ListResult } from './list_page.ts'
import { notFoundRefusal } from '../../not_found.ts'
import type { Site } from '../../site.ts'

const PAGE_SIZE = 25

/** Shows one page of a list with its filters. */
export async function showList(site: Site, request: PageRequest, screen: Screen): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireReadAccess(context, screen)
  const sent = new URL(request.req.url).searchParams
  const params = sent.size === 0 ? new URLSearchParams(screen.listing.defaultFilters?.(context)) : sent
  if (screen.startsFrom === 'customer' && requiresCustomer(screen) && !params.has('customer_id'))
    return redirect(context.path('customers'))
  const owner = { user: context.user.id, list: screen.entity.name }
  const [page, [views, columns]] = await Promise.all([
    findPage(context, screen, params),
    context.read((db) => Promise.all([listViews(db, owner), findColumns(db, owner)])),
  ])
  return pageResponse(
    frame(context, {
      title: screen.title,
      here: context.path(screen.entity.name),
      styles: ['records.css', 'lists.css'],
      body: await listHtml(context, screen, params, { ...page, views, columns }),
    }),
    { status: page.refusal === undefined ? 200 : 422 },
  )
}

/** Answers 404 to members without read access. */
export function requireReadAccess(context: PageContext, { entity }: Screen): void {
  if (!context.may(`read:${entity.subject}`)) throw notFoundRefusal()
}

/** Returns the list verb. Customers have `search` instead of `list`. */
export const listVerb = ({ entity }: Screen): 'list' | 'search' =>
  entity.tools.some(({ verb }) => verb === 'search') ? 'search' : 'list'

/** Checks whether the list tool requires a customer. */
const requiresCustomer = ({ entity }: Screen): boolean =>
  !(entity.tools[0].input.shape['customer_id']?.safeParse(undefined).success ?? true)

/** Returns the filters as the tool's arguments, without empty ones. */
export const toArguments = (filters: readonly Filter[], params: URLSearchParams): Record<string, unknown> =>
  Object.fromEntries(
    filters.flatMap((filter): [string, unknown][] => {
      const value = params.get(filter.name)?.trim() ?? ''
      return value === '' ? [] : [[inputName(filter), argumentOf(filter, value)]]
    }),
  )

function argumentOf(filter: Filter, value: string): unknown {
  switch (filter.kind) {
    case 'tick':
      return true
    case 'number':
      return parseDisplayNumber(value)
    case 'choice':
      return filter.groups?.[value] ?? value
    default:
      return value
  }
}

/** Reads `INV-1042` as 1042. */
const parseDisplayNumber = (text: string): number | string => (/\d$/.test(text) ? Number(/\d+$/.exec(text)![0]) : text)

async function findPage(
  context: PageContext,
  screen: Screen,
  params: URLSearchParams,
): Promise<Omit<ListResult, 'views' | 'columns'>> {
  const hasCursor = 'cursor' in screen.entity.tools[0].input.shape
  const [cursor, page] = [params.get('cursor'), params.get('page') ?? '1']
  const position = hasCursor ? (cursor === null ? {} : { cursor }) : { page: /^\d+$/.test(page) ? Number(page) : page }
  try {
    const query = toArguments(screen.listing.filters(), params)
    const pageQuery = { ...query, ...position, limit: PAGE_SIZE }
    const [{ rows, hasMore, nextCursor }, sums] = await Promise.all([
      screen.listing.find?.(context, pageQuery) ?? context.callOf(screen.entity, listVerb(screen), pageQuery),
      screen.listing.sums?.(context, query),
    ])
    const isEmpty =
      rows.length === 0 && Object.keys(query).length > 0 && (await isWithoutRecords(context, screen, params))
    const pageUrl = (name: string, value: string | null): string => addressOf(context, screen, params, name, value)
    return {
      rows,
      isEmpty,
      sums,
      next: !hasMore
        ? undefined
        : hasCursor
          ? pageUrl('cursor', nextCursor!)
          : pageUrl('page', String(Number(page) + 1)),
      previous: hasCursor
        ? cursor === null
          ? undefined
          : pageUrl('cursor', null)
        : Number(page) > 1
          ? pageUrl('page', String(Number(page) - 1))
          : undefined,
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'invalid_input') throw error
    return { rows: [], next: undefined, previous: undefined, refusal: error }
  }
}

/** Checks whether there are no records at all, once a list with default filters is empty. */
async function isWithoutRecords(context: PageContext, screen: Screen, params: URLSearchParams): Promise<boolean> {
  const defaults = Object.entries(screen.listing.defaultFilters?.(context) ?? {})
  if (defaults.length === 0 || defaults.some(([name, value]) => params.get(name) !== value)) return false
  if ([...params].some(([name, value]) => value !== '' && !defaults.some(([own]) => own === name))) return false
  return (await context.callOf(screen.entity, listVerb(screen), { limit: 1 })).rows.length === 0
}

function addressOf(
  context: PageContext,
  { entity }: Screen,
  params: URLSearchParams,
  name: string,
  value: string | null,
): string {
  const query = new URLSearchParams([...params].filter(([key, text]) => text !== '' && key !== name))
  if (value !== null) query.set(name, value)
  return `${context.path(entity.name)}${query.size === 0 ? '' : `?${query.toString()}`}`
}

/** Answers 404 to members who can't change records of the entity. */
export function requireWriteAccess(context: MemberContext, screen: Screen): void {
  requireReadAccess(context, screen)
  if (!mayWrite(context, screen.entity)) throw notFoundRefusal()
}
