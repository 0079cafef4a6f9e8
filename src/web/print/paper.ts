import type { Company } from '../../access/companies/company.ts'
import { html, when, type Html } from '../../html/html.ts'
import { linesHtml, totalsHtml } from '../../screens/document.ts'
import { written } from '../../screens/parts.ts'
import { localAddress } from '../../screens/reach.ts'
import type { Paper } from './papers.ts'

/** Draws the sheet: who sends it and to whom, what it is for, what it comes to. */
export const paperHtml = (paper: Paper, company: Company, contact: string | undefined): Html => html`
<article class="paper">
  <header class="paper-head">
    <div class="paper-from">
      <p class="paper-company">${company.name}</p>${[company.address, company.phone, company.email].map((line) =>
        when(
          line,
          (line) => html`
      <p class="written">${line}</p>`,
        ),
      )}
    </div>
    <div class="paper-what">
      <h1>${paper.kind} <span>${paper.number}</span></h1>${when(
        paper.mark,
        (mark) => html`
      <p class="paper-mark">${mark}</p>`,
      )}
    </div>
  </header>
  <div class="paper-about">
    <section>
      <h2>For</h2>
      <p><b>${paper.customer_name}</b></p>${
        contact === undefined || contact === paper.customer_name
          ? ''
          : html`
      <p>${contact}</p>`
      }${when(
        paper.address,
        (address) => html`
      <p class="written">${addressLines(localAddress(address, company.country))}</p>`,
      )}
    </section>
    <dl>${paper.facts.map(
      ([label, value]) => html`
      <div><dt>${label}</dt><dd>${value}</dd></div>`,
    )}
    </dl>
  </div>${when(
    paper.title,
    (title) => html`
  <p class="paper-title">${title}</p>`,
  )}
  ${when(paper.message, (message) => written(message))}
  ${linesHtml(paper.totals.line_items, paper.currency, 'paper-lines')}
  <div class="paper-sum">${totalsHtml(paper.totals, paper.currency, paper.settled)}${when(
    paper.tax_exempt,
    () => html`
    <p class="help">The customer is exempt from tax.</p>`,
  )}
  </div>${when(
    paper.terms,
    (terms) => html`
  <section class="paper-terms"><h2>Terms</h2>${written(terms)}</section>`,
  )}${when(
    company.document_footer,
    (document_footer) => html`
  <footer class="paper-foot">${written(document_footer)}</footer>`,
  )}
</article>`

/** Splits an address, kept as one line, into street and town. */
const addressLines = (address: string): string => address.replace(', ', '\n')
