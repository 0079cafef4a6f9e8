import type { Job } from '../../records/jobs/index.ts'
import {
  listEntriesOfJobs,
  isOverlong,
  entrySeconds,
  toTimeState,
  type TimeEntry,
  type TimeState,
} from '../../mobile/time/entry.ts'
import { trackTime } from '../../mobile/time/tracking.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { status } from '../../platform/html/parts/status.ts'
import { table } from '../../platform/html/parts/table.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { moment, span, time } from '../../records/format/formats.ts'
import { part } from '../../records/page/parts.ts'
import type { MemberContext } from '../member_context.ts'
import { redirectWithMessage } from '../flash_message.ts'
import type { Site } from '../site.ts'
import { formatHours } from '../time_sheets/time_fields.ts'
import { toAuthor, nowText, openJob, maySeeAllTime, type VisitRecord } from './job_context.ts'
import { refusalForPeople } from '../../platform/i18n/refusal_for_people.ts'

/** Renders who worked on a visit and when, and the controls of the user's own time. */
export async function timePart(context: MemberContext, job: Job): Promise<VisitRecord> {
  const entries = await context.read((db) =>
    listEntriesOfJobs(db, [job.id], maySeeAllTime(context) ? undefined : context.user.id),
  )
  const now = nowText()
  const timeState = toTimeState(
    entries.filter(({ user_id }) => user_id === context.user.id),
    now,
  )
  const add = linkButton(say`Add time manually`, context.path('jobs', job.id, 'time', 'new'), 'quiet')
  if (entries.length === 0) return { part: '', start: html`${startForm(context, job)}${add}` }
  return {
    part: html`<div id="time">${part(
      say`Time`,
      html`${ownTimeHtml(context, job, timeState)}${entriesTable(context, entries, now)}`,
      add,
    )}</div>`,
    start: '',
  }
}

const startForm = (context: MemberContext, job: Job): Html | '' =>
  when(
    job.status !== 'cancelled',
    () =>
      html`<form method="post" action="${context.path('jobs', job.id, 'time')}">${button({
        label: say`Start my time`,
        name: 'what',
        value: 'started',
      })}</form>`,
  )

function ownTimeHtml(context: MemberContext, job: Job, { state, since }: TimeState): Html {
  const timeButton = (what: string, label: string, kind: 'main' | 'plain' = 'plain'): Html =>
    button({ label, kind, name: 'what', value: what })
  const buttons =
    state === 'running'
      ? html`${timeButton('paused', say`Pause`)}${timeButton('ended', say`End`)}`
      : timeButton('started', state === 'paused' ? say`Resume my time` : say`Start my time`)
  return html`
<form class="actions" method="post" action="${context.path('jobs', job.id, 'time')}">
  <p class="help">${timeStateText(context, state, since)}</p>${when(
    job.status !== 'cancelled' || state === 'running',
    () => buttons,
  )}
</form>`
}

function timeStateText({ company }: MemberContext, state: TimeState['state'], since: string | null): string {
  if (since === null) return say`Your time is not running.`
  const at = moment(since, company.timezone)
  if (state === 'running') return say`Your time is running since ${at}.`
  return state === 'paused' ? say`Your time is paused since ${at}.` : say`You ended your time on ${at}.`
}

const entriesTable = (context: MemberContext, entries: readonly TimeEntry[], now: string): Html => html`${table({
  caption: say`Time`,
  isCaptionHidden: true,
  rows: entries,
  empty: '',
  columns: [
    { label: say`Who`, cell: ({ user_name }) => user_name },
    {
      label: say`When`,
      cell: (entry) => html`${entryTimeText(entry, context.company.timezone)}${entryTags(entry, now)}`,
    },
    { label: say`Hours`, cell: (entry) => formatHours(entrySeconds(entry, now)), isNumber: true },
    {
      label: say`Correction`,
      cell: (entry) => html`<a href="${context.path('time', entry.id)}">${say`Correct`}</a>`,
      isOneLine: true,
    },
  ],
})}
<p class="totals-line">${say`Total`} <b>${formatHours(
  entries.reduce((sum, entry) => sum + entrySeconds(entry, now), 0),
)}</b></p>`

/** Formats the times of an entry; a running one shows only its start. */
export const entryTimeText = ({ started_at, ended_at }: TimeEntry, zone: string): string =>
  ended_at === null
    ? say`since ${moment(started_at, zone)}`
    : started_at === ended_at
      ? moment(started_at, zone)
      : span(started_at, ended_at, zone)

/** Renders the tags of an entry: running, corrected, or needs correction. */
export const entryTags = (entry: TimeEntry, now: string): Html =>
  html`${when(
    isOverlong(entry, now),
    () => html` ${status(say`Needs correction`, 'warning')}`,
  )}${when(entry.ended_at === null, () => html` ${status(say`Running`, 'active')}`)}${when(
    entry.is_corrected,
    () => html` ${status(say`Corrected`)}`,
  )}`

/** Starts, pauses or ends the user's own time on a job. */
export async function saveTime(site: Site, request: PageRequest): Promise<Response> {
  const { context, job, there } = await openJob(site, request)
  const what = (await readFormFields(request.req.raw)).get('what') ?? ''
  const at = nowText()
  try {
    await context.write((db) => trackTime(db, job, { what, at, by: toAuthor(context) }))
    return redirectWithMessage(`${there}#time`, { sentence: timeMessage(what, time(at, context.company.timezone)) })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return redirectWithMessage(`${there}#time`, { sentence: say`Not saved. ${refusalForPeople(error)}` })
  }
}

function timeMessage(what: string, at: string): string {
  if (what === 'started') return say`Your time runs from ${at}`
  return what === 'paused' ? say`Your time is paused at ${at}` : say`Your time ended at ${at}`
}
