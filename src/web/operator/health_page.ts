import {
  statusOf,
  worstOf,
  type HealthReport,
  type CheckStates,
  type Status,
  type StoredReport,
} from '../../health/report.ts'
import { labelOf } from '../../health/labels.ts'
import { sayFinding, type Finding } from '../../health/finding.ts'
import { isStale } from '../../health/program_answer.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { sayPhrase } from '../../platform/i18n/phrase.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { moment } from '../../records/format/formats.ts'
import { part } from '../../records/page/parts.ts'
import { measuresHtml } from './measures.ts'

/** Renders the health page; `stored` is undefined before the first report. */
export const healthPage = (stored: StoredReport | undefined, person: { name: string }, now: number): Html =>
  layout({
    title: say`Health`,
    person,
    width: 'full',
    styles: ['health.css'],
    body: html`
<header class="page-head">
  <div><p class="eyebrow">${say`This installation`}</p><h1>${say`Health`}</h1></div>
  <div class="actions">
    ${linkButton(say`Reload`, '/operator/health')}${linkButton(say`Quarantine`, '/operator', 'quiet')}
  </div>
</header>
${stored === undefined ? noReport() : reportHtml(stored, now)}`,
  })

const noReport = (): Html =>
  notice({
    kind: 'warning',
    title: say`Nothing was checked yet`,
    body: say`The service checks itself every minute. If this doesn’t change, look for “worker fault” in its log.`,
  })

function reportHtml({ checked_at: checkedAt, report, standing }: StoredReport, now: number): Html {
  const isBad = (finding: Finding): boolean => statusOf(finding) !== 'ok'
  const bad = report.findings.filter(isBad).toSorted((a, b) => Number(a.ok) - Number(b.ok))
  return html`
<div class="health">${summaryHtml(report, checkedAt)}
${when(isStale(checkedAt, now), stopNotice)}
${when(bad.length > 0, () => html`<ul class="problems">${bad.map((finding) => problemHtml(finding, standing))}</ul>`)}
${measuresHtml(report.measures)}
${part(say`Checks without a problem`, passesHtml(report.findings.filter((finding) => !isBad(finding))))}</div>`
}

const stopNotice = (): Html =>
  notice({
    kind: 'error',
    title: say`The checks have stopped`,
    body: say`These are the last results. Look for “task failed” and “worker fault” in the log.`,
  })

function summaryHtml({ findings, version }: HealthReport, checkedAt: string): Html {
  const count = (status: Status): number => findings.filter((finding) => statusOf(finding) === status).length
  const worst = worstOf(findings.map(statusOf))
  const parts = [
    count('wrong') > 0 && sayCount(count('wrong'), 'One problem', '{0} problems'),
    count('warning') > 0 && sayCount(count('warning'), 'One warning', '{0} warnings'),
  ].filter((part) => part !== false)
  const title = parts.join(' · ') || say`All is well`
  return html`
<div class="health-summary ${worst}">
  <p class="health-state">${title}</p>
  <p>${say`Checked ${moment(checkedAt, 'UTC')}. Callout ${version}. Times are UTC.`}</p></div>`
}

function problemHtml(finding: Finding, states: CheckStates): Html {
  const { check, says, mend } = sayFinding(finding)
  const since = states[check]?.since
  return html`
<li class="problem ${statusOf(finding)}">
  <p class="problem-head">
    <span class="problem-level">${finding.ok ? say`Warning` : say`Problem`}</span><b>${sayPhrase(labelOf(check))}</b>
  </p>
  <p>${capitalize(says)}</p>${when(
    mend,
    (fix) => html`
  <p class="problem-fix"><b>${say`What to do`}</b> ${fix}</p>`,
  )}${when(
    since,
    (since) => html`
  <p class="help">${say`Since ${moment(since, 'UTC')}`}</p>`,
  )}
</li>`
}

/** Capitalizes the first word of a sentence that follows the name of its check, unless it is a URL or a name. */
const capitalize = (text: string): string =>
  text.replace(/^\p{Ll}+(?=[ ,;]|: |$)/u, (word) => word.charAt(0).toUpperCase() + word.slice(1))

const passesHtml = (findings: readonly Finding[]): Html => html`
<dl class="passed">${findings.map(
  (finding) => html`
  <div><dt>${sayPhrase(labelOf(finding.check))}</dt><dd>${capitalize(sayFinding(finding).says)}</dd></div>`,
)}
</dl>`
