import type { Office } from '../cost/office.ts'
import { textOf } from '../cost/genes.ts'
import type { Target } from '../cost/requests.ts'
import { everyRoute } from '../cost/routes.ts'

/** Query parameters that pages read. */
export const QUERY = [
  'page',
  'q',
  'query',
  'status',
  'customer_id',
  'job_id',
  'view',
  'date',
  'day',
  'from',
  'to',
  'sort',
  'tag_id',
  'category_id',
  'assignee',
  'issued_from',
  'due_to',
  'number',
  'overdue',
  'has',
  'after',
  'cursor',
  'by',
  'month',
  'next',
  'at',
  'with',
  'client_id',
  'request_uri',
  'code',
  'state',
  'iss',
  'error',
  'strange',
]

/** Returns every address that can be read. Its path steps and query parameters are fields. */
export const pageTargets = (office: Office): Target[] =>
  [...new Set(everyRoute(office).flatMap(({ method, pattern }) => (method === 'GET' ? [pattern] : [])))].flatMap(
    (pattern) => {
      const usual = office.pathsOf(pattern)[0]!
      const steps = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name!).filter((name) => name !== 'tenant')
      return [true, false].map((isSignedIn): Target => ({
        name: `GET ${pattern}${isSignedIn ? '' : ', signed out'}`,
        maxBytes: 12_000,
        fields: [...steps.map((name) => `:${name}`), ...QUERY],
        request: (genes) => {
          const query = new URLSearchParams()
          let path = usual
          for (const gene of genes) {
            const text = gene.shape === 'exact' ? textOfJson(gene.unit) : textOf(gene)
            if (gene.field.startsWith(':'))
              path = withStep(pattern, usual, gene.field, encodeURIComponent(text.toWellFormed()).slice(0, 6_000))
            else query.append(gene.field, text.slice(0, 6_000))
          }
          const search = query.toString()
          return {
            path: search === '' ? path : `${path}?${search}`,
            headers: isSignedIn ? { cookie: office.cookie() } : {},
            body: Buffer.alloc(0),
          }
        },
      }))
    },
  )

const textOfJson = (json: string): string => {
  const value: unknown = JSON.parse(json)
  return typeof value === 'string' ? value : json
}

/** Returns an address with another text for one step of its pattern. */
function withStep(pattern: string, usual: string, step: string, text: string): string {
  const at = pattern
    .replace(/\{[^/]*\}/g, '')
    .split('/')
    .indexOf(step)
  return at < 0
    ? usual
    : usual
        .split('/')
        .with(Math.min(at, usual.split('/').length - 1), text)
        .join('/')
}
