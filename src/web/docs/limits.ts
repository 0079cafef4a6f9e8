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
      'The message names the field, the rule, what was given and the way out.',
  ],
  ['not_found', 'There is no such record in this company, or it is archived.'],
  [
    'conflict',
    'It collides with the present state: ' +
      'a duplicate name, an illegal change of status, a record that somebody else changed.',
  ],
  ['insufficient_scope', 'The token lacks a scope; the message names it.'],
  ['internal', 'Something broke here; the message has a reference for the operator.'],
])

const HTTP_ERRORS = codeRows([
  ['401 expired', 'The access token has expired; use the refresh token.'],
  ['401 invalid_token', 'There is no token, it is unknown, was revoked, or its session ended; authorize again.'],
  ['403 insufficient_scope', 'The credential may do nothing at all at present.'],
  ['403 wrong_tenant', "X-Tenant-Id names another company than the credential's."],
  ['403 wrong_origin', 'The Origin is not allowed here.'],
  ['429 rate_limited', 'Too many requests; Retry-After says how many seconds to wait.'],
  ['503 unavailable', 'Try again later; Retry-After says when.'],
])

/** Explains errors and limits, with this service's rate limits. */
export const limits = ({ perCredential, perTenant }: { perCredential: number; perTenant: number }): Html => html`
<header class="page-head"><h1>Errors and limits</h1></header>
<p class="lead">A tool answers an error inside its result: <code>isError</code> is true, and the text reads
  <code>code: message</code>. What is turned away before a tool runs has an HTTP status.</p>
${rows('Errors of tools', ['Code', 'Meaning'], TOOL_ERRORS)}
${rows('Before a tool runs', ['Answer', 'Meaning'], HTTP_ERRORS)}
${rows(
  'Limits',
  ['Limit', 'Value'],
  [
    ['Requests per credential', rateText(perCredential)],
    ['Requests per company', rateText(perTenant)],
    ['Access token', '3600 seconds'],
    ['Refresh token', '60 days unused, 365 days in all'],
    ['Unused self-registered client', 'removed after 30 days'],
    ['Rows of a page', '25, up to 100 by limit'],
    ['Line items', '200'],
    ['Body of a request', '4 MiB'],
    ['Idempotency key', 'known for 24 hours'],
    ['Attachments', '20 of 10 MiB each, 25 MiB together'],
  ],
)}`

const rateText = (perMinute: number): string =>
  perMinute === 0 ? 'not limited' : `${perMinute.toLocaleString('en-US')} a minute`
