import { html, type Html } from '../../platform/html/html.ts'
import { table } from '../../platform/html/parts/table.ts'

type Row = readonly [what: Html | string, says: string]

const rows = (caption: string, labels: readonly [string, string], list: readonly Row[]): Html =>
  table<Row>({
    caption,
    rows: list,
    empty: '',
    columns: [
      { label: labels[0], cell: ([what]) => what },
      { label: labels[1], cell: ([, says]) => says },
    ],
  })

const codeRows = (list: readonly (readonly [code: string, says: string])[]): Row[] =>
  list.map(([code, says]) => [html`<code>${code}</code>`, says])

const TOOL_ERRORS = codeRows([
  [
    'invalid_input',
    'A value broke a rule, or a precondition was not met. ' +
      'The message names the field, the rule, the value and the fix.',
  ],
  ['not_found', 'This company has no such record, or it is archived.'],
  [
    'conflict',
    'The call conflicts with the current state: ' +
      'a duplicate name, an invalid status change, or a record that someone else changed.',
  ],
  ['insufficient_scope', 'The token lacks a scope; the message names it.'],
  ['internal', 'Something went wrong in the service; the message has a reference for the operator.'],
])

const HTTP_ERRORS = codeRows([
  ['401 expired', 'The access token has expired; use the refresh token.'],
  ['401 invalid_token', 'The token is missing, unknown or revoked, or its session has ended; authorize again.'],
  ['403 insufficient_scope', 'The credential has no access right now.'],
  ['403 wrong_tenant', "X-Tenant-Id names a company other than the credential's."],
  ['403 wrong_origin', 'The Origin is not allowed.'],
  ['429 rate_limited', 'Too many requests; Retry-After gives the seconds to wait.'],
  ['503 unavailable', 'Try again later; Retry-After gives the seconds to wait.'],
])

/** Explains errors and limits, with this service's rate limits. */
export const limits = ({ perCredential, perTenant }: { perCredential: number; perTenant: number }): Html => html`
<header class="page-head"><h1>Errors and limits</h1></header>
<p class="lead">A tool returns errors in its result: <code>isError</code> is true, and the text is
  <code>code: message</code>. A request that is refused before a tool runs gets an HTTP status.</p>
${rows('Tool errors', ['Code', 'Meaning'], TOOL_ERRORS)}
${rows('Before a tool runs', ['Status', 'Meaning'], HTTP_ERRORS)}
${rows(
  'Limits',
  ['Limit', 'Value'],
  [
    ['Requests per credential', rateText(perCredential)],
    ['Requests per company', rateText(perTenant)],
    ['Access token', '3600 seconds'],
    ['Refresh token', '60 days without use, 365 days in total'],
    ['Unused self-registered client', 'removed after 30 days'],
    ['Rows per page', '25, or up to 100 with limit'],
    ['Line items', '200'],
    ['Request body', '4 MiB'],
    ['Idempotency key', 'kept for 24 hours'],
    ['Attachments', '20, up to 10 MiB each and 25 MiB in total'],
  ],
)}`

const rateText = (perMinute: number): string =>
  perMinute === 0 ? 'no limit' : `${perMinute.toLocaleString('en-US')} per minute`
