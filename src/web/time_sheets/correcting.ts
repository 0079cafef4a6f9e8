import {
  addForgottenTime,
  correctTime,
  listCorrections,
  type Corrector,
  type TimeCorrectionEntry,
} from '../../mobile/time/correcting.ts'
import { findEntry } from '../../mobile/time/entry.ts'
import { findJob } from '../../records/jobs/index.ts'
import { listMembers } from '../../identity/people/people.ts'
import { pageResponse } from '../../platform/http/answer.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { hidden, select, textArea } from '../../platform/html/parts/field.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal, notFound } from '../../platform/errors/refusal.ts'
import { moment, span } from '../../records/format/formats.ts'
import { isId } from '../../platform/validation/id.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import { redirectWithMessage } from '../flash_message.ts'
import type { Site } from '../site.ts'
import { nowText, openJob, maySeeAllTime } from '../visit_records/job_context.ts'
import { timeRangeFields, parseDateTimeField, toDateTimeField } from './time_fields.ts'
import { refusalNotice } from '../refusal_notice.ts'

/** Shows the form that corrects an entry, with its earlier corrections. */
export const showEntry = async (site: Site, request: PageRequest): Promise<Response> =>
  entryPage(await openEntry(site, request))

/** Corrects an entry; its former times are kept. */
export async function saveEntry(site: Site, request: PageRequest): Promise<Response> {
  const opened = await openEntry(site, request)
  const { context, entry, job } = opened
  const sent = await readFormFields(request.req.raw)
  try {
    const draft = readDraft(sent, context)
    await context.write((db) => correctTime(db, entry.id, draft, correctorIn(context), nowText()))
    return redirectWithMessage(`${context.path('jobs', job.id)}#time`, { sentence: say`Time corrected` })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    return entryPage(opened, sent, error)
  }
}

/** Shows the form that adds forgotten time. */
export const showMissingTime = async (site: Site, request: PageRequest): Promise<Response> =>
  missingTimePage(site, await openJob(site, request))

/** Adds forgotten time: the user's own or, for the office, any member's. */
export async function saveMissingTime(site: Site, request: PageRequest): Promise<Response> {
  const opened = await openJob(site, request)
  const { context, job, there } = opened
  const sent = await readFormFields(request.req.raw)
  try {
    const draft = readDraft(sent, context)
    const user = sent.get('user') || context.user.id
    if (!isId(user)) throw notFound('member')
    await context.write((db) => addForgottenTime(db, { job: job.id, user }, draft, correctorIn(context), nowText()))
    return redirectWithMessage(`${there}#time`, { sentence: say`Time added` })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    return missingTimePage(site, opened, sent, error)
  }
}

const correctorIn = ({ user, session }: MemberContext): Corrector => ({ user: user.id, role: session.role })

const readDraft = (sent: URLSearchParams, { company }: MemberContext) => ({
  started_at: parseDateTimeField(sent.get('started_at') ?? '', company.timezone, 'started_at'),
  ended_at: parseDateTimeField(sent.get('ended_at') ?? '', company.timezone, 'ended_at'),
  reason: sent.get('reason') ?? '',
})

type OpenedEntry = Awaited<ReturnType<typeof openEntry>>

/** Returns the entry in the path; throws a 404 if a technician asks for someone else's. */
async function openEntry(site: Site, request: PageRequest) {
  const context = await requireMemberContext(site, request)
  if (!context.may('read:jobs')) throw notFoundRefusal()
  const id = request.req.param('entry')!
  const entry = await context.read((db) => findEntry(db, id))
  if (entry.user_id !== context.user.id && !maySeeAllTime(context)) throw notFoundRefusal()
  const [job, corrections] = await context.read((db) =>
    Promise.all([findJob(db, entry.job_id), listCorrections(db, [id])]),
  )
  return { context, entry, job, corrections }
}

