import type { Registry } from 'prom-client'
import { ANSWER_BOUNDS, Buckets } from '../../buckets.ts'
import { addBuckets } from './bucket_histogram.ts'

/** Kinds of requests whose duration is measured by route. */
type TimedEdge = 'page' | 'sign_in' | 'link' | 'phone' | 'webhook' | 'oauth'

/** Label of a route without a pattern. */
const OTHER = 'other'

/** Patterns of routes other than a company's pages. The first match wins. */
const EDGES: readonly (readonly [RegExp, TimedEdge])[] = [
  [/^\/(?:c|unsubscribe)\//, 'link'],
  [/^(?:\/:tenant)?\/field(?:\/|$)/, 'phone'],
  [
    /^(?:\/:tenant)?\/(?:sign-in|sign-out|confirm|factors|passkeys|forgot-password|new-password|prove|join)(?:\/|$)/,
    'sign_in',
  ],
]

/**
 * Measures the duration of requests by the pattern of their route. Patterns come from the source, so there are only as
 * many labels as routes.
 */
export function routeDurations(registry: Registry) {
  const seriesByKey = new Map<string, { labels: { edge: TimedEdge; route: string }; buckets: Buckets }>()
  addBuckets(
    {
      name: 'callout_request_duration_seconds',
      help: 'From a request to its answer, by the pattern of its route; the tool endpoint has its own.',
      labelNames: ['edge', 'route'],
      bounds: ANSWER_BOUNDS,
    },
    registry,
    () => seriesByKey.values(),
  )

  function observe(key: string, ms: number, toLabels: () => { edge: TimedEdge; route: string }): void {
    let series = seriesByKey.get(key)
    if (series === undefined) {
      series = { labels: toLabels(), buckets: new Buckets(ANSWER_BOUNDS) }
      seriesByKey.set(key, series)
    }
    series.buckets.observe(ms)
  }

  return {
    /** `pattern` is the route as the source declares it. */
    page: (pattern: string, ms: number): void => observe(pattern, ms, () => labelsOf(pattern)),
    webhook: (endpoint: string, ms: number): void =>
      observe(endpoint, ms, () => ({ edge: 'webhook', route: `/api/webhooks/${endpoint}` })),
    oauth: (ms: number): void => observe('oauth', ms, () => ({ edge: 'oauth', route: OTHER })),
  }
}

function labelsOf(pattern: string): { edge: TimedEdge; route: string } {
  const route = withoutExpressions(pattern)
  if (route.includes('*')) return { edge: 'page', route: OTHER }
  return { edge: EDGES.find(([routePattern]) => routePattern.test(route))?.[1] ?? 'page', route }
}

/** Removes the regular expressions of a pattern's parameters, which may contain braces. */
function withoutExpressions(pattern: string): string {
  let [route, depth] = ['', 0]
  for (const char of pattern) {
    if (char === '{') depth++
    if (depth === 0) route += char
    if (char === '}') depth--
  }
  return route
}
