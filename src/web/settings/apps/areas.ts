import {
  AREA_NAMES,
  DEFAULT_CEILINGS,
  GRANT_LEVELS,
  LEVELS,
  levelUnder,
  type Area,
  type GrantLevel,
} from '../../../identity/permissions/areas.ts'
import { fieldOf } from '../../../identity/oauth/consent/areas.ts'
import { areaName, levelName } from '../../../identity/permissions/names.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { radioGroup } from '../../../platform/html/parts/radio_group.ts'
import type { MemberContext } from '../../member_context.ts'

/** Draws a member's rights, area by area. */
export const levelsHtml = ({ session: { role, ceiling } }: MemberContext): Html => {
  const levels = role === 'owner' ? DEFAULT_CEILINGS.owner : ceiling
  return html`<ul class="levels">${AREA_NAMES.map(
    (area) => html`<li><span>${areaName(area).name}</span> <b>${levelName(levelUnder(levels, area))}</b></li>`,
  )}</ul>`
}

/** Draws the choice of a level for each area, up to its maximum. */
export const areaChoices = (
  chosen: Readonly<Record<Area, GrantLevel>>,
  maxLevels: Readonly<Partial<Record<Area, GrantLevel>>> = {},
  levels: readonly GrantLevel[] = LEVELS,
  isShown: (area: Area) => boolean = (area) => maxLevels[area] !== 'none',
): Html => html`
<div class="areas">${AREA_NAMES.filter(isShown).map((area) =>
  radioGroup({
    name: fieldOf(area),
    label: areaName(area).name,
    chosen: chosen[area],
    choices: levels
      .slice(0, levels.indexOf(maxLevels[area] ?? 'edit') + 1)
      .map((level) => ({ value: level, label: levelName(level) })),
  }),
)}
</div>`

const readLevels =
  <L extends GrantLevel>(levels: readonly L[]) =>
  (sent: URLSearchParams): Partial<Record<Area, L>> =>
    Object.fromEntries(
      AREA_NAMES.flatMap((area) =>
        levels.filter((level) => level === sent.get(fieldOf(area))).map((level) => [area, level]),
      ),
    )

export const readAreas = readLevels(LEVELS)

/** Reads the levels of a key or an app, which include propose-only. */
export const readGrantLevels = readLevels(GRANT_LEVELS)
