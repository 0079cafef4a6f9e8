import { listMembers } from '../../../identity/people/people.ts'
import { saveAutoClock, hasAutoClock } from '../../../mobile/time/auto_clock.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { field } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { attribute, html, when, type Html } from '../../../platform/html/html.ts'
import { table } from '../../../platform/html/parts/table.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import type { visitsOnDaysOff } from '../../../records/jobs/index.ts'
import type { Refusal } from '../../../platform/errors/refusal.ts'
import { findMemberSkills, readSkills, saveMemberSkills } from '../../../scheduling/skills/skills.ts'
import { addExceptions, hoursOf, removeException, saveCompanyWeek, saveMemberWeek } from '../../../scheduling/hours.ts'
import { DEFAULT_WEEK, WEEKDAYS, readSpans, type WorkWeek } from '../../../scheduling/week.ts'
import { day, spansText } from '../../../records/format/formats.ts'
import { part } from '../../../records/page/parts.ts'
import { isId } from '../../../platform/validation/id.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { text } from '../../../platform/validation/text/text.ts'
import { parseField } from '../../../identity/inputs.ts'
import type { MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { redirectWithMessage, type FlashMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { catchRefusal, requireOfficeMember, settingsPath, settingsPage } from '../settings_page.ts'
import { dayOffVisitHtml, listAffectedVisits } from './affected_visits.ts'
import { zoneLabel } from './regions.ts'
import { readDaySpans, weekFields } from './week_fields.ts'

/** Owner of the hours on a page: a member, or the company (null). */
type HoursOwner = { context: MemberContext; user: string | null; name: string | null; path: string }

/** Shows the working hours of the company or of a member. */
export async function showHours(site: Site, request: PageRequest): Promise<Response> {
  return page(site, await requireHoursOwner(site, request))
}

/** Saves a week or a day off, or removes a day off, depending on the pressed button. */
export async function saveHours(site: Site, request: PageRequest): Promise<Response> {
  const owner = await requireHoursOwner(site, request)
  const sent = await readFormFields(request.req.raw)
  return catchRefusal(
    async () => redirectWithMessage(owner.path, await changeHours(owner, sent)),
    (refusal) => page(site, owner, refusal, sent),
  )
}

async function changeHours({ context, user }: HoursOwner, sent: URLSearchParams): Promise<FlashMessage> {
  const by = { user: context.user.id }
  switch (sent.get('act')) {
    case 'off': {
      const from = sent.get('from') ?? ''
      const to = sent.get('to') || from
      const hours = readSpans(readDaySpans(sent, 'hours'), 'hours')
      const note = parseField(text(100), sent.get('note') ?? '', 'note') ?? null
      await context.write((db) => addExceptions(db, user, { from, to, hours, note }, by))
      const { visits } = await listAffectedVisits(context, user, from)
      const count = new Set(visits.filter((visit) => visit.day <= to).map(({ id }) => id)).size
      return {
        sentence: to === from ? say`Saved for ${day(from)}` : say`Saved for ${day(from)} to ${day(to)}`,
        notes:
          count === 0
            ? []
            : [
                sayCount(
                  count,
                  'One visit is booked at that time. Move or reassign it.',
                  '{0} visits are booked at that time. Move or reassign them.',
                ),
              ],
      }
    }
    case 'remove': {
      const id = sent.get('id') ?? ''
      if (!isId(id)) throw notFoundRefusal()
      const removed = await context.write((db) => removeException(db, user, id, by))
      return { sentence: say`${day(removed.day)} is a regular day again` }
    }
    case 'skills': {
      if (user === null) throw notFoundRefusal()
      const skills = readSkills(sent.get('skills') ?? '')
      await context.write((db) => saveMemberSkills(db, user, skills, by))
      return { sentence: say`Skills saved` }
    }
    case 'clock': {
      if (user !== null) throw notFoundRefusal()
      await context.write((db) => saveAutoClock(db, sent.get('starts_clock') === 'yes', by))
      return { sentence: say`Time on visits saved` }
    }
    default:
      return { sentence: await saveWeek(context, user, sent) }
  }
}

async function saveWeek(context: MemberContext, user: string | null, sent: URLSearchParams): Promise<string> {
  const by = { user: context.user.id }
  const followsCompany = user !== null && sent.get('own') !== 'yes'
  const week: WorkWeek | null = followsCompany
    ? null
    : WEEKDAYS.map((name) => readSpans(readDaySpans(sent, name), name))
  if (user === null) {
    const minutes = {
      travel_minutes: readMinutes(sent, 'travel_minutes'),
      // A page that was opened before arrival windows existed doesn't send one.
      arrival_window_minutes: sent.has('arrival_window_minutes')
        ? readMinutes(sent, 'arrival_window_minutes')
        : undefined,
    }
    await context.write((db) => saveCompanyWeek(db, week!, minutes, by))
  } else await context.write((db) => saveMemberWeek(db, user, week, by))
  return say`Working hours saved`
}

/** Parses a whole number of minutes. Anything else is -1, which is refused. */
const readMinutes = (sent: URLSearchParams, name: string): number =>
  /^\d{1,3}$/.test(sent.get(name) ?? '') ? Number(sent.get(name)) : -1

async function requireHoursOwner(site: Site, request: PageRequest): Promise<HoursOwner> {
  const context = await requireOfficeMember(site, request)
  const id = request.req.param('id')
  if (id === undefined) return { context, user: null, name: null, path: settingsPath(context, 'hours') }
  const member = (await listActiveMembers(site, context)).find(({ user_id }) => user_id === id)
  if (member === undefined) throw notFoundRefusal()
  return { context, user: id, name: member.name, path: context.path('settings', 'hours', id) }
}

const listActiveMembers = async (site: Site, context: MemberContext) =>
  (await listMembers(site.database, { tenant: context.company.id })).filter(
    ({ deactivated_at }) => deactivated_at === null,
  )

async function page(site: Site, owner: HoursOwner, refusal?: Refusal, sent?: URLSearchParams): Promise<Response> {
  const { context, user, name, path } = owner
  const today = todayIn(context.company.timezone).toString()
  const [hours, company, members, affected, isClockStarted, skills] = await Promise.all([
    context.read((db) => hoursOf(db, user, today)),
    user === null ? undefined : context.read((db) => hoursOf(db, null, today)),
    user === null ? listActiveMembers(site, context) : [],
    listAffectedVisits(context, user, today),
    user === null && context.read(hasAutoClock),
    user === null ? undefined : context.read((db) => findMemberSkills(db, user)),
  ])
  return settingsPage(
    context,
    'hours',
    name === null ? say`Working hours` : say`Working hours of ${name}`,
    html`
<div class="parts hours">
${part(name ?? say`The company`, weekForm(owner, { ...hours, fallback: company?.week ?? DEFAULT_WEEK }, sent))}
<div class="column">
${part(say`Days off`, html`${exceptionList(owner, hours.exceptions, affected)}${daysOffForm(path, sent)}`)}
${when(skills, (skills) => part(say`Skills`, skillsForm(path, skills, sent)))}
${when(
  user === null,
  () => html`${part(say`Time on visits`, clockForm(path, isClockStarted))}
${part(say`Members`, memberTable(context, members))}`,
)}
</div>
</div>`,
    refusal,
  )
}

type Hours = Awaited<ReturnType<typeof hoursOf>>

/** Draws the week: the typed one after a refusal, else the saved one, else the company's. */
function weekForm(
  { context, user, path }: HoursOwner,
  { week, travel_minutes, arrival_window_minutes, fallback }: Hours & { fallback: WorkWeek },
  sent?: URLSearchParams,
): Html {
  const isWeek = sent !== undefined && !sent.has('act')
  return html`
  <form class="form" method="post" action="${path}">${when(
    user,
    () => html`
    <div class="field tick"><label><input type="checkbox" name="own"
      value="yes"${attribute('checked', isWeek ? sent.get('own') === 'yes' : week !== null)}
        ><span>${say`Has different hours than the company`}</span></label></div>`,
  )}
    ${weekFields(week ?? fallback, isWeek ? sent : undefined)}${when(
      user === null,
      () =>
        html`${field({
          name: 'travel_minutes',
          label: say`Minutes between visits`,
          value: (isWeek ? sent.get('travel_minutes') : null) ?? String(travel_minutes),
          keys: 'numeric',
          help: say`Travel time. It is kept free when times are suggested.`,
        })}${field({
          name: 'arrival_window_minutes',
          label: say`Arrival window in minutes`,
          value: (isWeek ? sent.get('arrival_window_minutes') : null) ?? String(arrival_window_minutes),
          keys: 'numeric',
          help: say`Customers expect you within this time. 0 promises the exact start. A job can have its own.`,
        })}`,
    )}
    <p class="help">
      ${say`Times are in the ${zoneLabel(context.company.timezone)} time zone. Leave both times empty for a day off.`}
    </p>
    <p class="actions save-bar">${button({ label: say`Save`, kind: 'main' })}${when(user, () =>
      linkButton(say`Back`, settingsPath(context, 'hours'), 'quiet'),
    )}</p>
  </form>`
}

/** Lists the days off, with the visits booked on them. */
function exceptionList(
  { context, path }: HoursOwner,
  exceptions: Hours['exceptions'],
  { visits, isTruncated }: Awaited<ReturnType<typeof visitsOnDaysOff>>,
): Html {
  const visitsOf = Map.groupBy(visits, ({ exception_id }) => exception_id)
  return exceptions.length === 0
    ? html`<p class="help">${say`No upcoming days off.`}</p>`
    : html`
  <ul class="agenda">${exceptions.map(
    ({ id, day: date, hours, note }) => html`
    <li><span>${day(date)}<span class="help">${hours.length === 0 ? say`Off` : spansText(hours)}${
      note === null ? '' : ` · ${note}`
    }</span></span>
      <form method="post" action="${path}"><input type="hidden" name="act" value="remove"><input type="hidden" name="id" value="${id}"><button class="button quiet">${say`Remove`}<span class="unseen"> ${day(
        date,
      )}</span></button></form>
      </li>${(visitsOf.get(id) ?? []).map((visit) => dayOffVisitHtml(context, visit))}`,
  )}
  </ul>${when(isTruncated, () => html`<p class="help">${say`There are more visits than are listed here.`}</p>`)}`
}

const daysOffForm = (path: string, sent?: URLSearchParams): Html => html`
  <form class="form off-form" method="post" action="${path}"><input type="hidden" name="act" value="off">
    <div class="pair">${field({
      name: 'from',
      label: say`First day`,
      type: 'date',
      value: sent?.get('from') ?? '',
      isRequired: true,
    })}${field({ name: 'to', label: say`Last day`, type: 'date', value: sent?.get('to') ?? '' })}</div>
    <div class="pair">${field({
      name: 'hours.0.from',
      label: say`Works from`,
      type: 'time',
      value: sent?.get('hours.0.from') ?? '',
    })}${field({ name: 'hours.0.to', label: say`Until`, type: 'time', value: sent?.get('hours.0.to') ?? '' })}</div>
    <p class="help">${say`Leave the times empty for the whole day off.`}</p>
    ${field({ name: 'note', label: say`Note`, value: sent?.get('note') ?? '' })}
    <p class="actions">${button({ label: say`Add days off` })}</p>
  </form>`

const skillsForm = (path: string, skills: readonly string[], sent?: URLSearchParams): Html => html`
  <form class="form" method="post" action="${path}"><input type="hidden" name="act" value="skills">
    ${field({
      name: 'skills',
      label: say`Skills`,
      value: sent?.get('skills') ?? skills.join(', '),
      help: say`Separated by commas, such as Gas, Refrigerant. Work that needs a skill goes to technicians who have it.`,
    })}
    <p class="actions">${button({ label: say`Save skills` })}</p>
  </form>`

const clockForm = (path: string, isStarted: boolean): Html => html`
  <form class="form" method="post" action="${path}"><input type="hidden" name="act" value="clock">
    <div class="field tick"><label><input type="checkbox" name="starts_clock"
      value="yes"${attribute('checked', isStarted)}
        ><span>${say`“In progress” starts the technician’s clock`}</span></label></div>
    <p class="actions">${button({ label: say`Save time on visits` })}</p>
  </form>`

const memberTable = (context: MemberContext, members: Awaited<ReturnType<typeof listActiveMembers>>): Html =>
  table({
    caption: say`Members`,
    isCaptionHidden: true,
    rows: members,
    empty: '',
    columns: [
      {
        label: say`Name`,
        cell: ({ user_id, name }) => html`<a href="${context.path('settings', 'hours', user_id)}">${name}</a>`,
      },
    ],
  })
