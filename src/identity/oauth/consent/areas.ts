import { areaName, levelName } from '../../permissions/names.ts'
import { AREAS, GRANT_LEVELS, type Area, type GrantLevel, type Level } from '../../permissions/areas.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { attribute, html, type Html } from '../../../platform/html/html.ts'
import { radioGroup } from '../../../platform/html/parts/radio_group.ts'
import type { Offer } from '../port.ts'
import { say } from '../../../platform/i18n/say.ts'

export type Levels = Readonly<Partial<Record<Area, GrantLevel>>>

/** Returns the form field name of an area. */
export const fieldOf = (area: Area): string => AREAS[area][0]

type AreaChoice = {
  areas: Offer['areas']
  levels: Levels
  /**
   * Hidden fields of each form for the request and its company; `decisionFields` has those that a deciding form adds.
   */
  requestFields: Html
  decisionFields: Html
  isOpen: boolean
  /** Label of the button that submits the choice. */
  label: string
}

/**
 * Renders each area with None, View, Propose or Edit, up to what this member may give this client
 * (docs/spec/oauth.md#areas-and-ceilings). It opens without JavaScript.
 */
export const areaChoices = ({ areas, levels, requestFields, decisionFields, isOpen, label }: AreaChoice): Html => html`
<details class="detail" id="detail"${attribute('open', isOpen)}>
  <summary>${say`Choose in detail`}</summary>
  <p class="lead">
    ${say`Edit includes voiding, canceling, ending and deleting.`}
    ${say`With Propose, changes wait until someone approves them.`}
  </p>
  ${presets(requestFields)}
  <form class="form" method="post" action="/oauth/consent">
    ${requestFields}${decisionFields}
    <div class="areas">${areas.map(({ area, maxLevel }) => areaRow(area, maxLevel, levels[area] ?? 'none'))}
    </div>
    <p class="actions">${button({ label, kind: 'main', name: 'decision', value: 'approve' })}</p>
  </form>
</details>`

/** Renders the presets in a separate form that changes nothing, so that Enter never triggers their buttons. */
const presets = (requestFields: Html): Html => html`
<form class="presets" method="get" action="/oauth/consent#detail" aria-label="${say`Set every area`}">
  ${requestFields}<span>${say`Set all to`}</span>
  ${button({ label: say`None`, name: 'all', value: 'none' })}
  ${button({ label: say`View`, name: 'all', value: 'view' })}
  ${button({ label: say`Everything I can`, name: 'all', value: 'most' })}
</form>`

const areaRow = (area: Area, maxLevel: Level, chosen: GrantLevel): Html =>
  maxLevel === 'none'
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
        choices: GRANT_LEVELS.slice(0, GRANT_LEVELS.indexOf(maxLevel) + 1).map((level) => ({
          value: level,
          label: levelName(level),
        })),
      })
