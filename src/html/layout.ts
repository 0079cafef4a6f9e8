import { assetAddress } from './assets.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'

export type Sheet = {
  title: string
  body: Html
  /** Who is signed in; shown with the way out. */
  person?: { name: string } | undefined
  /** The company whose pages these are. */
  company?: { id: string; name: string } | undefined
  /** A page of one form or message. */
  isNarrow?: boolean
  /** For the head: where the browser goes on by itself. */
  goesOn?: string
}

/** The frame of every page. */
export const layout = ({ title, body, person, company, isNarrow = false, goesOn }: Sheet): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Callout</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#12403f">${goesOn === undefined ? '' : html`
<meta http-equiv="refresh" content="0; url=${goesOn}">`}
<link rel="icon" type="image/svg+xml" href="${assetAddress('icon.svg')}">
<link rel="stylesheet" href="${assetAddress('app.css')}">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
  <a class="brand" href="/"><img src="${assetAddress('icon.svg')}" alt="" width="30" height="30">Callout</a>${company === undefined ? '' : html`
  <a class="bar-company" href="/${company.id}">${company.name}</a>`}${person === undefined ? '' : html`
  <form class="bar-person" method="post" action="/sign-out">
    <span class="bar-name">${person.name}</span>
    <button class="button quiet">Sign out</button>
  </form>`}
</header>
<main id="main" class="${isNarrow ? 'narrow' : 'wide'}">
${body}
</main>
</body>
</html>
`
