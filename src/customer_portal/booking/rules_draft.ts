import { invalidField } from '../../platform/errors/refusal.ts'
import { NAME, type BookingRules } from './booking_page.ts'
import { readWhole } from './bookable_service.ts'
import { refusals } from './refusals.ts'

const MAX_ORIGINS = 5
const MAX_HOURS = 336

/** Parses the rules from a form. */
export const readRules = (form: URLSearchParams): BookingRules => ({
  name: readPageName(form.get('name') ?? ''),
  is_on: form.has('is_on'),
  needs_approval: form.get('needs_approval') === 'yes',
  notice_hours: readWhole(form.get('notice_hours') ?? '', 'notice_hours', 0, MAX_HOURS),
  days_ahead: readWhole(form.get('days_ahead') ?? '', 'days_ahead', 1, 60),
  window_minutes: readWhole(form.get('window_minutes') ?? '', 'window_minutes', 0, 480),
  frame_origins: readOrigins(form.get('frame_origins') ?? ''),
  move_hours: form.has('may_move') ? readWhole(form.get('move_hours') ?? '', 'move_hours', 0, MAX_HOURS) : null,
  cancel_hours: form.has('may_cancel') ? readWhole(form.get('cancel_hours') ?? '', 'cancel_hours', 0, MAX_HOURS) : null,
  changes_bookable_only: form.get('changes') === 'bookable',
})

function readPageName(input: string): string | null {
  const name = input.trim().toLowerCase()
  if (name === '') return null
  if (!NAME.test(name)) throw invalidField('name', refusals.badName())
  return name
}

/** Parses origins separated by lines, spaces or commas. `frame-ancestors` takes only complete `https` origins. */
function readOrigins(input: string): string[] {
  const origins = input
    .slice(0, 2_000)
    .split(/[\s,]+/)
    .filter((one) => one !== '')
  if (origins.length > MAX_ORIGINS) throw invalidField('frame_origins', refusals.badOrigin())
  return [...new Set(origins.map(readOrigin))]
}

function readOrigin(input: string): string {
  const url = URL.parse(input)
  if (url === null || url.protocol !== 'https:' || url.username !== '' || !/^[a-z0-9.-]+$/.test(url.hostname))
    throw invalidField('frame_origins', refusals.badOrigin())
  return url.origin
}
