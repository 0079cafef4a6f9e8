import type { PageRequest } from '../../../platform/http/page_request.ts'
import { phone } from '../../../records/format/formats.ts'
import type { ListPage, RecordView } from '../../../records/page/page_context.ts'
import type { Screen } from '../../../records/page/screen.ts'
import { todayIn, wallAt } from '../../../platform/validation/formats/instants.ts'
import { isInstant } from '../../../platform/validation/fields.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { toArguments, listVerb, requireReadAccess } from './lists.ts'
import { amountOf, sendSheet, type SheetRow } from '../../sheet.ts'
import type { Site } from '../../site.ts'

const PAGE_SIZE = 100
/** Maximum rows that a list's pages reach (docs/spec/interface.md#page-lists). */
const MAX_PAGED = 10_000

/**
 * Sends a whole list as CSV (RFC 4180), filtered as on the page: amounts in the currency's major unit, times in the
 * company's time zone.
 */
export async function exportList(site: Site, request: PageRequest, screen: Screen): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireReadAccess(context, screen)
  const query = toArguments(screen.listing.filters(), new URL(request.req.url).searchParams)
  return sendListSheet(site, request, context, screen, pagesOf(context, screen, query))
}

/** Sends the list rows with these ids that still match the list's filters. */
export const exportSelected = (
  site: Site,
  request: PageRequest,
  context: MemberContext,
  screen: Screen,
  query: string,
  ids: readonly string[],
): Promise<Response> => {
  const args = toArguments(screen.listing.filters(), new URLSearchParams(query))
  return sendListSheet(site, request, context, screen, filterRows(pagesOf(context, screen, args), ids))
}

async function* filterRows(
  pages: AsyncGenerator<RecordView[], void>,
  ids: readonly string[],
): AsyncGenerator<RecordView[], void> {
  const chosenIds = new Set(ids)
  for await (const rows of pages) {
    yield rows.filter(({ id }) => chosenIds.delete(id))
    if (chosenIds.size === 0) return
  }
}

const sendListSheet = (
  site: Site,
  request: PageRequest,
  context: MemberContext,
  { entity, listing }: Screen,
  pages: AsyncGenerator<RecordView[], void>,
): Promise<Response> =>
  sendSheet(site, request, {
    name: `${entity.name}-${todayIn(context.company.timezone).toString()}.csv`,
    columns: listing.exported.map((name) => name.replace(/_cents$/, '')),
    rows: linesOf(context, listing.exported, pages),
  })

async function* linesOf(
  context: MemberContext,
  columns: readonly string[],
  pages: AsyncGenerator<RecordView[], void>,
): AsyncGenerator<SheetRow, void> {
  for await (const rows of pages) for (const row of rows) yield columns.map((name) => cell(name, row[name], context))
}

/** Yields every page of a list in its order, or in order of change if its pages can't reach the end. */
async function* pagesOf(
  context: MemberContext,
  screen: Screen,
  query: Record<string, unknown>,
): AsyncGenerator<RecordView[], void> {
  const fetchPage = (more: object): Promise<ListPage> =>
    context.callOf(screen.entity, listVerb(screen), { ...query, ...more, limit: PAGE_SIZE })
  if ('cursor' in screen.entity.tools[0].input.shape) {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { rows, nextCursor = null } = await fetchPage(cursor === undefined ? {} : { cursor })
      yield rows
      cursor = nextCursor
    }
    return
  }
  const first = await fetchPage({ include_total: true })
  if (first.total_capped === true) return yield* pagesByChange(fetchPage)
  yield first.rows
  for (let page = 2, hasMore = first.hasMore; hasMore; page++) {
    const next = await fetchPage({ page })
    yield next.rows
    hasMore = next.hasMore
  }
}

/**
 * Yields rows in order of last change. A row that changes meanwhile appears again at its new position and is skipped.
 */
async function* pagesByChange(fetchPage: (more: object) => Promise<ListPage>): AsyncGenerator<RecordView[], void> {
  const seenIds = new Set<string>()
  for (let since = '2000-01-01T00:00:00.000Z'; ;) {
    let latest = since
    for (let page = 1, hasMore = true; hasMore && page * PAGE_SIZE <= MAX_PAGED; page++) {
      const next = await fetchPage({ updated_since: since, page, sort: undefined })
      yield next.rows.filter(({ id }) => !seenIds.has(id))
      for (const row of next.rows) seenIds.add(row.id)
      latest = (next.rows.at(-1)?.['updated_at'] as string | undefined) ?? latest
      hasMore = next.hasMore
      if (!hasMore) return
    }
    if (latest === since) throw new Error(`More than ${MAX_PAGED} rows changed at ${since}`)
    since = latest
  }
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** Formats a value for a CSV cell. */
function cell(name: string, value: unknown, { company }: MemberContext): string | number | null {
  if (typeof value === 'number') return name.endsWith('_cents') ? amountOf(value, company.currency) : value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.map((one) => (one as { name?: unknown }).name ?? one).join('; ')
  if (typeof value !== 'string') return JSON.stringify(value)
  if (/^\+\d+$/.test(value)) return phone(value)
  return INSTANT.test(value) && isInstant(value)
    ? wallAt(Temporal.Instant.from(value), company.timezone).toString({ smallestUnit: 'minute' }).replace('T', ' ')
    : value
}
