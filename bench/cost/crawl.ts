import type { Office } from './office.ts'
import { readPage } from './page_forms.ts'
import { routeFinder, type Route } from './routes.ts'

/** Result of a crawl: the addresses that answered, and the first form for each route. */
export type Crawled = { pages: Set<string>; forms: Map<string, { path: string; fields: [string, string][] }> }

/**
 * Opens addresses as the person of a cookie, then what their pages link to: one address for each route that hasn't answered
 * before.
 */
export async function crawl(
  { service: { config } }: Office,
  {
    routes,
    start,
    cookie,
    terminalPaths,
  }: { routes: readonly Route[]; start: readonly string[]; cookie: string; terminalPaths: RegExp },
): Promise<Crawled> {
  const find = routeFinder(routes)
  const crawled: Crawled = { pages: new Set(), forms: new Map() }
  const reached = new Set<string>()
  const opened = new Set<string>()
  const waiting = [...start]
  for (const path of waiting) {
    const route = find('GET', path)
    if (route === undefined || opened.has(path) || (reached.has(route) && !start.includes(path))) continue
    opened.add(path)
    if (terminalPaths.test(path.split('?')[0]!)) {
      crawled.pages.add(path)
      reached.add(route)
      continue
    }
    const url = new URL(path, config.baseUrl)
    const answer = await fetch(url, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' })
    const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true
    // A stream of events has no end.
    if (!isPage || answer.status >= 400) await answer.body?.cancel()
    if (answer.status >= 400) continue
    crawled.pages.add(path)
    reached.add(route)
    if (!isPage) continue
    const { links, forms } = readPage(await answer.text())
    for (const link of links) waiting.push(...pathsAt(link, url))
    for (const { action, fields } of forms)
      for (const to of pathsAt(action ?? path, url)) {
        const sent = find('POST', to)
        if (sent !== undefined && !crawled.forms.has(sent)) crawled.forms.set(sent, { path: to, fields })
      }
  }
  return crawled
}

/** Returns the path of a link if it stays on the site. */
function pathsAt(link: string, page: URL): string[] {
  const url = new URL(link, page)
  return url.origin === page.origin ? [url.pathname + url.search] : []
}
