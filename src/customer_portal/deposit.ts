import { values } from '../platform/db/rows.ts'
import { sql, type Db } from '../platform/db/tenant.ts'
import { changeInvoice, lockInvoice } from '../records/invoices/index.ts'
import { findDeposit } from '../records/quotes/index.ts'
import { newId } from '../platform/validation/id.ts'

/** Person who accepted a quote: its customer by a link, or a member on site. */
type Acceptor = { name: string; link: string } | { user: string }

/**
 * Issues the draft deposit invoice of a quote that its customer has just accepted, so that they can pay it at once
 * (docs/spec/money.md#deposits). `today` is the company's day.
 */
export async function issueDeposit(db: Db, quote: string, by: Acceptor, today: string): Promise<void> {
  const invoice = (await findDeposit(db, quote))?.invoice
  if (invoice?.status !== 'draft') return
  const locked = await lockInvoice(db, invoice.id, today)
  await changeInvoice(db, { user: null }, locked, 'sent', {}, today)
  const author =
    'user' in by
      ? { user_id: by.user, tool: 'invoices.issued_on_site' }
      : { client: by.name, tool: 'invoices.issued_by_link' }
  const changed = { status: ['draft', 'sent'], ...('link' in by && { link: [null, by.link] }) }
  await db.run(
    sql`insert into audit ${values({
      tenant_id: db.tenant,
      id: newId(),
      record_type: 'invoice',
      record_id: invoice.id,
      changed: JSON.stringify(changed),
      ...author,
    })}`,
  )
}
