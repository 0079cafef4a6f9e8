import { html, when, type Html } from '../../../platform/html/html.ts'

/** Look of an email: the company's branding, and the facts and action of its subject record. */
export type MailLook = {
  language: string
  company: { name: string; address: string | null; phone: string | null }
  logo: { type: string; content: Uint8Array } | null
  /** Amount and date of the document, formatted for the reader. */
  facts: readonly { label: string; value: string }[]
  /** Label of the button that replaces a link on its own line; null shows the link itself. */
  action: string | null
  /** Label of the unsubscribe link of reminders. */
  unsubscribeLabel: string
}

/** Returns the look of an email about no document. */
export const plainLook = (name: string, language = 'en'): MailLook => ({
  language,
  company: { name, address: null, phone: null },
  logo: null,
  facts: [],
  action: null,
  unsubscribeLabel: '',
})

/** Content id of the logo in its email. */
export const LOGO_ID = 'logo@mail'

/** Renders an email's text in the company's look; it also works in dark mode and without images. */
export const mailHtml = (subject: string, text: string, look: MailLook, unsubscribe: string | null): string => {
  const { language, company, logo, facts, action, unsubscribeLabel } = look
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; padding: 24px 12px; background: #f4f5f7; color: #1d2330;
  font: 16px/1.55 -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif }
.card { max-width: 560px; margin: 0 auto; padding: 32px; background: #ffffff;
  border: 1px solid #e1e4ea; border-radius: 10px }
.from { margin: 0 0 24px; font-size: 18px; font-weight: 600 }
.from img { max-height: 56px; max-width: 220px; background: #ffffff; color: #1d2330; border-radius: 6px }
.facts { width: 100%; border-spacing: 0; margin: 0 0 24px; padding: 16px 0;
  border-top: 1px solid #e1e4ea; border-bottom: 1px solid #e1e4ea }
.facts td { padding: 0 16px 0 0; font-size: 13px; color: #5b6475 }
.facts b { display: block; font-size: 22px; line-height: 1.4; color: #1d2330 }
.whole { white-space: nowrap }
p { margin: 0 0 16px; overflow-wrap: anywhere }
a { color: #1757b8 }
a.button { display: inline-block; padding: 12px 22px; background: #1757b8; color: #ffffff;
  font-weight: 600; text-decoration: none; border-radius: 8px }
.foot a { color: inherit }
.foot { max-width: 560px; margin: 16px auto 0; padding: 0 32px; font-size: 13px; color: #5b6475 }
@media (max-width: 480px) { .card, .foot { padding-left: 20px; padding-right: 20px } }
@media (prefers-color-scheme: dark) {
  body { background: #12151b; color: #e8eaef }
  .card { background: #1b1f27; border-color: #323846 }
  .facts { border-color: #323846 }
  .facts b { color: #e8eaef }
  .facts td, .foot { color: #a6aebd }
  a { color: #8ab4f8 }
  a.button { background: #8ab4f8; color: #10141b }
}
</style></head>
<body>
<div class="card">
<p class="from">${logo === null ? company.name : html`<img src="cid:${LOGO_ID}" alt="${company.name}" height="56">`}</p>
${when(
  facts.length > 0,
  () =>
    html`<table class="facts" role="presentation"><tr>${facts.map(
      ({ label, value }) => html`<td>${label}<b>${value}</b></td>`,
    )}</tr></table>`,
)}
${text.split(/\n{2,}/).map(
  (
    part,
  ) => html`<p>${part.split('\n').map((line, i) => html`${i === 0 ? '' : html`<br>`}${lineHtml(line, action)}`)}</p>
`,
)}</div>
<div class="foot">${[company.name, company.address, company.phone]
    .filter((part) => part !== null)
    .map(
      (part) => html`${part}<br>`,
    )}${when(unsubscribe, (url) => html`<a href="${url}">${unsubscribeLabel}</a>`)}</div>
</body></html>`.toString()
}

const LINK = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'])/
const WHOLE_LINK = /^https?:\/\/[^\s<>"]+$/

/** Renders a line: a link on its own as a button, other links inline. */
const lineHtml = (line: string, action: string | null): Html | (string | Html)[] =>
  action !== null && WHOLE_LINK.test(line.trim())
    ? html`<a class="button" href="${line.trim()}">${action}</a>`
    : line
        .split(LINK)
        .flatMap((part, i) => (i % 2 === 1 ? html`<a href="${part}">${part}</a>` : keepNumbersWhole(part)))

/** Matches a document number, which must not wrap at its hyphen. */
const NUMBER = /\b(\p{L}[\p{L}\d]{0,9}-\d{1,12})\b/u

const keepNumbersWhole = (text: string): (string | Html)[] =>
  text.split(NUMBER).map((part, i) => (i % 2 === 1 ? html`<span class="whole">${part}</span>` : part))
