import { convert } from 'html-to-text'

/** Maximum HTML length in bytes; the rest is dropped (docs/spec/messages.md#text-of-an-email). */
const MAX_BYTES = 2 ** 20
const MAX_DEPTH = 100

/** Maximum number of tags. Parsing time grows with the square of the nesting depth, which tags bound. */
const MAX_TAGS = 20_000

/** Returns the readable text of an HTML message: no images, no link addresses, no scripts. */
export function htmlToText(html: string): string {
  return convert(truncateHtml(html), {
    wordwrap: false,
    limits: { maxInputLength: MAX_BYTES, maxDepth: MAX_DEPTH, ellipsis: '…' },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { ignoreHref: true } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  }).trim()
}

function truncateHtml(html: string): string {
  const bytes = Buffer.from(html)
  const text = bytes.length > MAX_BYTES ? bytes.subarray(0, MAX_BYTES).toString() : html
  const tag = /<[a-z]/gi
  for (let count = 0; count < MAX_TAGS; count++) if (!tag.test(text)) return text
  return text.slice(0, tag.lastIndex - 2)
}
