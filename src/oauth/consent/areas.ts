import { AREAS, LEVELS, type Area, type Level } from '../../access/rights/areas.ts'
import { button } from '../../html/button.ts'
import { html, when, type Html } from '../../html/html.ts'
import { radioGroup } from '../../html/radio_group.ts'
import type { Offer } from '../port.ts'

export type Levels = Readonly<Partial<Record<Area, Level>>>

/** Returns the name of an area's field. */
export const fieldOf = (area: Area): string => AREAS[area][0]

const LABELS: Readonly<Record<Level, string>> = { none: 'None', view: 'View', edit: 'Edit' }

const COVERS: Readonly<Record<Area, string>> = {
  'Customers & contacts': 'Customers, contacts, locations and tags',
  Notes: 'Notes on any record',
  'Jobs & scheduling': 'Jobs and who does them when',
  'Recurring jobs': 'Series of jobs that repeat',
  Invoices: 'Invoices and their amounts',
  Quotes: 'Quotes and their amounts',
  'Catalog & pricing': 'Services, materials and their prices',
  Plans: 'Maintenance plans',
  'Tax rates': 'Tax rates on quotes and invoices',
}

type Choice = {
  areas: Offer['areas']
  levels: Levels
  /** Is what each form says of the request and its company, and what one that decides sends back besides. */
  where: Html
  decided: Html
  isOpen: boolean
}

/**
 * Draws nine areas at None, View or Edit, under what this member may give to this client
 * (docs/spec/oauth.md#areas-and-ceilings); it opens without script.
 */
export const choiceInDetail = ({ areas, levels, where, decided, isOpen }: Choice): Html => html`
<details class="detail" id="detail"${when(isOpen, () => html` open`)}>
  <summary>Choose in detail</summary>
  <p class="lead">Edit includes voiding, canceling, ending and deleting.</p>
  ${presets(where)}
  <form class="form" method="post" action="/oauth/consent">
    ${where}${decided}
    <div class="areas">${areas.map(({ area, most }) => areaRow(area, most, levels[area] ?? 'none'))}
    </div>
    <p class="actions">${button({ label: 'Allow access', kind: 'main', name: 'decision', value: 'approve' })}</p>
  </form>
</details>`

/** Draws a form of its own that changes nothing, so that Enter in the other one never presses its buttons. */
const presets = (where: Html): Html => html`
<form class="presets" method="get" action="/oauth/consent#detail" aria-label="Set every area">
  ${where}<span>Set all to</span>
  ${button({ label: 'None', name: 'all', value: 'none' })}
  ${button({ label: 'View', name: 'all', value: 'view' })}
  ${button({ label: 'All I may give', name: 'all', value: 'most' })}
</form>`

const areaRow = (area: Area, most: Level, chosen: Level): Html =>
  most === 'none'
    ? html`
<div class="choice">
  <div class="choice-about"><p class="choice-label">${area}</p><p class="help">${COVERS[area]}</p></div>
  <p class="fixed">None: not yours to give</p>
</div>`
    : radioGroup({
        name: fieldOf(area),
        label: area,
        help: COVERS[area],
        chosen,
        choices: LEVELS.slice(0, LEVELS.indexOf(most) + 1).map((level) => ({ value: level, label: LABELS[level] })),
      })
