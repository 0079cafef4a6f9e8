import { field } from '../../platform/html/parts/field.ts'
import { attribute, html, when, type Html } from '../../platform/html/html.ts'
import { sayHtml } from '../../platform/html/say_html.ts'
import { say } from '../../platform/i18n/say.ts'
import { day, money, phone } from '../../records/format/formats.ts'
import { recordLink } from '../../records/page/links.ts'
import { statusTag, multilineText, serviceWarning } from '../../records/page/parts.ts'
import { localAddress, phoneLink } from '../../records/page/contact_links.ts'
import { tagChips } from '../../records/page/tag_chip.ts'
import type { MemberContext } from '../member_context.ts'
import type { CallerMatch, CallerProfile } from './caller.ts'

type FieldErrors = ReadonlyMap<string, string>

/** Renders the caller section: a customer's profile, the candidates, or the fields of a new customer. */
export function callerPart(
  context: MemberContext,
  match: CallerMatch,
  form: URLSearchParams,
  errors: FieldErrors,
): Html {
  switch (match.kind) {
    case 'known':
      return html`<div id="caller" data-key="${match.known.customer.id}">${callerProfileHtml(
        context,
        match.known,
        form,
      )}</div>`
    case 'several':
      return html`<div id="caller" data-key="${match.rows.map(({ id }) => id).join()}">
  <p class="who-calls">${say`Is it one of these?`}</p>
  <ul class="callers">${match.rows.map(
    ({ id, display_name, primary_phone, primary_address }) => html`
    <li>${choiceButton(
      context,
      'customer_id',
      id,
      html`<b>${display_name}</b><span class="help">${[
        primary_phone === undefined ? '' : phone(primary_phone),
        primary_address === undefined ? '' : localAddress(primary_address, context.company.country),
      ]
        .filter(Boolean)
        .join(' · ')}</span>`,
    )}</li>`,
  )}
  </ul>${when(context.may('write:customers'), () => newCustomerHtml(form, errors))}</div>`
    case 'nobody':
      return html`<div id="caller" data-key="new">${
        context.may('write:customers')
          ? newCustomerHtml(form, errors)
          : html`<p class="help">${say`No matches. Ask someone who can add customers to book this call.`}</p>`
      }</div>`
  }
}

/** Renders a button that reloads the page with the current input and one choice made. */
const choiceButton = (context: MemberContext, name: string, value: string, label: Html): Html =>
  html`<button class="caller" formmethod="get"
    formaction="${context.path('calls', 'new')}" formnovalidate name="${name}" value="${value}">${label}</button>`

const newCustomerHtml = (form: URLSearchParams, errors: FieldErrors): Html => html`
  <p class="eyebrow">${say`New customer`}</p>
  ${field({ name: 'name', label: say`Name`, value: form.get('name') ?? '', error: errors.get('name') })}
  <div class="field tick"><label><input type="checkbox" name="is_company"
    value="yes"${attribute('checked', form.has('is_company'))}><span>${say`This is a company`}</span></label></div>
  ${field({ name: 'address', label: say`Address`, value: form.get('address') ?? '', error: errors.get('address') })}`

function callerProfileHtml(
  context: MemberContext,
  { customer, visits, quotes, notes }: CallerProfile,
  form: URLSearchParams,
): Html {
  const { id, display_name, tags, contacts, locations, do_not_service, counts } = customer
  const phoneContact = contacts.find(({ phone }) => phone !== null)
  return html`<input type="hidden" name="customer_id" value="${id}" data-draft>
  <div class="known">
    <p class="known-name">${recordLink(context, 'customers', id, display_name)}</p>
    <p class="reach">${when(phoneContact?.phone, (phone) => phoneLink(phone, phoneContact!.phone_extension))}${when(
      tags.length > 0,
      () => tagChips(tags),
    )}</p>${serviceWarning(do_not_service)}${notes.map(
      ({ excerpt }) => html`
    <div class="pinned">${multilineText(excerpt)}</div>`,
    )}
    ${locationsHtml(
      context,
      locations.filter(({ type }) => type === 'service'),
      form,
    )}
    ${openWorkHtml(context, id, quotes, counts)}
    ${visitsHtml(context, visits)}
    <p><a href="${context.path('calls', 'new')}">${say`Another caller`}</a></p>
  </div>`
}

type CallerLocations = CallerProfile['customer']['locations']

function locationsHtml(context: MemberContext, locations: CallerLocations, form: URLSearchParams): Html | '' {
  const [first] = locations
  const locationLabel = (location: CallerLocations[number]): string =>
    [location.name, localAddress(location.formatted_address, context.company.country)].filter(Boolean).join(', ')
  if (first === undefined) return ''
  if (locations.length === 1) return html`<p>${locationLabel(first)}</p>`
  return html`<div class="field"><label for="location_id">${say`Where`}</label><select id="location_id" name="location_id">${locations.map(
    (location) =>
      html`<option value="${location.id}"${attribute('selected', form.get('location_id') === location.id)}>${locationLabel(
        location,
      )}</option>`,
  )}</select></div>`
}

const openWorkHtml = (
  context: MemberContext,
  id: string,
  quotes: CallerProfile['quotes'],
  { unpaid_invoices = 0, balance_due_cents = 0 }: CallerProfile['customer']['counts'],
): Html | '' =>
  when(
    unpaid_invoices > 0 || quotes.length > 0,
    () => html`
    <ul class="open-work">${when(
      unpaid_invoices > 0,
      () => html`
      <li class="owes">
        ${sayHtml`Owes ${html`<a href="${context.path('invoices')}?customer_id=${id}">${money(
          balance_due_cents,
          context.company.currency,
        )}</a>`}`}
      </li>`,
    )}${quotes.map(
      (quote) => html`
      <li>
        ${sayHtml`Quote waiting: ${recordLink(context, 'quotes', quote.id, `${quote.display_number} ${quote.title}`)}, ${money(quote.total_cents, context.company.currency)}`}
      </li>`,
    )}
    </ul>`,
  )

const visitsHtml = (context: MemberContext, visits: CallerProfile['visits']): Html =>
  visits.length === 0
    ? html`<p class="help">${say`No visits yet.`}</p>`
    : html`
    <h3>${say`Last visits`}</h3>
    <ul class="last-visits">${visits.map(
      ({ id, title, status, scheduled_start }) => html`
      <li><span>${recordLink(context, 'jobs', id, title)}<span class="help">${
        scheduled_start === undefined ? say`Not scheduled` : day(dayOf(scheduled_start, context))
      }</span></span>${statusTag(status)}</li>`,
    )}
    </ul>`

const dayOf = (instant: string, { company }: MemberContext): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(company.timezone).toPlainDate().toString()
