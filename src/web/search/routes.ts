import { answer } from '../../platform/http/answer.ts'
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
import { MAX_SEARCHED, parseSearch } from '../../platform/validation/text/search_terms.ts'

const TENANT = '/:tenant{[0-9a-f-]{36}}'

/** Maximum hits of each kind in the search box, and on a page. */
const [FEW, MANY] = [5, 20]

/** Returns the search of every page, with and without scripts, and the list of keyboard shortcuts. */
export const searchRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [`${TENANT}/search`]: { get: showSearch },
    [`${TENANT}/search/results`]: { get: showResults },
    [`${TENANT}/keys`]: { get: showShortcuts },
  })

const readQuery = (visit: PageRequest): string => (visit.req.query('q') ?? '').slice(0, MAX_SEARCHED)

async function showResults(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  const query = readQuery(visit)
  return answer(optionsHtml(query.trim() === '' ? suggestHits(context) : await findHits(context, query, FEW)))
}

async function showSearch(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  const query = readQuery(visit)
  const hits = await findHits(context, query, MANY)
  return answer(
    frame(context, {
      title: say`Search`,
      here: context.path('search'),
      searched: query,
      width: 'wide',
      body: html`
<header class="page-head"><h1>${say`Search`}</h1></header>
<form class="search-big" role="search" aria-label="${say`Everything`}" action="${context.path('search')}">
  <label class="unseen" for="q">${say`Search`}</label>
  <input id="q" name="q" type="search" value="${query}" maxlength="${MAX_SEARCHED}"
    placeholder="${say`Name, phone, address, number`}" autocomplete="off"${attribute('autofocus', query === '')}>
  ${button({ label: say`Search`, kind: 'main' })}
</form>${when(parseSearch(query) !== undefined, () => html`<section class="part">${hitsHtml(hits)}</section>`)}`,
    }),
  )
}
