import { pageResponse } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { hidden, select } from '../../../platform/html/parts/field.ts'
import { html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { day as longDay } from '../../../records/format/formats.ts'
import { frame } from '../../frame.ts'
import type { Site } from '../../site.ts'
import { readBookings } from '../bookings.ts'
import { isOffice } from '../../../identity/permissions/areas.ts'
import { lanesOf } from '../board/lanes.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { addressOf, readScheduleView } from '../schedule_view.ts'
import { requirePlanner } from './plan_page.ts'
import { MAX_OFF_DAYS } from './read_proposal.ts'

/** Asks who is off and until when. Submitting shows the effect without changing anything. */
export async function chooseOff(site: Site, request: PageRequest): Promise<Response> {
  const context = await requirePlanner(site, request)
  if (!isOffice(context.session)) throw notFoundRefusal()
  const { day, today } = readScheduleView(context, new URL(request.req.url).searchParams)
  const bookings = await readBookings(context, day, day)
  const memberIds = new Set(bookings.members.map(({ id }) => id))
  const people = lanesOf(bookings, '').filter(({ id }) => memberIds.has(id))
  const first = day.equals(today) ? say`The rest of today` : longDay(day.toString())
  return pageResponse(
    frame(context, {
      title: say`Off sick`,
      here: context.path('schedule'),
      width: 'narrow',
      styles: ['schedule.css'],
      body: html`
<section class="ticket">
  <p class="eyebrow">${say`Schedule`}</p>
  <h1>${say`Who is off?`}</h1>
  <p class="lead">${say`You see who can take their visits before anything changes. Then the days off are saved.`}</p>
  <form class="form" method="get" action="${context.path('schedule', 'plan')}">${hidden('day', day.toString())}
    ${select({
      name: 'days',
      label: say`How long`,
      options: Array.from({ length: MAX_OFF_DAYS }, (_, i) => ({
        value: String(i + 1),
        label: i === 0 ? first : say`Until ${longDay(day.add({ days: i }).toString())}`,
      })),
      chosen: '1',
    })}
    <fieldset class="off-people"><legend>${say`Technician`}</legend>
      <div>${people.map(({ id, name }) => button({ label: name, name: 'off', value: id }))}</div></fieldset>
    <p class="actions">${linkButton(say`Cancel`, addressOf(context, { day, view: 'day' }), 'quiet')}</p>
  </form>
</section>`,
    }),
  )
}
