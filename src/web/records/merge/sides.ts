import { attribute, html, type Html } from '../../../platform/html/html.ts'
import { moment, money, phone } from '../../../records/format/formats.ts'
import { wordFor } from '../../../records/page/states.ts'
import { countOwnedRecords, type OwnedCounts } from '../../../records/customers/index.ts'
import { recordLink } from '../../../records/page/links.ts'
import { tagChips } from '../../../records/page/tag_chip.ts'
import type { MemberContext } from '../../member_context.ts'
import { say } from '../../../platform/i18n/say.ts'

/** One of the two customers, with its records. */
type Side = {
  id: string
  name: string
  /** Values that a duplicate of the customer probably has too. */
  searchTerms: readonly string[]
  rows: readonly [label: string, value: Html | string][]
}

const MAX_SEARCH_TERMS = 6

export async function findSide(context: MemberContext, id: string): Promise<Side> {
  const [customer, owned] = await Promise.all([
    context.call('customers_get', { id }),
    context.read((db) => countOwnedRecords(db, id)),
  ])
  const {
    contacts,
    locations,
    counts: { balance_due_cents },
  } = customer
  return {
    id,
    name: customer.display_name,
    searchTerms: [...new Set([customer.display_name, ...contacts.flatMap(({ phone, email }) => [phone, email])])]
      .filter((one) => one !== null)
      .slice(0, MAX_SEARCH_TERMS),
    rows: [
      [say`Customer`, recordLink(context, 'customers', id, customer.display_name)],
      [say`Type`, customer.customer_type === 'company' ? say`Company` : say`Person`],
      [say`Status`, `${wordFor(customer.status)}${customer.do_not_service ? say`, do not service` : ''}`],
      [say`Since`, moment(customer.created_at, context.company.timezone)],
      [say`External id`, customer.external_id ?? '–'],
      [
        say`Phone and email`,
        linesHtml(
          contacts.flatMap((one) => [one.phone === null ? '' : phone(one.phone), one.email ?? ''].filter(Boolean)),
        ),
      ],
      [say`Addresses`, linesHtml(locations.map(({ formatted_address }) => formatted_address))],
      [say`Tags`, tagChips(customer.tags)],
      ...recordCounts(context, owned),
      ...(balance_due_cents === undefined
        ? []
        : [[say`Balance due`, money(balance_due_cents, context.company.currency)] as [string, string]]),
    ],
  }
}

const linesHtml = (texts: readonly string[]): Html | string =>
  texts.length === 0 ? '–' : html`${texts.map((text) => html`${text}<br>`)}`

/** Counts the records this person may see. */
const recordCounts = (context: MemberContext, owned: OwnedCounts): [label: string, value: string][] =>
  (
    [
      [say`Jobs`, 'jobs', 'read:jobs'],
      [say`Recurring jobs`, 'job_series', 'read:job_series'],
      [say`Quotes`, 'quotes', 'read:quotes'],
      [say`Invoices`, 'invoices', 'read:invoices'],
      [say`Plans`, 'plans', 'read:plans'],
      [say`Messages`, 'messages', 'read:communications'],
    ] as const
  ).flatMap(([label, kind, scope]): [string, string][] => (context.may(scope) ? [[label, String(owned[kind])]] : []))

const columnNames = () => [say`This one`, say`The other one`] as const

/** Draws both side by side, and the choice of which stays: this one by default. They may share a name. */
export const sidesHtml = (sides: readonly [Side, Side]): Html => html`
<fieldset class="ticks">
  <legend>${say`Which one stays?`}</legend>
  <div class="tick-list">${sides.map(
    ({ id, name }, i) => html`
    <label><input type="radio" name="keep"
      value="${id}"${attribute('checked', i === 0)}><span>${columnNames()[i]!}: ${name}</span></label>`,
  )}
  </div>
</fieldset>
<table class="table versions">
  <caption class="unseen">${say`The two customers`}</caption>
  <thead><tr><th scope="col">${say`What`}</th>${columnNames().map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
  <tbody>${sides[0].rows.map(
    ([label, value], i) => html`
    <tr>
      <th scope="row">${label}</th>
      <td data-label="${columnNames()[0]}"><span>${value}</span></td>
      <td data-label="${columnNames()[1]}"><span>${sides[1].rows[i]![1]}</span></td>
    </tr>`,
  )}
  </tbody>
</table>`
