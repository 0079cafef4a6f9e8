import { assetAddress } from '../http/assets.ts'
import { say } from '../i18n/say.ts'
import { attribute, html, when, type Html } from './html.ts'

export type Icon =
  | 'today'
  | 'schedule'
  | 'customers'
  | 'work'
  | 'money'
  | 'messages'
  | 'catalog'
  | 'settings'
  | 'assistant'
  | 'search'
  | 'new'
  | 'more'
  | 'pen'
  | 'done'
  | 'back'
  | 'note'
  | 'phone'
  | 'way'
  | 'clock'
  | 'camera'

/** Menu entry. `g`, then `key`, opens it. `isNew` marks a count of unseen items. */
export type ShellEntry = {
  label: string
  href: string
  icon: Icon
  isHere: boolean
  key?: string | undefined
  count?: { number: number; label: string; isNew?: boolean } | undefined
  /** Pages within, shown if one of them is open. */
  within: readonly ShellLink[]
}

export type ShellLink = { label: string; href: string; isHere: boolean }

/** Header and menus of every page of a company. */
export type Shell = {
  company: { name: string; href: string }
  person: { id: string; name: string }
  /** Entries used all day; `below` has those set up once. */
  entries: readonly ShellEntry[]
  below: readonly ShellEntry[]
  /** Links that create records. */
  createLinks: readonly { label: string; href: string }[]
  /** Links to the signed-in person's own pages. */
  personLinks: readonly { label: string; href: string }[]
  search: { action: string; query: string }
  /** Page of the assistant and the URL of its panel, if it is available. */
  assistant?: { href: string; panel: string }
  /** Page that lists keyboard shortcuts. `areOn` is true if this person has turned them on. */
  keys: { href: string; areOn: boolean }
}

/** Number of entries in the bottom bar on a phone. */
const MAX_DOCKED = 5

/** Draws a decorative icon; the text beside it carries the meaning. */
export const icon = (name: Icon): Html =>
  html`<svg class="icon" aria-hidden="true"><use href="${assetAddress('icons.svg')}#${name}"/></svg>`

const brandLink = ({ name, href }: Shell['company']): Html =>
  html`<a class="brand" href="${href}" title="${name}"><img src="${assetAddress('icon.svg')}" alt="Callout" width="30"
  height="30"><span class="bar-company">${name}</span></a>`

/** Draws the bar above every page of a company: search, new records, and the signed-in person. */
export const shellBar = ({ company, person, createLinks, personLinks, search, assistant, keys }: Shell): Html => html`
<header class="bar shell-bar" data-keys="${keys.areOn ? keys.href : ''}">
  ${brandLink(company)}
  <form class="search" role="search" action="${search.action}">
    <label class="unseen" for="search">${say`Search`}</label>
    ${icon('search')}<input id="search" name="q" type="search" value="${search.query}"
      placeholder="${say`Name, phone, address, number`}" maxlength="200" autocomplete="off" spellcheck="false"
      data-results="${search.action}/results" data-here="${say`On this page`}" data-recent="${say`Recent`}"
      aria-keyshortcuts="Control+K"><kbd class="search-hint" aria-hidden="true">Ctrl K</kbd>
    <div class="found" id="found" role="listbox" aria-label="${say`Results`}" hidden></div>
  </form>
  <a class="button quiet search-link" href="${search.action}">${icon(
    'search',
  )}<span class="unseen">${say`Search`}</span></a>${when(
    createLinks.length > 0,
    () => html`
  <button class="button make" type="button" popovertarget="makes">${icon('new')}<span>${say`New`}</span></button>
  <ul class="drop" id="makes" popover>${createLinks.map(
    ({ label, href }) => html`<li><a href="${href}">${label}</a></li>`,
  )}</ul>`,
  )}
${when(assistant, assistantLink)}
  <button class="button quiet self" type="button" popovertarget="self"><span
    aria-hidden="true">${initials(person.name)}</span><span class="unseen">${say`You`}</span></button>
  <div class="drop" id="self" popover>
    <p><b>${person.name}</b><span class="help">${company.name}</span></p>
    <ul>${personLinks.map(({ label, href }) => html`<li><a href="${href}">${label}</a></li>`)}</ul>
    <form method="post" action="/sign-out"><button>${say`Sign out`}</button></form>
  </div>
</header>`

