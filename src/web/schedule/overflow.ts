import { html, when, type Html } from '../../platform/html/html.ts'
import { sayCount } from '../../platform/i18n/say.ts'
import { addressOf } from './schedule_view.ts'
import type { BoardContext } from './board/card.ts'

/** Returns the maximum number to draw of each group, at least one, so that all groups together draw at most `max`. */
export function evenShare(counts: readonly number[], max: number): number {
  const largest = Math.max(0, ...counts)
  for (let share = largest; share > 1; share--)
    if (counts.reduce((sum, count) => sum + Math.min(count, share), 0) <= max) return share
  return 1
}

/** Draws the link to the day that has the visits left out of a week. */
export const moreLink = ({ context }: BoardContext, count: number, day: Temporal.PlainDate, lane?: string): Html | '' =>
  when(
    count > 0,
    () =>
      html`<a class="week-more" href="${addressOf(context, { day, view: 'day' })}">${sayCount(
        count,
        'and one more',
        'and {0} more',
      )}${when(lane, (lane) => html`<span class="unseen">, ${lane}</span>`)}</a>`,
  )
