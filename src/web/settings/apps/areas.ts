import {
  AREAS,
  AREA_NAMES,
  DEFAULT_CEILINGS,
  GRANT_LEVELS,
  LEVELS,
  levelUnder,
  type Area,
  type Ceiling,
  type GrantLevel,
} from '../../../identity/permissions/areas.ts'
import { areaName, levelName } from '../../../identity/permissions/names.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { radioGroup } from '../../../platform/html/parts/radio_group.ts'
import type { MemberContext } from '../../member_context.ts'

/** Returns the name of an area's field, as on the consent screen. */
const fieldOf = (area: Area): string => AREAS[area][0]

/** Lists what somebody may do, area by area. */
export const levelsHtml = ({ visitor: { role, ceiling } }: MemberContext): Html => {
  const levels = role === 'owner' ? DEFAULT_CEILINGS.owner : ceiling
  return html`<ul class="levels">${AREA_NAMES.map(
    (area) => html`<li><span>${areaName(area).name}</span> <b>${levelName(levelUnder(levels, area))}</b></li>`,
  )}</ul>`
}

/** Draws a choice of levels for each area, up to the most that may be chosen. */
export const areaChoices = (
  chosen: Readonly<Record<Area, GrantLevel>>,
  most: Readonly<Partial<Record<Area, GrantLevel>>> = {},
  levels: readonly GrantLevel[] = LEVELS,
  isShown: (area: Area) => boolean = (area) => most[area] !== 'none',
): Html => html`
<div class="areas">${AREA_NAMES.filter(isShown).map((area) =>
  radioGroup({
    name: fieldOf(area),
    label: areaName(area).name,
    chosen: chosen[area],
    choices: levels
      .slice(0, levels.indexOf(most[area] ?? 'edit') + 1)
      .map((level) => ({ value: level, label: levelName(level) })),
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

/** Returns the levels that were sent for a key or an app, which may only propose. */
export const grantLevelsIn = (sent: URLSearchParams): Partial<Record<Area, GrantLevel>> =>
  Object.fromEntries(
    AREA_NAMES.flatMap((area) => {
      const level = GRANT_LEVELS.find((known) => known === sent.get(fieldOf(area)))
      return level === undefined ? [] : [[area, level]]
    }),
  )
