import { assetAddress, typefaceAddress } from '../http/assets.ts'
import { currentReader } from '../i18n/reader.ts'
import { say } from '../i18n/say.ts'
import { attribute, html, when, type Html } from './html.ts'
import { shellBar, shellMenu, type Shell } from './shell.ts'

type PageLayout = {
  title: string
  body: Html
  /** Signed-in person, shown with the sign-out button. */
  person?: { name: string } | undefined
  /** Company that the pages belong to. */
  company?: { id: string; name: string } | undefined
  /** Other pages of the same kind, in groups. */
  menuGroups?: readonly (readonly MenuItem[])[] | undefined
  /** Navigation around a company's pages. */
  shell?: Shell | undefined
  /** Width of the body: narrow for one form or message, wide for text, full for a board. */
  width?: 'narrow' | 'wide' | 'full'
  isNarrow?: boolean
  /** URL that the browser is redirected to. */
  redirectTo?: string
  /** Seconds until a page about work in progress reloads; a script follows its stream instead (web/follow_page.ts). */
  refreshes?: number
  /** Whether the page is only a board, without the styles for forms, tables and records. */
  isBoard?: boolean
  /** Stylesheets in `public/` that this page needs besides the common one. */
  styles?: readonly string[]
  /** Scripts in `public/` that enhance the page; it works without them. */
  scripts?: readonly string[]
}

type MenuItem = { label: string; href: string; isHere: boolean }

/** Draws the frame of every page. */
export const layout = (page: PageLayout): Html => html`<!doctype html>
<html lang="${currentReader().language}">
<head>
<meta charset="utf-8">
<title>${page.title} · Callout</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#0f5452">${when(
  page.redirectTo,
  (redirectTo) => html`
<meta http-equiv="refresh" content="0; url=${redirectTo}">`,
)}${when(
  page.refreshes,
  (refreshes) => html`
<noscript><meta http-equiv="refresh" content="${refreshes}"></noscript>`,
)}
<link rel="icon" type="image/svg+xml" href="${assetAddress('icon.svg')}">
${typefaceLink()}
<link rel="stylesheet" href="${assetAddress('app.css')}">${stylesOf(page).map(
  (name) => html`
<link rel="stylesheet" href="${assetAddress(name)}">`,
)}${scriptsOf(page).map(
  (name) => html`
<script type="module" src="${assetAddress(name)}"></script>`,
)}
</head>
<body>
<a class="skip" href="#main">${say`Skip to the content`}</a>
${page.shell === undefined ? bar(page) : shellBar(page.shell)}
${
  page.shell === undefined && page.menuGroups === undefined
    ? main(page)
    : html`
<div class="workplace">
${page.shell === undefined ? menu(page.menuGroups ?? []) : shellMenu(page.shell)}
${main(page)}
</div>`
}${when(keepsDrafts(page), () => draftNotice(page.shell?.person.id ?? ''))}
</body>
</html>
`

/** Draws the link that preloads the typeface with the styles, so that the first text already uses it. */
export const typefaceLink = (): Html =>
  html`<link rel="preload" as="font" type="font/woff2" href="${typefaceAddress}" crossorigin>`

const stylesOf = ({ shell, isBoard = false, styles = [] }: PageLayout): readonly string[] => [
  ...(isBoard ? [] : ['paperwork.css']),
  ...(shell === undefined ? [] : ['shell.css']),
  ...styles,
]

const scriptsOf = ({ shell, isBoard = false, scripts = [], body, refreshes }: PageLayout): readonly string[] => [
  ...(shell === undefined ? [] : ['shell.js']),
  ...(shell === undefined || isBoard ? [] : ['form.js']),
  ...(shell === undefined && scripts.includes('form.js') ? ['drafts.js'] : []),
  ...(String(body).includes('type="password"') ? ['reveal.js'] : []),
  ...(refreshes === undefined ? [] : ['following.js']),
  ...scripts,
]

/** Checks whether a page may have forms that keep a draft. */
const keepsDrafts = (page: PageLayout): boolean => scriptsOf(page).includes('form.js')

/** Draws the notice over a form whose draft was restored (public/drafts.js). */
const draftNotice = (person: string): Html => html`
<template id="draft" data-person="${person.slice(-8)}">
<b>${say`Unsaved changes restored`}</b><button>${say`Discard draft`}</button></template>`

const bar = ({ person, company, menuGroups }: PageLayout): Html => html`
<header class="bar${menuGroups === undefined ? '' : ' bar-wide'}">${when(
  menuGroups !== undefined,
  () => html`
  <button class="button quiet menu-button" type="button" popovertarget="menu">${say`Menu`}</button>`,
)}
  <a class="brand" href="/"><img src="${assetAddress('icon.svg')}" alt="" width="30" height="30">Callout</a>${when(
    company,
    (company) => html`
  <a class="bar-company" href="/${company.id}">${company.name}</a>`,
  )}${when(
    person,
    (person) => html`
  <form class="bar-person" method="post" action="/sign-out">
    <span class="bar-name">${person.name}</span>
    <button class="button quiet">${say`Sign out`}</button>
  </form>`,
  )}
</header>`

/** Checks whether a page shows work in progress. */
export const isInProgress = (page: string): boolean => page.includes('<main id="main" data-follows')

const main = ({ body, isNarrow = false, width = isNarrow ? 'narrow' : 'wide', refreshes }: PageLayout): Html => html`
<main id="main"${attribute('data-follows', refreshes !== undefined)} class="${width}">
${body}
</main>`

/** Draws the menu as a column beside the page, or as an overlay on a phone. */
const menu = (groups: readonly (readonly MenuItem[])[]): Html => html`
<nav class="menu" id="menu" popover aria-label="${say`Company`}">
  <button class="button quiet menu-close" type="button" popovertarget="menu"
    popovertargetaction="hide">${say`Close`}</button>${groups.map(
      (group) => html`
  <ul>${group.map(
    ({ label, href, isHere }) => html`
    <li><a href="${href}"${attribute('aria-current', isHere, 'page')}>${label}</a></li>`,
  )}
  </ul>`,
    )}
</nav>`