type AssistantPages = NonNullable<Shell['assistant']>

/** Draws the link to the assistant. A script opens it beside the page instead, with its own script and styles. */
const assistantLink = ({ href, panel }: AssistantPages): Html => html`
  <a class="button quiet assistant-link" href="${href}" data-panel="${panel}" data-script="${assetAddress(
    'assistant.js',
  )}" data-styles="${assetAddress('proposals.css')} ${assetAddress('assistant.css')}" aria-keyshortcuts="Control+J"
    title="${say`Assistant (Ctrl+J)`}">${icon('assistant')}<span class="unseen">${say`Assistant`}</span></a>`

/** Draws the assistant's tab in a phone's bottom bar, which works like the link. */
const assistantTab = ({ href }: AssistantPages): Html =>
  html`<li><a href="${href}" data-assistant>${icon('assistant')}<span>${say`Assistant`}</span></a></li>`

/** Draws the menu as a column beside the page, or on a phone as an overlay that the bottom bar opens. */
export const shellMenu = ({ entries, below, assistant }: Shell): Html => html`
<nav class="rail" id="menu" popover aria-label="${say`Company`}">
  <button class="button quiet menu-close" type="button" popovertarget="menu"
    popovertargetaction="hide">${say`Close`}</button>
  <ul>${entries.map(entryHtml)}
  </ul>
  <ul class="below">${below.map(entryHtml)}
  </ul>
</nav>
<nav class="dock" aria-label="${say`Main`}">
  <ul>${dockItems(entries, dockSize(assistant))}${when(assistant, assistantTab)}<li>${moreButton(
    entries.slice(dockSize(assistant)),
  )}</li></ul>
</nav>`

/** Draws the button for the entries that are not in the dock, with their counts. */
const moreButton = (entries: readonly ShellEntry[]): Html =>
  html`<button type="button" popovertarget="menu">${icon('more')}<span>${say`More`}</span>${entries.map(({ count }) =>
    countHtml(count),
  )}</button>`

/** Returns the number of entries in a phone's bottom bar besides the assistant's tab. */
const dockSize = (assistant: Shell['assistant']): number => (assistant === undefined ? MAX_DOCKED : MAX_DOCKED - 1)

const dockItems = (entries: readonly ShellEntry[], count: number): Html[] =>
  entries.slice(0, count).map((entry) => html`<li>${linkHtml(entry, isInside(entry))}</li>`)

const entryHtml = (entry: ShellEntry): Html => html`
    <li${attribute('class', isInside(entry), 'inside')}>${linkHtml(entry, entry.isHere)}${when(
      entry.within.length > 0,
      () =>
        html`<ul>${entry.within.map(
          ({ label, href, isHere }) =>
            html`<li><a href="${href}"${attribute('aria-current', isHere, 'page')}>${label}</a></li>`,
        )}</ul>`,
    )}</li>`

const linkHtml = ({ label, href, icon: name, count, key }: ShellEntry, isHere: boolean): Html =>
  html`<a href="${href}"${when(key, (key) => html` data-key="${key}"`)}${attribute('aria-current', isHere, 'page')}
    >${icon(name)}<span>${label}</span>${countHtml(count)}</a>`

const countHtml = (count: ShellEntry['count']): Html | '' =>
  when(
    count,
    ({ number, label, isNew = false }) =>
      html` <b class="count${isNew ? ' new' : ''}"><span aria-hidden="true">${
        number > 99 ? '99+' : number
      }</span><span class="unseen">${label}</span></b>`,
  )

const isInside = ({ isHere, within }: ShellEntry): boolean => isHere || within.some((link) => link.isHere)

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 2)
    .map(([letter = '']) => letter.toUpperCase())
    .join('')
