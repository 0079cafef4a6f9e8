import {
  AREAS,
  AREA_NAMES,
  DEFAULT_CEILINGS,
  LEVELS,
  type Area,
  type Ceiling,
  type Level,
} from '../../access/rights/areas.ts'
import { areaName, levelName } from '../../access/rights/names.ts'
import { html, type Html } from '../../html/html.ts'
import { radioGroup } from '../../html/radio_group.ts'
import { say } from '../../language/say.ts'
import type { MemberContext } from '../member_context.ts'

/** Returns the name of an area's field, as on the consent screen. */
const fieldOf = (area: Area): string => AREAS[area][0]

/** Lists what somebody may do, area by area. */
export const levelsHtml = ({ visitor: { role, ceiling } }: MemberContext): Html => {
  const levels = role === 'owner' ? DEFAULT_CEILINGS.owner : ceiling
  return html`<ul class="levels">${AREA_NAMES.map((area) => html`<li><span>${areaName(area).name}</span> <b>${levelName(levels[area])}</b></li>`)}</ul>`
}

/** Draws a choice of levels for each area, up to the most that may be chosen. */
export const areaChoices = (
  chosen: Readonly<Record<Area, Level>>,
  most: Readonly<Partial<Record<Area, Level>>> = {},
): Html => html`
<div class="areas">${AREA_NAMES.filter((area) => most[area] !== 'none').map((area) =>
  radioGroup({
    name: fieldOf(area),
    label: areaName(area).name,
    chosen: chosen[area],
    choices: LEVELS.slice(0, LEVELS.indexOf(most[area] ?? 'edit') + 1).map((level) => ({
      value: level,
      label: levelName(level),
    })),
  }),
)}
</div>`

/** Returns the levels that were sent. */
export const areasIn = (sent: URLSearchParams): Partial<Ceiling> =>
  Object.fromEntries(
    AREA_NAMES.flatMap((area) => {
      const level = LEVELS.find((known) => known === sent.get(fieldOf(area)))
      return level === undefined ? [] : [[area, level]]
    }),
  )

/** Returns the level that scopes amount to in each area. */
export const levelsOf = (scopes: readonly string[]): Record<Area, Level> =>
  Object.fromEntries(AREA_NAMES.map((area) => [area, levelIn(area, new Set(scopes))])) as Record<Area, Level>

/** Returns the same as the end of a sentence: `View everything`, or each area above none. */
export function inWords(scopes: readonly string[]): string {
  const levels = levelsOf(scopes)
  const given = AREA_NAMES.filter((area) => levels[area] !== 'none')
  if (given.length === 0) return say`Nothing`
  const [one] = given.map((area) => levels[area])
  if (given.length === AREA_NAMES.length && given.every((area) => levels[area] === one))
    return one === 'edit' ? say`Edit everything` : say`View everything`
  return given.map((area) => `${areaName(area).name}: ${levelName(levels[area])}`).join(', ')
}

const levelIn = (area: Area, scopes: ReadonlySet<string>): Level =>
  AREAS[area].some((subject) => scopes.has(`write:${subject}`))
    ? 'edit'
    : AREAS[area].some((subject) => scopes.has(`read:${subject}`))
      ? 'view'
      : 'none'
