import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { duration } from '../../../records/format/formats.ts'
import type { Bookings, UnscheduledJob } from '../bookings.ts'
import { card, type BoardContext } from './card.ts'

/** Draws the unscheduled jobs, urgent ones first. */
export const trayHtml = (around: BoardContext, { waiting, isCut }: Pick<Bookings, 'waiting' | 'isCut'>): Html => html`
<section class="tray" id="tray" aria-labelledby="tray-head">
  <h2 class="tray-head" id="tray-head">${say`Unscheduled`}${when(
    waiting.length > 0,
    () => html` <span class="count">${waiting.length}${isCut.waiting ? '+' : ''}</span>`,
  )}</h2>
  <ol class="waiting" id="waiting">${sortByPriority(waiting).map((job) =>
    card(around, {
      job,
      id: `w-${job.id}`,
      when: duration(job.duration_minutes),
      fitsIn: true,
      data: { long: job.duration_minutes },
    }),
  )}</ol>
  <p class="tray-empty help">${waiting.length === 0 ? say`All jobs are scheduled.` : ''}${when(
    isCut.waiting,
    () =>
      html`${say`Only the newest are shown.`} <a
        href="${around.context.path('jobs')}?status=unscheduled">${say`All`}</a>`,
  )}</p>
</section>`

const PRESSING = ['urgent', 'high', 'normal', 'low']

const sortByPriority = (waiting: readonly UnscheduledJob[]): UnscheduledJob[] =>
  [...waiting].sort((a, b) => PRESSING.indexOf(a.priority) - PRESSING.indexOf(b.priority))
