import type { PdfDocumentData, PdfSignature } from '../../pdf/document.ts'
import { attribute, html, when, type Html } from '../../platform/html/html.ts'
import { multilineText } from '../../records/page/parts.ts'
import { drawingHtml } from '../customer_portal/quote/acceptance.ts'

/** Renders the document: sender, recipient, lines and totals. `logo` is the URL of the logo. */
export const documentHtml = (document: PdfDocumentData, logo: string): Html => html`
<article class="paper" lang="${document.locale}">
${headHtml(document, logo)}${when(
  document.headline,
  ({ amount, detail }) => html`
  <p class="paper-headline"><b>${amount}</b> ${detail}</p>`,
)}
  <div class="paper-about">${document.addressBlocks.map(
    ({ label, name, lines }) => html`
    <section>
      <h2>${label}</h2>${when(name, (name) => html`<p><b>${name}</b></p>`)}${lines.map(
        (line) => html`
      <p>${line}</p>`,
      )}
    </section>`,
  )}
    <dl>${document.facts.map(
      ({ label, value }) => html`
      <div><dt>${label}</dt><dd>${value}</dd></div>`,
    )}
    </dl>
  </div>${when(
    document.title,
    (title) => html`
  <p class="paper-title">${title}</p>`,
  )}
  ${when(document.message, (message) => multilineText(message))}
  ${tableHtml(document.table)}${sumsHtml(document)}${document.parts.map(
    ({ title, text }) => html`
  <section class="paper-terms"><h2>${title}</h2>${multilineText(text)}</section>`,
  )}${when(
    document.signature,
    ({ statement, blanks, signed }) => html`
  <section class="paper-sign"><p>${statement}</p>${when(signed, signatureRow)}
    <ul>${blanks.map((blank) => html`<li>${blank}</li>`)}</ul></section>`,
  )}${when(
    document.footer,
    (footer) => html`
  <footer class="paper-foot">${multilineText(footer)}</footer>`,
  )}
</article>`

/** Maximum size of a logo on a page, in pixels. */
const [MAX_LOGO_WIDTH, MAX_LOGO_HEIGHT] = [224, 80]

/** Returns the size of a logo before it loads, so that the layout doesn't shift. */
function logoSize({ width, height }: { width: number; height: number }): Html {
  const scale = Math.min(1, MAX_LOGO_WIDTH / width, MAX_LOGO_HEIGHT / height)
  return html`width="${Math.round(width * scale)}" height="${Math.round(height * scale)}"`
}

const headHtml = (document: PdfDocumentData, logo: string): Html => html`
  <header class="paper-head">
    <div class="paper-from">${when(
      document.from.logo,
      (size) => html`
      <img class="paper-logo" src="${logo}" alt="" ${logoSize(size)}>`,
    )}
      <p class="paper-company">${document.from.name}</p>
      <p class="written">${document.from.lines.join('\n')}</p>
    </div>
    <div class="paper-what">
      <h1>${document.name} <span>${document.number}</span></h1>${when(
        document.status,
        ({ text, look }) => html`
      <p class="paper-mark ${look}">${text}</p>`,
      )}
    </div>
  </header>`

/** Renders the totals; a work order has none. */
const sumsHtml = ({ sums, sumsNote }: PdfDocumentData): Html | '' =>
  when(
    sums.length > 0,
    () => html`
  <div class="paper-sum">
    <dl class="totals">${sums.map(
      ({ label, amount, look }) => html`
      <div class="${look}"><dt>${label}</dt><dd>${amount}</dd></div>`,
    )}
    </dl>${when(
      sumsNote,
      (remark) => html`
    <p class="help">${remark}</p>`,
    )}
  </div>`,
  )

/** Renders the signature row of a signed document. */
const signatureRow = ({ drawing, name, date }: PdfSignature): Html => html`
    <div class="paper-signed"><span>${when(drawing, (drawing) =>
      drawingHtml(name, drawing),
    )}</span><span>${name}</span><span>${date}</span></div>`

const tableHtml = ({ caption, headers, rows, empty }: PdfDocumentData['table']): Html =>
  rows.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`
<table class="paper-lines">
  <caption class="unseen">${caption}</caption>
  <thead>
    <tr>${headers.map((head, i) => html`<th scope="col"${attribute('class', i > 0, 'number')}>${head}</th>`)}</tr>
  </thead>
  <tbody>${rows.map(
    ({ name, description, cells }) => html`
    <tr>
      <td>${name}${when(
        description,
        (description) => html`<span class="help written">${description}</span>`,
      )}</td>${cells.map((cell) => html`<td class="number">${cell}</td>`)}</tr>`,
  )}
  </tbody>
</table>`
