import { sql, type Db } from '../platform/db/tenant.ts'
import { changeInvoice, lockInvoice } from '../records/invoices/index.ts'
import { findDeposit } from '../records/quotes/index.ts'
import { newId } from '../platform/validation/id.ts'

/**
 * Issues the drafted invoice of the deposit of a quote that its customer has just accepted, so that they can pay it at
 * once (docs/spec/money.md#deposits). `today` is the company's day.
 */
export async function issueDeposit(
  db: Db,
  quote: string,
  { name, link }: { name: string; link: string },
  today: string,
): Promise<void> {
  const invoice = (await findDeposit(db, quote))?.invoice
  if (invoice?.status !== 'draft') return
  const locked = await lockInvoice(db, invoice.id, today)
  await changeInvoice(db, { user: null }, locked, 'sent', {}, today)
  await db.run(sql`insert into audit (tenant_id, id, client, tool, record_type, record_id, changed)
    values (${db.tenant}, ${newId()}, ${name}, 'invoices.issued_by_link', 'invoice', ${invoice.id},
      ${JSON.stringify({ status: ['draft', 'sent'], link: [null, link] })})`)
}
