import { hidden } from '../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { day, hours, phone, time } from '../../records/format/formats.ts'
import { recordLink } from '../../records/page/links.ts'
import { statusTag, multilineText } from '../../records/page/parts.ts'
import { localAddress } from '../../records/page/contact_links.ts'
import { newId } from '../../platform/validation/id.ts'
import { nextStatus, type OwnVisit } from '../../records/jobs/index.ts'
import type { MemberContext } from '../member_context.ts'
import { directionsTo } from './directions.ts'
import { stepLabel } from './visit_steps.ts'

/** Data to render a visit's card: the context, the browser, and today's date. */
type CardContext = { context: MemberContext; today: string; browser: string | undefined }

/** Renders a visit for its technician: when, where, how to reach the customer, and the next step. */
export function visitCard(cardContext: CardContext, visit: OwnVisit): Html {
  const { context } = cardContext
  const isDone = visit.status === 'done'
  return html`
<li class="own-visit ${visit.status}" id="v-${visit.id}">
  <div class="own-head"><p class="own-time">${timeOf(cardContext, visit)}</p>${statusTag(visit.status, 'visit')}</div>
  <h3>${recordLink(context, 'jobs', visit.id, visit.title)}</h3>
  <p class="own-for">${
    context.may('read:customers')
      ? recordLink(context, 'customers', visit.customer_id, visit.customer_name)
      : visit.customer_name
  }${when(visit.location_address, (address) => html`<br>${localAddress(address, context.company.country)}`)}</p>
  ${contactLinks(cardContext, visit)}${when(
    isDone ? null : visit.access_notes,
    (notes) => html`
  <div class="own-note"><b>${say`Access notes`}</b>${multilineText(notes)}</div>`,
  )}${when(
    isDone ? null : visit.instructions,
    (notes) => html`
  <div class="own-note"><b>${say`Notes for the technicians`}</b>${multilineText(notes)}</div>`,
  )}${when(context.may('write:jobs'), () => html`${stepHtml(context, visit)}${addFormsHtml(context, visit)}`)}
</li>`
}

function timeOf({ context, today }: CardContext, visit: OwnVisit): string {
  const { scheduled_start, scheduled_end, all_day, arrival_window_minutes: window } = visit
  const { timezone } = context.company
  if (scheduled_start === null || scheduled_end === null) return say`Any time`
  const startDay = Temporal.Instant.from(scheduled_start).toZonedDateTimeISO(timezone).toPlainDate().toString()
  if (startDay !== today) return say`Since ${day(startDay)}`
  if (all_day) return say`Any time`
  if (window === 0) return `${time(scheduled_start, timezone)} – ${time(scheduled_end, timezone)}`
  const until = Temporal.Instant.from(scheduled_start).add({ minutes: window }).toString()
  return say`Arrival ${hours(scheduled_start, until, timezone)}`
}

const contactLinks = (
  { context, browser }: CardContext,
  { phone: number, phone_extension, sms_opt_out, location_address }: OwnVisit,
): Html => html`
  <p class="own-reach">${when(number, (number) => phoneButton(number, phone_extension))}${when(
    sms_opt_out ? null : number,
    (number) => html`<a class="button plain" href="sms:${number}">${sayFor('action')`Text`}</a>`,
  )}${when(
    location_address,
    (address) =>
      html`<a class="button plain"
        href="${directionsTo(localAddress(address, context.company.country), browser)}"
        rel="noreferrer">${say`Directions`}</a>`,
  )}</p>`

const phoneButton = (number: string, extension: string | null): Html =>
  html`<a class="button plain" href="tel:${number}${
    extension === null ? '' : `;ext=${extension}`
  }">${say`Call`}<span class="unseen"> ${phone(number)}</span></a>`

const stepHtml = (context: MemberContext, visit: OwnVisit): Html | '' =>
  when(
    nextStatus(visit.status),
    (to) => html`
  <form class="own-step" method="post" action="${context.path('today', visit.id)}">${hidden(
    'to',
    to,
  )}<button class="button main">${stepLabel(to)}</button></form>`,
  )

const addFormsHtml = (context: MemberContext, visit: OwnVisit): Html => html`
  <div class="own-adds">
    <form class="photo-form" method="post" action="${context.path('jobs', visit.id, 'media')}"
      enctype="multipart/form-data">
      <label class="button plain">${
        visit.files === 0 ? say`Add photo` : say`Add photo (${visit.files})`
      }<input class="photo" type="file" name="files" accept="image/*" capture="environment"></label>
      ${hidden(
        'back',
        `${context.path()}#v-${visit.id}`,
      )}<button class="button plain photo-send">${say`Upload`}</button>
    </form>
    <details><summary class="button plain">${
      visit.lines === 0 ? say`Add part` : say`Add part (${visit.lines})`
    }</summary>
      <form class="part-form" method="post" action="${context.path('today', visit.id)}">${hidden(
        'idempotency_key',
        newId(),
      )}
        <label>${say`Part or service`}<input name="part" list="parts" maxlength="200" autocomplete="off"
          required></label>
        <label class="part-count">${say`Quantity`}<input name="quantity" inputmode="decimal" value="1"></label>
        <button class="button plain">${say`Add`}</button>
      </form></details>
    <details><summary class="button plain">${say`Add note`}</summary>
      <form class="note-form" method="post" action="${context.path('today', visit.id)}">
        <label>${say`Note`}<textarea name="note" rows="2" required></textarea></label>
        <button class="button plain">${say`Save`}</button>
      </form></details>
    <a class="button plain" href="${context.path('jobs', visit.id, 'print')}">${say`Work order`}</a>
  </div>`
