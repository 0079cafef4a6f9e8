import { linkButton } from '../../platform/html/parts/button.ts'
import { facts, type Fact } from '../../platform/html/parts/facts.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { status } from '../../platform/html/parts/status.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { sheetFacts } from '../page/sheet_facts.ts'
import { customFacts } from '../page/custom_facts.ts'
import { money } from '../format/formats.ts'
import { recordLink } from '../page/links.ts'
import { wordFor } from '../page/states.ts'
import { part, multilineText } from '../page/parts.ts'
import { localAddress, mailLink, mapLink, phoneLink } from '../page/reach.ts'
import type { PageContext } from '../page/page_context.ts'
import { tagChips } from '../page/tag_chip.ts'
import { contactName, type Contact } from '../contacts/index.ts'
import type { Location } from '../locations/index.ts'
import type { Results } from '../../tools/declare/results.ts'
import { CUSTOMER } from './fields.ts'
import { renderRelated } from './related.ts'

/** A customer, as its tool returns it. Amounts owed only for people who may see invoices. */
export type FullCustomer = Results['customers_get']

/** Draws a customer's page. */
export const customerSheet = async (context: PageContext, customer: FullCustomer): Promise<Html> => html`
${when(customer.do_not_service, () =>
  notice({
    kind: 'warning',
    title: say`Do not service`,
    body: say`Check with the office before you book work for this customer.`,
  }),
)}
${facts([...openFacts(context, customer), ...ownFacts(customer), ...sheetFacts(context, CUSTOMER, customer)])}
<div class="parts">
${part(
  say`Contacts`,
  contactsHtml(context, customer.contacts),
  sectionLinks(context, 'contacts', customer.id, say`New contact`),
)}
${part(
  say`Locations`,
  locationsHtml(context, customer.locations),
  sectionLinks(context, 'locations', customer.id, say`New location`),
)}
</div>
${await renderRelated(context, customer.id)}
${customFacts(customer.fields)}`

function openFacts(
  context: PageContext,
  { id, counts: { open_jobs, unpaid_invoices, balance_due_cents } }: FullCustomer,
): Fact[] {
  const link = (entity: string, count: number): Html =>
    html`<a href="${context.path(entity)}?customer_id=${id}">${count}</a>`
  return [
    { label: say`Open jobs`, value: context.may('read:jobs') ? link('jobs', open_jobs) : String(open_jobs) },
    ...(unpaid_invoices === undefined || balance_due_cents === undefined
      ? []
      : [
          { label: say`Unpaid invoices`, value: link('invoices', unpaid_invoices) },
          { label: say`Balance due`, value: money(balance_due_cents, context.company.currency) },
        ]),
  ]
}

const ownFacts = ({ customer_type, tags, payment_terms_days, tax_exempt }: FullCustomer): Fact[] => [
  { label: say`Type`, value: customer_type === 'company' ? say`Company` : say`Person` },
  { label: say`Tags`, value: tagChips(tags) },
  {
    label: say`Terms`,
    value: payment_terms_days === null ? say`Default` : sayCount(payment_terms_days, '1 day', '{0} days'),
  },
  { label: say`Tax`, value: tax_exempt ? say`Exempt` : say`Default` },
]

const sectionLinks = (context: PageContext, entity: string, customer: string, label: string): Html =>
  html`${when(context.may('write:customers'), () =>
    linkButton(label, `${context.path(entity, 'new')}?customer_id=${customer}`),
  )}${linkButton(say`Show all`, `${context.path(entity)}?customer_id=${customer}`, 'quiet')}`

const contactsHtml = (context: PageContext, contacts: readonly Contact[]): Html =>
  contacts.length === 0
    ? html`<p class="help">${say`No contacts yet.`}</p>`
    : html`
<ul class="cards">${contacts.map(
        (contact) => html`
  <li>
    <p><b>${recordLink(
      context,
      'contacts',
      contact.id,
      contactName(contact),
    )}</b>${when(contact.is_primary, () => html` ${status(say`Primary`, 'active')}`)}${when(
      contact.role_label,
      (role_label) => html`<span class="help">${role_label}</span>`,
    )}</p>
    ${reachHtml(contact)}
  </li>`,
      )}
</ul>`

/** Draws how to reach a contact, and how not to. */
const reachHtml = ({ phone, phone_extension, email, sms_opt_out, email_opt_out }: Contact): Html => html`
    <p class="reach">${when(phone, (phone) =>
      phoneLink(phone, phone_extension),
    )}${when(email, (email) => mailLink(email))}${when(sms_opt_out, () =>
      status(say`No texts`, 'warning'),
    )}${when(email_opt_out, () => status(say`No e-mail`, 'warning'))}</p>`

const locationsHtml = (context: PageContext, locations: readonly Location[]): Html =>
  locations.length === 0
    ? html`<p class="help">${say`No address yet.`}</p>`
    : html`
<ul class="cards">${locations.map(
        (location) => html`
  <li>
    <p><b>${recordLink(
      context,
      'locations',
      location.id,
      location.name ?? location.address_line1,
    )}</b> ${status(wordFor(location.type), 'plain')}${when(
      location.is_primary,
      () => html` ${status(say`Primary`, 'active')}`,
    )}</p>
    <p class="reach"><span>${localAddress(
      location.formatted_address,
      context.company.country,
    )}</span>${mapLink(location)}</p>${when(
      location.access_notes,
      (access_notes) => html`
    ${multilineText(access_notes)}`,
    )}
  </li>`,
      )}
</ul>`
