import { areaName, levelName } from '../../permissions/names.ts'
import { AREAS, GRANT_LEVELS, type Area, type GrantLevel, type Level } from '../../permissions/areas.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { attribute, html, type Html } from '../../../platform/html/html.ts'
import { radioGroup } from '../../../platform/html/parts/radio_group.ts'
import type { Offer } from '../port.ts'
import { say } from '../../../platform/i18n/say.ts'

export type Levels = Readonly<Partial<Record<Area, GrantLevel>>>

/** Returns the name of an area's field. */
export const fieldOf = (area: Area): string => AREAS[area][0]

type AreaChoice = {
  areas: Offer['areas']
  levels: Levels
  /** Hidden fields of each form about the request and its company, and those that a deciding form adds. */
  where: Html
  decided: Html
  isOpen: boolean
  /** Label of the button that submits the choice. */
  label: string
}

/**
 * Draws nine areas at None, View, Propose or Edit, under what this member may give to this client
 * (docs/spec/oauth.md#areas-and-ceilings); it opens without script.
 */
export const areaChoices = ({ areas, levels, where, decided, isOpen, label }: AreaChoice): Html => html`
<details class="detail" id="detail"${attribute('open', isOpen)}>
  <summary>${say`Choose in detail`}</summary>
  <p class="lead">
    ${say`Edit includes voiding, canceling, ending and deleting.`}
    ${say`With Propose, changes wait until someone approves them.`}
  </p>
  ${presets(where)}
  <form class="form" method="post" action="/oauth/consent">
    ${where}${decided}
    <div class="areas">${areas.map(({ area, most }) => areaRow(area, most, levels[area] ?? 'none'))}
    </div>
    <p class="actions">${button({ label, kind: 'main', name: 'decision', value: 'approve' })}</p>
  </form>
</details>`

/** Draws a form of its own that changes nothing, so that Enter in the other one never presses its buttons. */
const presets = (where: Html): Html => html`
<form class="presets" method="get" action="/oauth/consent#detail" aria-label="${say`Set every area`}">
  ${where}<span>${say`Set all to`}</span>
  ${button({ label: say`None`, name: 'all', value: 'none' })}
  ${button({ label: say`View`, name: 'all', value: 'view' })}
  ${button({ label: say`Everything I can`, name: 'all', value: 'most' })}
</form>`

const areaRow = (area: Area, most: Level, chosen: GrantLevel): Html =>
  most === 'none'
    ? html`
<div class="choice">
  <div class="choice-about"><p class="choice-label">${areaName(area).name}</p>
  <p class="help">${areaName(area).covers}</p></div>
  <p class="fixed">${say`None: you can’t grant this`}</p>
</div>`
    : radioGroup({
        name: fieldOf(area),
        label: areaName(area).name,
        help: areaName(area).covers,
        chosen,
        choices: GRANT_LEVELS.slice(0, GRANT_LEVELS.indexOf(most) + 1).map((level) => ({
          value: level,
          label: levelName(level),
        })),
      })
