import { pageResponse } from '../../platform/http/answer.ts'
import { button } from '../../platform/html/parts/button.ts'
import { attribute, html, when } from '../../platform/html/html.ts'
import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { requireMemberContext } from '../member_context.ts'
import { frame } from '../frame.ts'
import { showShortcuts } from '../shell/shortcuts.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { hitsHtml, findHits, optionsHtml, suggestHits } from './hits.ts'
import { MAX_QUERY_CHARS, parseSearch } from '../../platform/validation/text/search_terms.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'

/** Maximum hits of each kind in the search box, and on a page. */
const [MAX_SUGGESTED, MAX_LISTED] = [5, 20]

/** Returns the search of every page, with and without scripts, and the list of keyboard shortcuts. */
export const searchRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [`${TENANT}/search`]: { get: showSearch },
    [`${TENANT}/search/results`]: { get: showResults },
    [`${TENANT}/keys`]: { get: showShortcuts },
  })

const readQuery = (request: PageRequest): string => (request.req.query('q') ?? '').slice(0, MAX_QUERY_CHARS)

async function showResults(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const query = readQuery(request)
  return pageResponse(
    optionsHtml(query.trim() === '' ? suggestHits(context) : await findHits(context, query, MAX_SUGGESTED)),
  )
}

async function showSearch(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const query = readQuery(request)
  const hits = await findHits(context, query, MAX_LISTED)
  return pageResponse(
    frame(context, {
      title: say`Search`,
      here: context.path('search'),
      searchText: query,
      width: 'wide',
      body: html`
<header class="page-head"><h1>${say`Search`}</h1></header>
<form class="search-big" role="search" aria-label="${say`Everything`}" action="${context.path('search')}">
  <label class="unseen" for="q">${say`Search`}</label>
  <input id="q" name="q" type="search" value="${query}" maxlength="${MAX_QUERY_CHARS}"
    placeholder="${say`Name, phone, address, number`}" autocomplete="off"${attribute('autofocus', query === '')}>
  ${button({ label: say`Search`, kind: 'main' })}
</form>${when(parseSearch(query) !== undefined, () => html`<section class="part">${hitsHtml(hits)}</section>`)}`,
    }),
  )
}