function entryPage(
  { context, entry, job, corrections }: OpenedEntry,
  sent?: URLSearchParams,
  refusal?: Refusal,
): Response {
  const zone = context.company.timezone
  const ended = entry.ended_at === null ? '' : toDateTimeField(entry.ended_at, zone)
  return page(context, {
    eyebrow: `${entry.user_name} · ${job.display_number} ${job.title}`,
    title: say`Correct time`,
    intro: say`The original time is kept, with the reason. To remove the time, set both to the same time.`,
    action: context.path('time', entry.id),
    back: `${context.path('jobs', job.id)}#time`,
    refusal,
    fields: html`${timeRangeFields(
      sent?.get('started_at') ?? toDateTimeField(entry.started_at, zone),
      sent?.get('ended_at') ?? ended,
    )}`,
    reason: sent?.get('reason') ?? '',
    after: correctionsHtml(corrections, zone),
  })
}

const correctionsHtml = (corrections: readonly TimeCorrectionEntry[], zone: string): Html | '' =>
  when(
    corrections.length > 0,
    () => html`
<h2>${say`What it was before`}</h2>
<ul class="notes">${corrections.map(
      (one) => html`
  <li class="note">
    <p>${previousTimeText(one, zone)}</p>
    <p class="written">${one.reason}</p>
    <p class="help">${one.corrected_by_name ?? say`Callout`}, ${moment(one.corrected_at, zone)}</p>
  </li>`,
    )}
</ul>`,
  )

function previousTimeText({ started_before, ended_before }: TimeCorrectionEntry, zone: string): string {
  if (started_before === null) return say`Not recorded`
  if (ended_before === null) return say`since ${moment(started_before, zone)}`
  return started_before === ended_before ? moment(started_before, zone) : span(started_before, ended_before, zone)
}

async function missingTimePage(
  site: Site,
  { context, job, there }: Awaited<ReturnType<typeof openJob>>,
  sent?: URLSearchParams,
  refusal?: Refusal,
): Promise<Response> {
  const members = maySeeAllTime(context)
    ? (await listMembers(site.database, { tenant: context.company.id })).filter((one) => one.deactivated_at === null)
    : []
  const options = members.map(({ user_id, name }) => ({ value: user_id, label: name }))
  const zone = context.company.timezone
  const start = job.scheduled_start === null ? '' : toDateTimeField(job.scheduled_start, zone)
  const end = job.scheduled_end === null ? '' : toDateTimeField(job.scheduled_end, zone)
  return page(context, {
    eyebrow: `${job.display_number} ${job.title}`,
    title: say`Add time manually`,
    intro: say`Add time that wasn't tracked on the phone.`,
    action: `${there}/time/new`,
    back: `${there}#time`,
    refusal,
    fields: html`${
      options.length === 0
        ? hidden('user', context.user.id)
        : select({ name: 'user', label: say`Who`, options, chosen: sent?.get('user') ?? context.user.id })
    }${timeRangeFields(sent?.get('started_at') ?? start, sent?.get('ended_at') ?? end)}`,
    reason: sent?.get('reason') ?? '',
    after: '',
  })
}

type TimeForm = {
  eyebrow: string
  title: string
  intro: string
  action: string
  back: string
  refusal: Refusal | undefined
  fields: Html
  reason: string
  after: Html | ''
}

const page = (context: MemberContext, form: TimeForm): Response =>
  pageResponse(
    frame(context, {
      title: form.title,
      here: context.path('time'),
      width: 'narrow',
      styles: ['records.css', 'forms.css'],
      body: html`
<section class="ticket">
  <p class="eyebrow">${form.eyebrow}</p>
  <h1>${form.title}</h1>
  <p class="lead">${form.intro}</p>${when(form.refusal, refusalNotice)}
  <form class="form" method="post" action="${form.action}">
    ${form.fields}
    ${textArea({ name: 'reason', label: say`Reason`, rows: 2, value: form.reason, isRequired: true })}
    <p class="help">${say`Times are in the ${context.company.timezone.replaceAll('_', ' ')} time zone.`}</p>
    <p class="actions">${button({ label: say`Save`, kind: 'main' })}${linkButton(say`Cancel`, form.back, 'quiet')}</p>
  </form>
  ${form.after}
</section>`,
    }),
    { status: form.refusal === undefined ? 200 : statusOf(form.refusal) },
  )
