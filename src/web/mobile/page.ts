import { pageResponse } from '../../platform/http/answer.ts'
import { assetAddress } from '../../platform/http/assets.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { typefaceLink } from '../../platform/html/layout.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { languageOf, currentReader, withReader } from '../../platform/i18n/reader.ts'
import { say } from '../../platform/i18n/say.ts'
import { time } from '../../records/format/formats.ts'
import { statusTag } from '../../records/page/parts.ts'
import { localAddress } from '../../records/page/contact_links.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import type { OwnVisit } from '../../records/jobs/index.ts'
import { ownVisits } from '../today/own_visits.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import { fieldWords } from './words.ts'

/** Scripts that the page starts. */
export const ENTRY_SCRIPTS = ['field.js', 'signature.js'] as const

/** Scripts that those import, preloaded with them. */
export const PRELOADED_SCRIPTS = [
  'field_acting.js',
  'field_bill.js',
  'field_code.js',
  'field_drawing.js',
  'field_equipment.js',
  'field_forms.js',
  'field_inputs.js',
  'field_list.js',
  'field_money.js',
  'field_parts.js',
  'field_phone.js',
  'field_photo.js',
  'field_price.js',
  'field_offers.js',
  'field_option.js',
  'field_quotes.js',
  'field_sending.js',
  'field_setup.js',
  'field_shown.js',
  'field_signing.js',
  'field_store.js',
  'field_visit.js',
  'field_pictures.js',
  'field_saving.js',
  'field_updating.js',
  'field_waiting.js',
  'field_words.js',
  'patch.js',
  'push.js',
] as const

export const STYLES = ['app.css', 'field.css', 'schedule_pins.css'] as const

/** Shows the user's visits: with scripts, the day stored on the phone; without, a list of today. */
export async function showPhonePage(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  const today = todayIn(context.company.timezone).toString()
  const visits = context.may('read:jobs') ? await ownVisits(context, today) : []
  return pageResponse(phonePage(listHtml(context, visits)), { isInstalled: true })
}

/** Shows the empty page, which a phone stores for offline use. */
export const showShell = (request: PageRequest): Response => pageResponse(renderShell(request), { isInstalled: true })

/** Returns the empty page in the language that the phone requests. */
export const renderShell = (request: PageRequest): Html =>
  withReader(
    { language: languageOf(request.req.query('in') ?? request.req.header('accept-language')), country: 'US' },
    () => phonePage(html`<p class="empty">${say`Loading…`}</p>`),
  )

const phonePage = (list: Html): Html => html`<!doctype html>
<html lang="${currentReader().language}">
<head>
<meta charset="utf-8">
<title>${say`My visits`} · Callout</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#12403f">
<link rel="icon" type="image/svg+xml" href="${assetAddress('icon.svg')}">
<link rel="apple-touch-icon" href="${assetAddress('field_touch.png')}">
<link rel="manifest" href="/field/manifest.webmanifest">
${typefaceLink()}${STYLES.map(
  (name) => html`
<link rel="stylesheet" href="${assetAddress(name)}">`,
)}
${ENTRY_SCRIPTS.map(
  (name) => html`
<script type="module" src="${assetAddress(name)}"></script>`,
)}${PRELOADED_SCRIPTS.map(
  (name) => html`
<link rel="modulepreload" href="${assetAddress(name)}">`,
)}
</head>
<body class="field">
<a class="skip" href="#main">${say`Skip to the content`}</a>
<header class="bar field-bar">
  <a class="brand" id="home" href="#"><img src="${assetAddress('icon.svg')}" alt="" width="30"
    height="30">${say`My visits`}</a>
  <a class="field-state" id="state" href="#waiting" hidden></a>
</header>
<p class="field-told" id="told" role="status"></p>
<main id="main" class="wide" data-words="${JSON.stringify(fieldWords())}" data-icons="${assetAddress('icons.svg')}">
${list}
</main>
<dialog class="field-sheet" id="sheet" aria-labelledby="sheet-title"></dialog>
</body>
</html>
`

/** Renders today's visits for browsers without scripts, with links to their cards on Today. */
const listHtml = (context: MemberContext, visits: readonly OwnVisit[]): Html => html`
<h1>${say`Today`}</h1>${when(
  visits.length === 0,
  () => html`
<p class="empty">${say`No visits today.`}</p>`,
)}
<ol class="field-list">${visits.map(
  (visit) => html`
  <li><a class="field-card ${visit.status}" href="${context.path()}#v-${visit.id}">
    <span class="field-head"><b class="field-time">${timeOf(context, visit)}</b>${statusTag(
      visit.status,
      'visit',
    )}</span>
    <b class="field-title">${visit.title}</b>
    <span>${visit.customer_name}</span>${when(
      visit.location_address,
      (address) => html`
    <span class="field-soft">${localAddress(address, context.company.country)}</span>`,
    )}
  </a></li>`,
)}
</ol>
<p class="actions"><a class="button plain" href="${context.path()}">${say`Today`}</a></p>`

const timeOf = ({ company }: MemberContext, { scheduled_start, all_day }: OwnVisit): string =>
  scheduled_start === null || all_day ? say`Any time` : time(scheduled_start, company.timezone)
