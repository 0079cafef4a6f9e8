import { html, type Html } from '../../platform/html/html.ts'

/**
 * Renders the model's text: paragraphs, lists, bold, code, and links to our own pages. A link to another site stays
 * plain text, since it may come from a customer's message.
 */
export const proseHtml = (text: string, origin: string): Html =>
  html`${blocksOf(text).map((block) => blockHtml(block, origin))}`

type Block = { kind: 'paragraph' | 'bullets' | 'numbers' | 'heading'; lines: string[] }

const BULLET = /^\s*[-*•]\s+/
const NUMBER = /^\s*\d{1,3}[.)]\s+/
const HEADING = /^#{1,6}\s+/

/** Splits a text into blocks, at blank lines and by line prefixes. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let isNewBlock = true
  for (const line of text.split('\n')) {
    if (line.trim() === '') {
      isNewBlock = true
      continue
    }
    const [kind, content] = kindOf(line)
    const last = blocks.at(-1)
    if (last !== undefined && last.kind === kind && !(isNewBlock && kind === 'paragraph') && kind !== 'heading')
      last.lines.push(content)
    else blocks.push({ kind, lines: [content] })
    isNewBlock = false
  }
  return blocks
}

function kindOf(line: string): [Block['kind'], string] {
  if (HEADING.test(line)) return ['heading', line.replace(HEADING, '')]
  if (BULLET.test(line)) return ['bullets', line.replace(BULLET, '')]
  if (NUMBER.test(line)) return ['numbers', line.replace(NUMBER, '')]
  return ['paragraph', line]
}

function blockHtml({ kind, lines }: Block, origin: string): Html {
  const items = lines.map((line) => inlineHtml(line, origin))
  switch (kind) {
    case 'bullets':
      return html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`
    case 'numbers':
      return html`<ol>${items.map((item) => html`<li>${item}</li>`)}</ol>`
    case 'heading':
      return html`<p><b>${items}</b></p>`
    case 'paragraph':
      return html`<p>${items.map((item, i) => (i === 0 ? item : html`<br>${item}`))}</p>`
  }
}

/** Matches bold, code, a link, and a bare URL. */
const INLINE =
  /\*\*([^*\n]{1,400})\*\*|`([^`\n]{1,400})`|\[([^\][\n]{1,200})\]\(([^\s()]{1,500})\)|(https?:\/\/[^\s<>()]{1,500})/g

function inlineHtml(line: string, origin: string): Html {
  const parts: (Html | string)[] = []
  let index = 0
  for (const match of line.matchAll(INLINE)) {
    parts.push(line.slice(index, match.index))
    const [whole, bold, code, label, href, url] = match
    if (bold !== undefined) parts.push(html`<b>${bold}</b>`)
    else if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else parts.push(linkHtml(label ?? url ?? '', href ?? url ?? '', whole, origin))
    index = match.index + whole.length
  }
  parts.push(line.slice(index))
  return html`${parts}`
}

function linkHtml(label: string, href: string, whole: string, origin: string): Html | string {
  const path = ownPathOf(href.replace(/[.,;:!?]+$/, ''), origin)
  return path === undefined ? whole : html`<a href="${path}">${label}</a>`
}

/** Returns the path of a URL on our own site; undefined for any other. */
function ownPathOf(href: string, origin: string): string | undefined {
  const url = URL.parse(href, origin)
  if (url === null || url.origin !== new URL(origin).origin || !/^(?:\/(?!\/)|https?:)/.test(href)) return undefined
  return url.pathname + url.search
}
