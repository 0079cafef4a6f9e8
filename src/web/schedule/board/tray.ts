import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { duration } from '../../../records/format/formats.ts'
import type { Bookings, UnscheduledJob } from '../bookings.ts'
import { card, type BoardContext } from './card.ts'

/** Draws the unscheduled jobs, urgent ones first. */
export const trayHtml = (
  board: BoardContext,
  { unscheduled, hasMore }: Pick<Bookings, 'unscheduled' | 'hasMore'>,
): Html => html`
<section class="tray" id="tray" aria-labelledby="tray-head">
  <h2 class="tray-head" id="tray-head">${say`Unscheduled`}${when(
    unscheduled.length > 0,
    () => html` <span class="count">${unscheduled.length}${hasMore.unscheduled ? '+' : ''}</span>`,
  )}</h2>
  <ol class="waiting" id="waiting">${sortByPriority(unscheduled).map((job) =>
    card(board, {
      job,
      id: `w-${job.id}`,
      timeText: duration(job.duration_minutes),
      hasFitInLink: true,
      data: { long: job.duration_minutes },
    }),
  )}</ol>
  <p class="tray-empty help">${unscheduled.length === 0 ? say`All jobs are scheduled.` : ''}${when(
    hasMore.unscheduled,
    () =>
      html`${say`Only the newest are shown.`} <a
        href="${board.context.path('jobs')}?status=unscheduled">${say`All`}</a>`,
  )}</p>
</section>`

const PRIORITIES = ['urgent', 'high', 'normal', 'low']

const sortByPriority = (jobs: readonly UnscheduledJob[]): UnscheduledJob[] =>
  [...jobs].sort((a, b) => PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority))
