import type { Company } from '../../identity/companies/company.ts'
import type { HttpAnswer } from '../../platform/errors/http_refusal.ts'
import { responseOf } from '../../platform/http/answer.ts'
import { assetAddress } from '../../platform/http/assets.ts'
import { pageHeaders } from '../../platform/http/headers.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { typefaceLink } from '../../platform/html/layout.ts'
import { currentReader } from '../../platform/i18n/reader.ts'
import { say } from '../../platform/i18n/say.ts'
import { phone as formatPhone } from '../../records/format/formats.ts'
import { mailLink } from '../../records/page/contact_links.ts'
import { parsePhoneQuery } from '../../platform/validation/formats/phone.ts'
import { flashMessageHtml, type FlashMessage } from '../flash_message.ts'

/** Company of the page. A page that belongs to no link names none. */
type Letterhead = Pick<Company, 'name' | 'phone' | 'email' | 'country'>

type PortalPage = {
  title: string
  body: Html
  from?: Letterhead | undefined
  flashMessage?: FlashMessage | undefined
  /** First page of the link, for the pages below it. */
  back?: string | undefined
  scripts?: readonly string[]
  status?: number
  /** True if its form leads to the payment provider. */
  leavesSite?: boolean
  /** Origins of sites that may embed it in a frame. */
  framedBy?: readonly string[]
  styles?: readonly string[]
  headers?: Readonly<Record<string, string>>
}

/** Answers a page of a customer link. It sends no referrer, and is neither indexed by search engines nor cached. */
export const customerPage = (page: PortalPage): Response => responseOf(customerAnswer(page))

/** Answers a page with only a message. */
export const customerNotice = ({ lead, ...page }: Omit<PortalPage, 'body'> & { lead: string }): Response =>
  customerPage({
    ...page,
    body: html`
<section class="ticket">
  <h1>${page.title}</h1>
  <p class="lead">${lead}</p>
</section>`,
  })

export const customerAnswer = ({
  status = 200,
  leavesSite = false,
  framedBy = [],
  headers = {},
  ...page
}: PortalPage): HttpAnswer => ({
  status,
  headers: { ...pageHeaders({ leavesSite, framedBy }), ...LINK_HEADERS, ...headers },
  body: renderPage(page).toString(),
})

/** Headers of every response under a link. */
export const LINK_HEADERS = {
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
  'Cache-Control': 'no-store',
}

const renderPage = ({
  title,
  body,
  from,
  flashMessage,
  back,
  scripts = [],
  styles = [],
}: PortalPage): Html => html`<!doctype html>
<html lang="${currentReader().language}">
<head>
<meta charset="utf-8">
<title>${from === undefined ? title : `${title} · ${from.name}`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow, noarchive">
<meta name="referrer" content="no-referrer">
<link rel="icon" type="image/svg+xml" href="${assetAddress('icon.svg')}">
${typefaceLink()}${['app.css', 'paperwork.css', 'paper.css', 'customer.css', ...styles].map(
  (name) => html`
<link rel="stylesheet" href="${assetAddress(name)}">`,
)}${scripts.map(
  (name) => html`
<script type="module" src="${assetAddress(name)}"></script>`,
)}
</head>
<body class="customer">
<a class="skip" href="#main">${say`Skip to the content`}</a>${when(from, letterhead)}
<main id="main" class="wide">${when(
  back,
  (back) => html`
<p><a href="${back}">${say`Back`}</a></p>`,
)}${when(flashMessage, flashMessageHtml)}
${body}
</main>
</body>
</html>
`

/** Draws the company's name, with its phone number and email. */
const letterhead = ({ name, phone, email, country }: Letterhead): Html => html`
<header class="letterhead">
  <p class="letterhead-name">${name}</p>
  <p class="letterhead-reach">${when(phone, (phone) => callButton(phone, country))}${when(email, mailLink)}</p>
</header>`

function callButton(phone: string, country: string): Html {
  const number = parsePhoneQuery(phone, country)
  return number === undefined
    ? html`<span>${phone}</span>`
    : html`<a class="button quiet call" href="tel:${number}">${say`Call ${formatPhone(number)}`}</a>`
}
