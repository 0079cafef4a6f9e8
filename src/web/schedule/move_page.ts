import { button, linkButton } from '../../platform/html/parts/button.ts'
import { facts } from '../../platform/html/parts/facts.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { say } from '../../platform/i18n/say.ts'
import { members } from '../../records/fields/choices.ts'
import { choicesField, dateTimeField, numberField, checkboxField } from '../../records/fields/fields.ts'
import { day, duration, span } from '../../records/format/formats.ts'
import { formHtml, type Form } from '../../records/form/form.ts'
import type { FormValues } from '../../records/fields/form_field.ts'
import { recordLink } from '../../records/page/links.ts'
import { statusTag } from '../../records/page/parts.ts'
import type { Problems } from '../../records/form/problems.ts'
import { localAddress } from '../../records/page/contact_links.ts'
import type { MemberContext } from '../member_context.ts'
import { frame } from '../frame.ts'
import { addressOf, queryOf, type ScheduleView } from './schedule_view.ts'
import type { Assignment } from '../../records/jobs/index.ts'
import { wallDay } from './clock.ts'

/** Job as its tool returns it, with the fields that moving needs. */
export type MovableJob = {
  id: string
  display_number: string
  title: string
  status: string
  customer_id: string
  customer_name: string
  location_id: string | null
  location_address: string | null
  scheduled_start: string | null
  scheduled_end: string | null
  duration_minutes: number
  arrival_window_minutes: number
  all_day: boolean
  line_items: readonly { catalog_item_id: string | null }[]
  assignments: readonly Assignment[]
  /** Warnings, such as about a visit that it overlaps. */
  warnings?: readonly string[]
  updated_at: string
}

export const moveFields = () => [
  dateTimeField({ name: 'scheduled_start', label: say`Start` }),
  numberField({ name: 'duration_minutes', label: say`Minutes` }),
  checkboxField({ name: 'all_day', label: say`Any time of that day` }),
  choicesField({
    name: 'assignees',
    from: 'assignments',
    label: say`Technicians`,
    options: members,
    valuesOf: (value) => ((value ?? []) as readonly Assignment[]).map(({ user_id }) => user_id),
  }),
]

type MovePage = {
  context: MemberContext
  scheduleView: ScheduleView
  job: MovableJob
  form: Form
  values: FormValues
  problems: Problems
  isStale?: boolean
}

/** Draws a visit's current booking and the form that moves it. */
export const movePage = ({ context, scheduleView, job, form, values, problems, isStale = false }: MovePage): Html =>
  frame(context, {
    title: say`Move ${job.title}`,
    here: context.path('schedule'),
    width: 'narrow',
    body: html`
<section class="ticket">
  <p class="eyebrow">${say`Move a visit`}</p>
  <h1>${job.title}</h1>
  <p class="lead">${recordLink(context, 'jobs', job.id, job.display_number)} ${
    context.may('read:customers')
      ? recordLink(context, 'customers', job.customer_id, job.customer_name)
      : job.customer_name
  }${
    job.location_address === null ? '' : `, ${localAddress(job.location_address, context.company.country)}`
  } ${statusTag(job.status, 'visit')}</p>${when(isStale, () =>
    notice({
      kind: 'warning',
      title: say`Someone else changed this`,
      body: html`${say`The visit wasn't moved. Its current time is shown here, and the form still has your changes. Save again to move it.`}
      <a href="${context.path('schedule', 'move', job.id)}?${queryOf(scheduleView)}">${say`Discard my changes`}</a>`,
    }),
  )}
  ${facts([
    { label: say`When`, value: timeText(job, context.company.timezone), says: duration(job.duration_minutes) },
    {
      label: say`Who`,
      value: job.assignments.length === 0 ? say`Unassigned` : job.assignments.map(({ name }) => name).join(', '),
    },
  ])}
  ${formHtml({
    form,
    values,
    problems,
    action: `${context.path('schedule', 'move', job.id)}?${queryOf(scheduleView)}`,
    hiddenInputs: { expected_updated_at: job.updated_at },
    actions: html`${button({ label: say`Move`, kind: 'main' })}${when(job.scheduled_start !== null, () =>
      button({ label: say`Remove from schedule`, name: 'unschedule', value: 'yes' }),
    )}${linkButton(say`Cancel`, addressOf(context, scheduleView), 'quiet')}`,
  })}
</section>`,
  })

const timeText = ({ scheduled_start, scheduled_end, all_day }: MovableJob, zone: string): string => {
  if (scheduled_start === null || scheduled_end === null) return say`Not scheduled`
  return all_day
    ? say`${day(wallDay(scheduled_start, zone).toString())}, any time`
    : span(scheduled_start, scheduled_end, zone)
}
