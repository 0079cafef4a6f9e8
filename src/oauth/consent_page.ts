import { AREAS, LEVELS } from '../access/areas.ts'
import type { Area, Level } from '../access/areas.ts'
import type { Session } from '../access/sessions.ts'
import { button } from '../html/button.ts'
import { facts } from '../html/facts.ts'
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import { layout } from '../html/layout.ts'
import { notice } from '../html/notice.ts'
import { radioGroup } from '../html/radio_group.ts'
import { appFact, nameOf, onwardFact, onwardWarning, otherPerson } from './client_parts.ts'
import type { Interaction, Offer } from './port.ts'

export type Levels = Readonly<Partial<Record<Area, Level>>>

export type Screen = {
  interaction: Interaction
  session: Session
  offer: Offer
  levels: Levels
  /** The person could choose another company. */
  hasOthers: boolean
  /** It was approved with every area at None. */
  isUnchosen?: boolean
}

/** The name of an area's field. */
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

/** Nine areas at None, View or Edit, under what this member may give to this client (records 3.2). */
export const consentPage = (screen: Screen): Html => layout({
  title: `Connect ${screen.interaction.client.name}`, person: screen.session.user, styles: ['areas.css'],
  body: html`
<section class="ticket">
  <p class="eyebrow">Connection request</p>
  <h1>Connect ${nameOf(screen.interaction)} to ${screen.offer.tenant.name}?</h1>
  ${facts([appFact(screen.interaction), onwardFact(screen.interaction), companyFact(screen)])}
  ${onwardWarning(screen.interaction)}
  <hr class="tear">
  ${isEmpty(screen.offer) ? nothingToGive(screen) : areasToGive(screen)}
  ${otherPerson(screen.interaction, screen.session)}
</section>`,
})

const companyFact = ({ interaction, offer, hasOthers }: Screen) => ({
  label: 'Company', value: offer.tenant.name,
  says: hasOthers ? html`<a href="/oauth/consent?authorization_id=${encodeURIComponent(interaction.id)}">Choose another</a>` : undefined,
})

const areasToGive = (screen: Screen): Html => html`
<h2 id="areas">What may it see and change?</h2>
<p class="lead">Until you choose, it gets nothing. It can never do more than you may do yourself.</p>${screen.isUnchosen === true ? notice({
  kind: 'error', title: 'Nothing is chosen yet', says: 'Set at least one area to View or Edit, or deny.',
}) : ''}
${presets(screen)}
<form class="form" method="post" action="/oauth/consent">
  ${carried(screen)}
  <div class="areas">${screen.offer.areas.map(({ area, most }) => areaRow(area, most, screen.levels[area] ?? 'none'))}
  </div>
  <p class="actions">${button({ label: 'Allow access', kind: 'main', name: 'decision', value: 'approve' })}${denial}</p>
</form>`

/** A form of its own that changes nothing, so that Enter in the other one never presses its buttons. */
const presets = (screen: Screen): Html => html`
<form class="presets" method="get" action="/oauth/consent" aria-label="Set every area">
  ${carried(screen)}<span>Set all to</span>
  ${button({ label: 'None', name: 'all', value: 'none' })}
  ${button({ label: 'View', name: 'all', value: 'view' })}
  ${button({ label: 'All I may give', name: 'all', value: 'most' })}
</form>`

const carried = ({ interaction, offer }: Screen): Html => html`<input type="hidden" name="authorization_id" value="${interaction.id}">
  <input type="hidden" name="company" value="${offer.tenant.id}">`

const areaRow = (area: Area, most: Level, chosen: Level): Html => (most === 'none' ? html`
<div class="choice">
  <div class="choice-about"><p class="choice-label">${area}</p><p class="help">${COVERS[area]}</p></div>
  <p class="fixed">None: not yours to give</p>
</div>` : radioGroup({
  name: fieldOf(area), label: area, help: COVERS[area], chosen,
  choices: LEVELS.slice(0, LEVELS.indexOf(most) + 1).map((level) => ({ value: level, label: LABELS[level] })),
}))

const nothingToGive = (screen: Screen): Html => html`
${notice({
  kind: 'warning', title: 'You have nothing to give here',
  says: `Either you have no permissions yourself in ${screen.offer.tenant.name}, or this app was registered for none of them. You can connect it, but it will see and change nothing.`,
})}
<form class="form" method="post" action="/oauth/consent">
  ${carried(screen)}
  <p class="actions">${button({ label: 'Connect without access', kind: 'main', name: 'decision', value: 'approve' })}${denial}</p>
</form>`

const denial = button({ label: 'Deny', name: 'decision', value: 'deny' })

/** Whether this member has nothing that could be given to this client. */
export const isEmpty = ({ areas }: Offer): boolean => areas.every(({ most }) => most === 'none')
