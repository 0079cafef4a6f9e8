import { linkButton } from '../../platform/html/parts/button.ts'
import { facts, type Fact } from '../../platform/html/parts/facts.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { status } from '../../platform/html/parts/status.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { sheetFacts } from '../page/sheet_facts.ts'
import { customFacts } from '../page/custom_facts.ts'
import { money } from '../format/formats.ts'
import { sumPaid } from '../invoices/index.ts'
import { fieldEditor, recordLink } from '../page/links.ts'
import { wordFor } from '../page/states.ts'
import { part, multilineText, serviceWarning } from '../page/parts.ts'
import { localAddress, mailLink, mapLink, phoneLink } from '../page/contact_links.ts'
import type { PageContext } from '../page/page_context.ts'
import { tagChips } from '../page/tag_chip.ts'
import { contactName, type Contact } from '../contacts/index.ts'
import type { Location } from '../locations/index.ts'
import type { Results } from '../../tools/declare/results.ts'
import { CUSTOMER } from './fields.ts'
import { agreementsHtml } from './agreements.ts'

/** Customer, as its tool returns it. Amounts owed require read:invoices. */
export type FullCustomer = Results['customers_get']

/** Renders the warning that comes before everything else. */
export const customerSheet = async (_: PageContext, { do_not_service }: FullCustomer): Promise<Html> =>
  html`${serviceWarning(do_not_service)}`

/** Renders contacts, locations, balance, agreements and other details of a customer. Empty parts are left out. */
export const customerAside = async (context: PageContext, customer: FullCustomer): Promise<Html> => {
  const editOf = fieldEditor(context, 'customers', customer.id)
  const details = [...ownFacts(context, customer), ...sheetFacts(context, CUSTOMER, customer, editOf)]
  const [balance, agreements] = await Promise.all([moneyHtml(context, customer), agreementsHtml(context, customer.id)])
  const add = (entity: string, label: string): Html | '' =>
    when(context.may('write:customers'), () =>
      linkButton(label, `${context.path(entity, 'new')}?customer_id=${customer.id}`),
    )
  return html`<div class="column reach-parts">${listPart(
    say`Contacts`,
    contactsHtml(context, customer.contacts),
    add('contacts', say`New contact`),
  )}${listPart(say`Locations`, locationsHtml(context, customer.locations), add('locations', say`New location`))}</div>
${balance}${agreements}
${when(details.length > 0, () => part(say`Details`, facts(details)))}
${customFacts(customer.fields)}
${recordLinks(context, customer)}`
}

/** Renders what a customer owes and has paid, for people who may see invoices. */
async function moneyHtml(context: PageContext, { id, counts }: FullCustomer): Promise<Html | ''> {
  const { unpaid_invoices: unpaid, balance_due_cents: due } = counts
  if (unpaid === undefined || due === undefined) return ''
  const paid = await context.read((db) => sumPaid(db, id))
  const { currency } = context.company
  return when(unpaid > 0 || paid > 0, () =>
    part(
      say`Money`,
      facts([
        {
          label: say`Balance due`,
          value: money(due, currency),
          ...(unpaid === 0
            ? {}
            : {
                says: html`<a href="${context.path('invoices')}?customer_id=${id}">${sayCount(
                  unpaid,
                  'One unpaid invoice',
                  '{0} unpaid invoices',
                )}</a>`,
              }),
        },
        { label: say`Paid so far`, value: money(paid, currency) },
      ]),
      linkButton(say`Statement`, context.path('customers', id, 'statement')),
    ),
  )
}

/** Renders links to the lists of a customer's records that the person may see. */
const recordLinks = (context: PageContext, { id, counts: { open_jobs } }: FullCustomer): Html => {
  const lists = [
    { scope: 'read:jobs', of: 'jobs', label: open_jobs === 0 ? say`Jobs` : say`Jobs (${open_jobs} open)` },
    { scope: 'read:quotes', of: 'quotes', label: say`Quotes` },
    { scope: 'read:invoices', of: 'invoices', label: say`Invoices` },
    { scope: 'read:customers', of: 'contacts', label: say`Contacts` },
    { scope: 'read:customers', of: 'locations', label: say`Locations` },
  ] as const
  return html`
<nav class="record-lists" aria-label="${say`All records`}">${lists
    .filter(({ scope }) => context.may(scope))
    .map(({ of, label }) => html`<a href="${context.path(of)}?customer_id=${id}">${label}</a>`)}</nav>`
}

function ownFacts(context: PageContext, customer: FullCustomer): Fact[] {
  const { id, customer_type, tags, payment_terms_days, tax_exempt } = customer
  const editOf = fieldEditor(context, 'customers', id)
  const tagsPath = context.may('write:customers') ? context.path('customers', id, 'do', 'customers_tag') : undefined
  return [
    ...(customer_type === 'company' ? [{ label: say`Type`, value: say`Company` }] : []),
    ...(tags.length === 0 ? [] : [{ label: say`Tags`, value: tagChips(tags), edit: tagsPath }]),
    ...(payment_terms_days === null
      ? []
      : [
          {
            label: say`Terms`,
            value: sayCount(payment_terms_days, '1 day', '{0} days'),
            edit: editOf('payment_terms_days'),
          },
        ]),
    ...(tax_exempt ? [{ label: say`Tax`, value: say`Exempt`, edit: editOf('tax_exempt') }] : []),
  ]
}

/** Renders a list with its "add" button; only the button if the list is empty. */
const listPart = (title: string, list: Html | '', add: Html | ''): Html | '' =>
  list === '' ? when(add !== '', () => html`<p class="actions">${add}</p>`) : part(title, list, add)

const contactsHtml = (context: PageContext, contacts: readonly Contact[]): Html | '' =>
  when(
    contacts.length > 0,
    () => html`
<ul class="cards">${contacts.map(
      (contact) => html`
  <li>
    <p><b>${recordLink(
      context,
      'contacts',
      contact.id,
      contactName(contact),
    )}</b>${when(contact.is_primary && contacts.length > 1, () => html` ${status(say`Primary`, 'active')}`)}${when(
      contact.role_label,
      (role_label) => html`<span class="help">${role_label}</span>`,
    )}</p>
    ${contactDetailsHtml(contact)}
  </li>`,
    )}
</ul>`,
  )

/** Renders a contact's phone and email with its opt-outs. */
const contactDetailsHtml = ({ phone, phone_extension, email, sms_opt_out, email_opt_out }: Contact): Html => html`
    <p class="reach">${when(phone, (phone) =>
      phoneLink(phone, phone_extension),
    )}${when(email, (email) => mailLink(email))}${when(sms_opt_out, () =>
      status(say`No texts`, 'warning'),
    )}${when(email_opt_out, () => status(say`No email`, 'warning'))}</p>`

const locationsHtml = (context: PageContext, locations: readonly Location[]): Html | '' =>
  when(
    locations.length > 0,
    () => html`
<ul class="cards">${locations.map(
      (location) => html`
  <li>
    <p><b>${recordLink(
      context,
      'locations',
      location.id,
      location.name ?? location.address_line1,
    )}</b>${when(location.type === 'billing', () => html` ${status(wordFor('billing'), 'plain')}`)}${when(
      location.is_primary && locations.length > 1,
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
</ul>`,
  )
