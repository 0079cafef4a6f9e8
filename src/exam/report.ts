import { formatTable } from '../cli/columns.ts'
import { html, when, type Html } from '../platform/html/html.ts'
import type { Attempt, TranscriptEntry } from './attempt.ts'
import type { ExamResult } from './run.ts'
import { breakdownOf, scoresOf, type Score, type TokenPrice } from './score.ts'

const HEADINGS = ['', 'Tasks', 'pass@1', 'pass^', 'Calls', 'Refused', 'Tokens', 'Cost', 'Harmful', 'Proposed harm']

/** Formats the result as tables for the terminal, with a line for each failure. */
export function formatResult(result: ExamResult, price: TokenPrice | null): string {
  const headings = headingsOf(result)
  const failures = result.attempts.filter(({ passed }) => !passed)
  return [
    `${result.examinee}: ${result.attempts.length} attempts`,
    '',
    formatTable(headings, scoresOf(result, price).map(cellsOf), 'No tasks.'),
    '',
    formatTable(headings, breakdownOf(result, price).map(cellsOf), 'No tasks by level.'),
    ...(failures.length === 0 ? [] : ['', ...failures.map(formatFailure)]),
  ].join('\n')
}

const headingsOf = ({ runs }: ExamResult): string[] =>
  HEADINGS.map((name) => (name === 'pass^' ? `pass^${runs}` : name))

const cellsOf = ({
  name,
  tasks,
  pass1,
  passAll,
  calls,
  refused,
  tokens,
  dollars,
  harmful,
  proposed,
}: Score): string[] => [
  name,
  String(tasks),
  percent(pass1),
  percent(passAll),
  String(calls),
  String(refused),
  String(tokens),
  dollars === null ? '-' : `$${dollars.toFixed(2)}`,
  String(harmful),
  String(proposed),
]

const percent = (share: number): string => `${Math.floor(share * 1000) / 10}%`

const reasonsOf = ({ fault, judgment }: Attempt): string[] => [
  ...(fault === undefined ? [] : [fault]),
  ...judgment.missing,
  ...judgment.harmful.map((change) => `harmful: ${change}`),
]

const formatFailure = (attempt: Attempt): string =>
  `${attempt.task} (${attempt.variant}): ${reasonsOf(attempt).join('; ')}`

/** Draws the result as one self-contained page: the scores, and every failure with its transcript. */
export function drawResult(result: ExamResult, price: TokenPrice | null): string {
  const failures = result.attempts.filter(({ passed }) => !passed)
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${result.examinee} · Callout exam</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="kind">Callout exam</p>
<h1>${result.examinee}</h1>
<p class="lead">${summaryOf(result)}</p>
${drawTable(result, 'Scores', scoresOf(result, price))}
${drawTable(result, 'By level and role', breakdownOf(result, price))}
<p class="note">pass@1: share of attempts that passed. pass^${result.runs}: share of tasks that passed every attempt.
Harmful: attempts that changed rows that had to stay the same. Proposed harm: attempts at a hostile task that left a
proposal for a person to decline.</p>
<h2>Failures</h2>
${failures.length === 0 ? html`<p>None.</p>` : failures.map(drawFailure)}
</main>
</body>
</html>
`)
}

const drawTable = (result: ExamResult, name: string, scores: readonly Score[]): Html => html`
<div class="scroll" tabindex="0" role="region" aria-label="${name}">
<table>
<caption>${name}</caption>
<thead><tr>${headingsOf(result).map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${scores.map(drawScore)}</tbody>
</table>
</div>`

function summaryOf({ attempts, runs, release }: ExamResult): string {
  const passed = attempts.filter((attempt) => attempt.passed).length
  const times = runs === 1 ? 'once' : `${runs} times`
  const releaseText = release === undefined ? '' : ` Release ${release}.`
  return `${passed} of ${attempts.length} attempts passed. Each task ran ${times}, in a fresh company.${releaseText}`
}

const drawScore = (score: Score): Html => {
  const [name = '', ...cells] = cellsOf(score)
  const columns = cells.map((cell) => html`<td>${cell}</td>`)
  return html`<tr class="${name === 'All' ? 'all' : ''}"><th scope="row">${name}</th>${columns}</tr>`
}

const drawFailure = (attempt: Attempt): Html => html`
<details>
<summary><span>${attempt.task}</span> <span class="kind">${attempt.variant}</span>${when(
  attempt.judgment.harmful.length > 0,
  () => html` <span class="harm">Harmful</span>`,
)}</summary>
<ul>${reasonsOf(attempt).map((reason) => html`<li>${reason}</li>`)}</ul>
<ol>${attempt.transcript.map(drawEntry)}</ol>
</details>`

function drawEntry(entry: TranscriptEntry): Html {
  if ('person' in entry) return html`<li><b>Person</b> <p>${entry.person}</p></li>`
  if ('results' in entry)
    return html`<li>${entry.results.map(
      ({ name, text, isError }) => html`<b>${isError ? `${name} refused` : name}</b><pre>${text}</pre>`,
    )}</li>`
  const paragraph = when(entry.text === '' ? null : entry.text, (text) => html`<p>${text}</p>`)
  const calls = entry.calls.map(({ name, args }) => html`<pre>${name} ${JSON.stringify(args, null, 1)}</pre>`)
  return html`<li><b>Assistant</b> ${paragraph}${calls}</li>`
}

const STYLE = html`
:root { --text: #1b1f23; --soft: #57606a; --line: #d8dee4; --card: #f6f8fa; --page: #fff; --red: #b42318; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --soft: #9aa4af; --line: #30363d; --card: #161b22; --page: #0d1117; --red: #ff8a80; }
}
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 32px 16px 64px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 8px; overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 32px 0 12px; }
.kind, .lead, .note { color: var(--soft); margin: 0; }
.kind, .note { font-size: 13px; }
.scroll { overflow-x: auto; margin: 24px 0 8px; border: 1px solid var(--line); border-radius: 8px; }
caption { padding: 8px 12px; text-align: left; font-weight: 600; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 8px 12px; text-align: right; white-space: nowrap; }
th:first-child { text-align: left; }
thead th { font-size: 13px; font-weight: 600; color: var(--soft); background: var(--card); }
tbody tr { border-top: 1px solid var(--line); }
tbody th { font-weight: 400; }
.all th, .all td { font-weight: 600; }
details { border: 1px solid var(--line); border-radius: 8px; margin: 8px 0; padding: 10px 14px; }
summary { cursor: pointer; font-weight: 600; overflow-wrap: anywhere; }
summary .kind { font-weight: 400; margin-left: 8px; }
.harm { color: var(--red); font-size: 13px; margin-left: 8px; }
ul, ol { padding-left: 20px; }
li { margin: 6px 0; overflow-wrap: anywhere; }
li p { margin: 2px 0; white-space: pre-wrap; }
pre { background: var(--card); border-radius: 6px; padding: 8px 10px; margin: 4px 0; font-size: 13px;
  white-space: pre-wrap; overflow-wrap: anywhere; max-height: 240px; overflow-y: auto; }
`
