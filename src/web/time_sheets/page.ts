import { isOverlong, type TimeSheetEntry } from '../../mobile/time/entry.ts'
import { secondsByDay } from '../../mobile/time/week.ts'
import { pageResponse } from '../../platform/http/answer.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { table } from '../../platform/html/parts/table.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { shortDay } from '../../records/format/formats.ts'
import { recordLink } from '../../records/page/links.ts'
import { part } from '../../records/page/parts.ts'
import { frame } from '../frame.ts'
import type { Site } from '../site.ts'
import { maySeeAllTime } from '../visit_records/job_context.ts'
import { entryTags, entryTimeText } from '../visit_records/time_part.ts'
import { sumByMember, openSheet, type MemberWeek, type TimeSheet } from './sheet.ts'
import { formatHours, dayHeading } from './time_fields.ts'

/** Shows a week of time by member and day, with all entries below. */
export async function showTimeSheet(site: Site, request: PageRequest): Promise<Response> {
  const sheet = await openSheet(site, request)
  const { context, days, entries, member, now } = sheet
  const weeks = sumByMember(sheet)
  const overlong = entries.filter((entry) => isOverlong(entry, now)).length
  const first = days[0]!
  const weekPath = (day: Temporal.PlainDate, path = 'time'): string =>
    `${context.path(path)}?day=${day.toString()}${member === undefined || !maySeeAllTime(context) ? '' : `&member=${member}`}`
  const name = maySeeAllTime(context) && member !== undefined ? weeks[0]?.name : undefined
  return pageResponse(
    frame(context, {
      title: say`Time sheets`,
      here: context.path('time'),
      styles: ['records.css', 'lists.css'],
      body: html`
<header class="page-head">
  <div><h1>${name === undefined ? say`Time sheets` : say`Time of ${name}`}</h1>
  <p class="help">${shortDay(first.toString())} – ${shortDay(days.at(-1)!.toString())}</p></div>
  <p class="actions">
    ${linkButton(say`Previous week`, weekPath(first.subtract({ days: 7 })))}
    ${linkButton(say`This week`, context.path('time'))}
    ${linkButton(say`Next week`, weekPath(first.add({ days: 7 })))}
    ${linkButton(say`Download CSV`, weekPath(first, 'time.csv'), 'quiet')}
  </p>
</header>${when(overlong > 0, () =>
        notice({
          kind: 'warning',
          title: sayCount(overlong, 'One entry is longer than 16 hours.', '{0} entries are longer than 16 hours.'),
          body: say`It wasn't stopped. Correct it below and give a reason.`,
        }),
      )}
${part(
  say`Hours`,
  weekTable(sheet, weeks),
  when(name, () => linkButton(say`Everyone`, `${context.path('time')}?day=${first.toString()}`, 'quiet')),
)}
${when(entries.length > 0, () => part(say`Entries`, entriesTable(sheet)))}`,
    }),
  )
}

function weekTable({ context, days, entries, borders, now }: TimeSheet, weeks: readonly MemberWeek[]): Html {
  const totals = secondsByDay(entries, borders, now)
  const total: MemberWeek = {
    user_id: '',
    name: say`Total`,
    days: totals,
    sum: weeks.reduce((sum, week) => sum + week.sum, 0),
  }
  return table({
    caption: say`Hours`,
    isCaptionHidden: true,
    rows: weeks.length > 1 ? [...weeks, total] : weeks,
    empty: say`No time in this week.`,
    columns: [
      {
        label: say`Who`,
        cell: ({ user_id, name }) =>
          user_id === ''
            ? html`<b>${name}</b>`
            : maySeeAllTime(context)
              ? html`<a href="${context.path('time')}?day=${days[0]!.toString()}&amp;member=${user_id}">${name}</a>`
              : name,
      },
      ...days.map((day, dayIndex) => ({
        label: dayHeading(day),
        cell: (week: MemberWeek) =>
          week.days[dayIndex] === 0 ? html`<span class="nothing">–</span>` : formatHours(week.days[dayIndex]!),
        isNumber: true,
      })),
      { label: say`Week`, cell: ({ sum }) => html`<b>${formatHours(sum)}</b>`, isNumber: true },
    ],
  })
}

const entriesTable = ({ context, entries, borders, now }: TimeSheet): Html =>
  table<TimeSheetEntry>({
    caption: say`Entries`,
    isCaptionHidden: true,
    rows: entries,
    empty: '',
    columns: [
      { label: say`Who`, cell: ({ user_name }) => user_name },
      {
        label: say`Job`,
        cell: ({ job_id, display_number, title }) => recordLink(context, 'jobs', job_id, `${display_number} ${title}`),
      },
      {
        label: say`When`,
        cell: (entry) => html`${entryTimeText(entry, context.company.timezone)}${entryTags(entry, now)}`,
      },
      {
        label: say`In this week`,
        cell: (entry) => formatHours(secondsByDay([entry], borders, now).reduce((a, b) => a + b, 0)),
        isNumber: true,
      },
      {
        label: say`Correction`,
        cell: ({ id }) => html`<a href="${context.path('time', id)}">${say`Correct`}</a>`,
        isOneLine: true,
      },
    ],
  })
