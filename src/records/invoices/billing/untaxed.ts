import { sql, type Db } from '../../../platform/db/tenant.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { PageContext } from '../../page/page_context.ts'
import { isId } from '../../../platform/validation/id.ts'
import type { RunContext } from '../../../tools/declare/define.ts'
import type { Invoice } from '../fields.ts'
import type { Warning } from '../../../platform/errors/refusal_text.ts'
import { warnings } from '../refusals.ts'

/** An invoice that is about to be sent, or not created yet. */
type OutgoingInvoice = { id: string | null; customer_id: string | null }

/**
 * Checks whether the company's first invoice would be sent without tax though nobody decided that: there is no tax
 * rate, no statement that it charges none, and no exemption of the customer (docs/spec/money.md#no-tax).
 */
const isTaxUndecided = async (db: Db, { id, customer_id }: OutgoingInvoice): Promise<boolean> =>
  (await db.maybe(sql`select 1 from tenants t where t.id = ${db.tenant} and not t.charges_no_tax
    and not exists (select 1 from tax_rates r where r.tenant_id = ${db.tenant})
    and not exists (select 1 from customers c
      where c.tenant_id = ${db.tenant} and c.id = ${customer_id}::uuid and c.tax_exempt)
    and not exists (select 1 from invoices i where i.tenant_id = ${db.tenant} and i.status not in ('draft', 'void')
      and i.id is distinct from ${id}::uuid)`)) !== undefined

type InvoiceToSend = Pick<Invoice, 'id' | 'display_number' | 'customer_id' | 'status' | 'total_cents' | 'tax_cents'>

/** Returns a warning if the company's first invoice is sent without tax. Shares the round trip of its tick. */
export async function untaxedWarning(
  { db, caller, baseUrl }: RunContext,
  before: InvoiceToSend,
  to: string,
): Promise<Warning[]> {
  if (to !== 'sent' || before.status !== 'draft' || before.total_cents === 0 || before.tax_cents > 0) return []
  if (!(await isTaxUndecided(db, before))) return []
  const url = `${baseUrl}/${caller.tenant.id}/settings/company#tax`
  return [warnings.untaxed({ number: before.display_number, url })]
}

/** Renders the same warning above the message that sends a draft. */
export async function untaxedLetterNotice(context: PageContext, id: string): Promise<Html | ''> {
  const draft = await context.read((db) =>
    db.maybe<{ customer_id: string }>(sql`select customer_id from invoices
      where tenant_id = ${db.tenant} and id = ${id} and status = 'draft' and tax_cents = 0 and total_cents > 0`),
  )
  if (draft === undefined) return ''
  return untaxedNotice(context, { id, ...draft }, context.path('invoices', id, 'send'))
}

async function untaxedNotice(context: PageContext, invoice: OutgoingInvoice, returnPath: string): Promise<Html | ''> {
  if (!(await context.read((db) => isTaxUndecided(db, invoice)))) return ''
  const mayAdd = context.may('write:tax_rates')
  return html`
<section class="notice warning" id="untaxed">
  <p class="notice-title">${say`This invoice has no tax`}</p>
  <p>${
    mayAdd
      ? say`Your company has no tax rate yet. If you charge sales tax, add the rate first.`
      : say`Your company has no tax rate yet. If you charge sales tax, ask an owner to add the rate first.`
  }</p>
  <div class="actions">${when(mayAdd, () =>
    linkButton(say`Add tax rate`, context.path('tax_rates', 'new')),
  )}${when(context.caller.role === 'owner', () => noTaxForm(context, returnPath))}</div>
</section>`
}

/** Renders the button with which an owner states that the company charges no tax; it returns to the page. */
export const noTaxForm = (context: PageContext, returnPath: string): Html =>
  html`<form method="post"
    action="${context.path('settings', 'company', 'tax')}">${hidden('charges_no_tax', 'yes')}${hidden('to', returnPath)}${button(
      { label: say`We don’t charge tax`, kind: 'quiet' },
    )}</form>`

/** Renders the warning on the form of a new invoice, for the selected customer. */
export function untaxedFormNotice(context: PageContext, values: URLSearchParams): Promise<Html | ''> {
  const customer = values.get('customer_id') ?? ''
  const customer_id = isId(customer) ? customer : null
  const query = customer_id === null ? '' : `?customer_id=${customer_id}`
  return untaxedNotice(context, { id: null, customer_id }, `${context.path('invoices', 'new')}${query}`)
}
