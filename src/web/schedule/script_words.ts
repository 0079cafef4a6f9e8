import { say } from '../../platform/i18n/say.ts'
import type { View } from './schedule_view.ts'

const [FIRST, SECOND] = ['{0}', '{1}']

/** Returns the texts of a view's scripts (public/schedule/schedule_board.js), with placeholders for values. */
export const scriptTexts = (view: View): Record<string, string> => ({
  any: say`Any time`,
  moved: say`Moved ${FIRST}: ${SECOND}.`,
  waits: say`unscheduled`,
  stays: say`${FIRST} stays where it was.`,
  back: say`${FIRST} is back where it was.`,
  refused: say`Not moved. ${FIRST}`,
  overlaps: say`Overlaps ${FIRST}`,
  undo: say`Undo`,
  undone: say`It is back where it was.`,
  close: say`Close`,
  signed_out: say`Your session has ended. Reload the page and sign in again.`,
  unable: say`That didn't work. Try again.`,
  offline: say`No connection. Check your internet and try again.`,
  fixed_done: say`This visit is done, so it can't be moved.`,
  fixed_earlier: say`This visit starts on another day. Move it on that day or use its form.`,
  picked:
    view === 'day'
      ? say`Picked up ${FIRST}, ${SECOND}. Arrows move it, with Shift they make it longer or shorter; Delete takes it off the schedule, Enter drops it, Escape puts it back.`
      : say`Picked up ${FIRST}, ${SECOND}. Arrows move it; Delete takes it off the schedule, Enter drops it, Escape puts it back.`,
  among_waiting: say`With the unscheduled visits.`,
  not_live: say`Live updates are off right now. Reload the page to see changes by others.`,
  stale: say`This may not be up to date. Reload the page.`,
})
