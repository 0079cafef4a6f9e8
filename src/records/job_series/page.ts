import { facts } from '../../platform/html/parts/facts.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { wordOptions } from '../fields/choices.ts'
import { linesHtml, linesTotalHtml } from '../page/document.ts'
import { dayField } from '../fields/fields.ts'
import { day, duration, moment, shortDay } from '../format/formats.ts'
import { recordLink } from '../page/links.ts'
import { part, statusTag, multilineText } from '../page/parts.ts'
import { workAddress } from '../page/contact_links.ts'
import { screen } from '../page/screen.ts'
import type { Results } from '../../tools/declare/results.ts'
import { seriesFields } from './form.ts'
import { describeRecurrence } from './rhythm/rhythm.ts'
import { warningForPeople } from '../../platform/i18n/refusal_for_people.ts'
import { timingWarnings } from './rhythm/timing.ts'
import { jobSeries } from './tools.ts'
import { nextVisitsPart } from './visits/next_visits.ts'
import { formatStartTime, formatOccurrence } from './rhythm/when.ts'

type SeriesResult = Results['job_series_get']

export const seriesScreen = screen<SeriesResult, Results['job_series_list']['rows'][number]>({
  entity: jobSeries,
  get title() {
    return say`Recurring jobs`
  },
  get singular() {
    return say`recurring job`
  },
  menu: { group: 'work', position: 2 },
  startsFrom: 'customer',
  listing: {
    filters: () => [
      { kind: 'choice', name: 'status', label: say`Status`, options: wordOptions('active', 'ended') },
      { kind: 'record', name: 'customer_id', of: 'customers' },
    ],
    columns: (context) => [
      {
        name: 'series',
        label: say`Recurring job`,
        cell: ({ id, title }) => recordLink(context, 'job_series', id, title),
      },
      { name: 'status', label: say`Status`, cell: ({ status }) => statusTag(status), isOneLine: true, onPhone: 'side' },
      { name: 'customer', label: say`Customer`, cell: ({ customer_name }) => customer_name },
      { name: 'how_often', label: say`How often`, cell: describeRecurrence },
      {
        name: 'next',
        label: say`Next`,
        cell: ({ next_occurrence_at, timezone, status }) =>
          next_occurrence_at == null || status === 'ended'
            ? sayFor('visit')`None`
            : moment(next_occurrence_at, timezone),
        onPhone: 'labeled',
      },
      {
        name: 'last_day',
        label: say`Last day`,
        cell: ({ end_date }) => (end_date == null ? '' : shortDay(end_date)),
        isOneLine: true,
        onPhone: 'labeled',
      },
    ],
    get empty() {
      return say`No recurring jobs yet. A series books visits for the next 90 days, and keeps adding more.`
    },
    exported: [
      'id',
      'title',
      'customer_name',
      'rrule',
      'rule_text',
      'timezone',
      'status',
      'next_occurrence_at',
      'end_date',
    ],
  },
  nameOf: ({ title }) => title,
  stateOf: ({ status }) => statusTag(status),
  isEditable: ({ status }) => status === 'active',
  get fields() {
    return seriesFields()
  },
  editableFields: () => ({
    names: seriesFields().map(({ name }) => name),
    reason: say`Saving rebooks upcoming visits. Visits that are started, done or canceled stay as they are.`,
  }),
  actions: (_, { status }) =>
    status === 'ended'
      ? []
      : [
          {
            wire: 'job_series_end',
            label: say`End recurring job`,
            kind: 'danger',
            fields: [dayField({ name: 'end_date', label: say`Last day`, help: say`Today when left empty` })],
            warning: say`Its visits after the last day are canceled, and it can't be resumed. Earlier visits stay as they are.`,
          },
        ],
  sheet: async (context, series) => html`
${warningsNotice(series)}
${facts([
  {
    label: say`Customer`,
    value: recordLink(context, 'customers', series.customer_id, series.customer_name),
    says: workAddress(context, series),
  },
  {
    label: say`How often`,
    value: describeRecurrence(series),
    says: html`${formatStartTime(series)}, ${series.timezone}`,
  },
  {
    label: sayFor('date')`From`,
    value: day(series.dtstart),
    says: series.end_date === null ? say`No last day` : say`until ${day(series.end_date)}`,
  },
  {
    label: say`Who`,
    value: series.assignments.length === 0 ? say`Unassigned` : series.assignments.map(({ name }) => name).join(', '),
  },
  {
    label: say`Duration`,
    value: duration(series.duration_minutes),
    says:
      series.arrival_window_minutes > 0 ? say`arrival within ${duration(series.arrival_window_minutes)}` : undefined,
  },
  { label: say`Priority`, value: statusTag(series.priority) },
  ...(series.generated_through === null || series.status === 'ended'
    ? []
    : [
        {
          label: say`Visits booked`,
          value: say`until ${day(series.generated_through)}`,
          says: say`More visits are booked every night`,
        },
      ]),
  ...(series.ended_at === null
    ? []
    : [{ label: say`Ended`, value: moment(series.ended_at, context.company.timezone) }]),
])}
<div class="parts">
${series.status === 'ended' ? '' : part(say`Next dates`, nextDates(series))}
${context.may('read:jobs') ? await nextVisitsPart(context, series) : ''}
</div>
${series.description === null ? '' : part(say`Description`, multilineText(series.description))}
${series.instructions === null ? '' : part(say`Instructions for the technicians`, multilineText(series.instructions))}
${part(
  say`Work and parts on each visit`,
  html`${linesHtml(
    series.line_items,
    context.company.currency,
  )}${linesTotalHtml(series.line_items, context.company.currency)}`,
)}`,
})

function warningsNotice(series: SeriesResult): Html | '' {
  const warnings = series.status === 'ended' ? [] : timingWarnings(series)
  return warnings.length === 0
    ? ''
    : notice({ kind: 'warning', title: say`Please note`, body: warnings.map(warningForPeople).join(' ') })
}

const nextDates = (series: SeriesResult): Html =>
  series.occurrences_preview.length === 0
    ? html`<p class="empty">${say`No dates ahead.`}</p>`
    : html`
<p class="help">${say`As planned; single visits may have moved.`}</p>
<ol class="links">${series.occurrences_preview.map(
        (at) => html`
  <li><time datetime="${at}">${formatOccurrence(at, series)}</time></li>`,
      )}
</ol>`
