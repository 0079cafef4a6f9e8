import { say } from '../../platform/i18n/say.ts'

const [FIRST, SECOND] = ['{0}', '{1}']

/** Returns what the schedule's scripts say (public/schedule/schedule_board.js), in the language of who reads, its values still open. */
export const scriptWords = (): Record<string, string> => ({
  any: say`Any time`,
  moved: say`Moved ${FIRST}: ${SECOND}.`,
  waits: say`it waits for a time again`,
  stays: say`${FIRST} stays where it was.`,
  back: say`${FIRST} is back where it was.`,
  refused: say`Not moved. ${FIRST}`,
  overlaps: say`Overlaps ${FIRST}`,
  undo: say`Undo`,
  undone: say`It is back where it was.`,
  close: say`Close`,
  signed_out: say`Your session has ended. Reload the page and sign in again.`,
  unable: say`The service can't do it at the moment. Try again.`,
  offline: say`There is no connection to the service. Try again.`,
  fixed_done: say`It is done and stays where it was.`,
  fixed_earlier: say`It began on another day. Move it there, or by its form.`,
  picked_day: say`Picked up ${FIRST}, ${SECOND}. Arrows move it, with Shift they make it longer or shorter; Delete takes it off the schedule, Enter drops it, Escape puts it back.`,
  picked_week: say`Picked up ${FIRST}, ${SECOND}. Arrows move it; Delete takes it off the schedule, Enter drops it, Escape puts it back.`,
  among_waiting: say`Among those that wait for a time.`,
  not_live: say`Changes of others don't appear by themselves at the moment. Reload the page to see them.`,
  stale: say`This may not be up to date. Reload the page.`,
})
