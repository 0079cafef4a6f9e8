import { load } from 'cheerio'
import { isId } from '../../../src/platform/validation/id.ts'
import { newBrowser } from '../../harness/web_client.ts'
import type { DemoSite } from './demo_site.ts'

/** Maximum number of similar pages to request, and of all pages of one path. */
const [ALIKE, OF_PATH] = [8, 100]

/**
 * One page per layout, links with an unexpected status, layouts with several primary buttons, and layouts with a value
 * that JavaScript writes in place of a missing text.
 */
export type Crawled = {
  pages: Map<string, string>
  dead: string[]
  crowded: Map<string, string>
  gaps: Map<string, string>
  cookie: string
}

/** What JavaScript writes in place of a missing text, in the text or an attribute, with what is around it. */
const GAP = /.{0,60}(?:\bundefined\b|\bNaN\b|\[object ).{0,60}/

/** Follows every link from the company's first page, as its owner. */
export async function crawl(site: DemoSite): Promise<Crawled> {
  const { pathOf, patternOf, shapeOf } = describeAddresses(site)
  const { get, signIn, jar } = newBrowser(site.service)
  await signIn(site.demo.owner.email, '/', site.demo.owner.password)
  const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
  const found: Crawled = { pages: new Map(), dead: [], crowded: new Map(), gaps: new Map(), cookie }
  const seen = new Map<string, number>()
  const isAmongFirst = (limit: number, key: string): boolean => {
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return count <= limit
  }
  const ahead = new Set([site.path(), ...listUnlinkedPages(site, await invoicesToRemind(site, get))])
  for (const address of ahead) {
    if (!isAmongFirst(ALIKE, patternOf(address)) || !isAmongFirst(OF_PATH, `all of ${pathOf(address)}`)) continue
    const { status, location, headers, text } = await get(address)
    if (location !== null) ahead.add(location.replace(site.baseUrl, ''))
    else if (status !== 200) found.dead.push(`${status} ${address}`)
    if (status !== 200 || !headers.get('content-type')?.startsWith('text/html')) continue
    const [crowd] = mainButtons(text)
    if (crowd !== undefined) found.crowded.set(shapeOf(address), crowd)
    const [gap] = GAP.exec(text) ?? []
    if (gap !== undefined) found.gaps.set(shapeOf(address), gap)
    if (!found.pages.has(shapeOf(address))) found.pages.set(shapeOf(address), address)
    for (const link of linksIn(site, text, address)) ahead.add(link)
  }
  for (const title of RECORDED) found.pages.set(`/jobs/:id ${title}`, await jobCalled(site, title))
  return found
}

/** Returns the primary buttons of a page, and of each part that opens, where there are several. */
function mainButtons(page: string): string[] {
  const $ = load(page)
  const buttons = $('.button.main:not([hidden])').toArray()
  const layers = Map.groupBy(buttons, (one) => $(one).closest('dialog, details, [popover], body')[0])
  return [...layers.values()].flatMap((several) =>
    several.length < 2 ? [] : several.map((one) => $(one).text().trim()).join(', '),
  )
}

/** Visits with checklists, time and signatures: one done, one in progress. */
const RECORDED = ['Water heater replacement', 'Leak under the slab']

async function jobCalled(site: DemoSite, title: string): Promise<string> {
  const { rows } = await site.call('jobs_list', { title, limit: 10 })
  return site.path('jobs', (rows as { id: string; title: string }[]).find((job) => job.title === title)!.id)
}

/** Pages reached through a form or an email, and menu pages that appear only with pending work. */
const listUnlinkedPages = (site: DemoSite, invoices: readonly string[]): string[] => [
  site.path('proposals'),
  '/factors',
  '/confirm?to=/',
  '/forgot-password',
  `${site.path('invoices', 'remind')}?ids=${invoices.join(',')}`,
]

/** Returns the invoices on the list. */
async function invoicesToRemind(site: DemoSite, get: (path: string) => Promise<{ text: string }>): Promise<string[]> {
  const { text } = await get(site.path('invoices'))
  return [...text.matchAll(/name="ids" value="([^"]+)"/g)].map(([, id]) => id!)
}

const linksIn = (site: DemoSite, html: string, from: string): string[] =>
  [...html.matchAll(/<(?:a|link|script|img)\b[^>]*?\s(?:href|src)="([^"]*)"/g)]
    .map(([, link]) => new URL(link!.replaceAll('&amp;', '&'), site.baseUrl + from))
    .flatMap(({ origin, pathname, search }) => (origin === site.baseUrl ? [pathname + search] : []))

/** Returns functions that say which addresses are of one path, one pattern and one layout. */
function describeAddresses(site: DemoSite) {
  /** Returns a path with its record ids and tool names replaced by placeholders. */
  const anyOf = (pathname: string): string =>
    pathname
      .replace(site.path(), '')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')
      .replace(/^\/settings\/messages\/\w+/, '/settings/messages/:kind')
      .replace(/^\/docs\/tools\/.+/, '/docs/tools/:name')

  const pathOf = (address: string): string => anyOf(new URL(address, site.baseUrl).pathname)

  /** Returns one pattern for addresses that differ only in their record. */
  function patternOf(address: string): string {
    const { pathname, searchParams } = new URL(address, site.baseUrl)
    return [
      anyOf(pathname),
      ...[...searchParams].map(([name, value]) => `${name}=${/^[a-z_]*$/.test(value) ? value : '*'}`),
    ].join(' ')
  }

  /** Returns the layout of a page: its path and the query parameters that select the page. */
  function shapeOf(address: string): string {
    const { pathname, searchParams } = new URL(address, site.baseUrl)
    const isForm = pathname.endsWith('/new')
    return [
      anyOf(pathname),
      ...['view', 'kind', ...(isForm ? ['customer_id'] : [])].flatMap((name) => {
        const value = searchParams.get(name) ?? ''
        return value === '' ? [] : [isId(value) ? name : value]
      }),
    ].join(' ')
  }
  return { pathOf, patternOf, shapeOf }
}
