import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { raw } from 'hono/html'
import { html } from '../../platform/html/html.ts'
import type { ToolDescription } from '../../tools/declare/catalog.ts'
import type { Fields } from '../protocol/jsonrpc.ts'
import type { Reply } from '../protocol/types.ts'

/** Extension by which hosts draw results (docs/spec/tools.md#cards). */
export const CARDS_EXTENSION = 'io.modelcontextprotocol/ui'

const START = 'ui://callout/'
const mimeType = 'text/html;profile=mcp-app'

/** Tools whose results each card draws. */
const CARDS: Readonly<Record<string, readonly string[]>> = {
  day: ['jobs_list'],
  quote: ['quotes_get', 'quotes_create', 'quotes_update'],
  invoice: ['invoices_get', 'invoices_create', 'invoices_update'],
  approval: [],
}

/** Card of a call that waits for approval. The cards of documents draw such calls too. */
const APPROVAL = 'approval'

const TOOLS = new Map(Object.entries(CARDS).flatMap(([card, tools]) => tools.map((tool) => [tool, card] as const)))

type CardDescription = ToolDescription & { _meta?: Fields }

/** Adds the card that draws the tool's results. The card itself may not call the tool. */
export const withCard = (description: ToolDescription): CardDescription =>
  withCardUri(TOOLS.get(description.name), description)

/** Does the same for a tool whose calls wait for approval. */
export const withWaitingCard = (description: ToolDescription): CardDescription =>
  withCardUri(TOOLS.get(description.name) ?? APPROVAL, description)

const withCardUri = (card: string | undefined, description: ToolDescription): CardDescription =>
  card === undefined
    ? description
    : { ...description, _meta: { ui: { resourceUri: START + card, visibility: ['model'] } } }

/** Returns the card at a URI, or undefined. */
export function cardAt(uri: string): Reply | undefined {
  const name = uri.startsWith(START) ? uri.slice(START.length) : ''
  if (!Object.hasOwn(CARDS, name)) return undefined
  const none: string[] = []
  const csp = { connectDomains: none, resourceDomains: none, frameDomains: none, baseUriDomains: none }
  const text = cardPage(name)
  return { result: { contents: [{ uri, mimeType, text, _meta: { ui: { csp, prefersBorder: true } } }] } }
}

const asset = (name: string): string => readFileSync(new URL(`../../../public/cards/${name}`, import.meta.url), 'utf8')
const [STYLE, SCRIPT] = [asset('card.css'), asset('card.js')]
const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Content security policy: a card runs only its own script and style, and loads nothing. */
const POLICY =
  `default-src 'none'; script-src ${digest(SCRIPT)}; style-src ${digest(STYLE)}; ` +
  `base-uri 'none'; form-action 'none'`

const cardPage = (name: string): string =>
  html`<!doctype html>
<html lang="en" data-card="${name}">
<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width"><title>Callout</title>
<style>${raw(STYLE)}</style></head>
<body><main></main><script type="module">${raw(SCRIPT)}</script></body></html>`.toString()
