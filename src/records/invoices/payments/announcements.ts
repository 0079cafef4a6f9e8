import { sql, type Db } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/validation/id.ts'

/** Queues a notice to the office about an invoice's money, in the transaction of the event. */
export const announcePaymentEvent = (db: Db, invoice: string, kind: string, detail: object): Promise<number> =>
  db.run(sql`select announce(${db.tenant}, ${newId()}, ${kind}, ${invoice}, ${JSON.stringify(detail)}::jsonb)`)

/** Queues the customer's receipt for a payment, in the transaction of its row. */
export const announceReceipt = (db: Db, invoice: string, payment: string, amount_cents: number): Promise<number> =>
  db.run(
    sql`select announce(${db.tenant}, ${payment}, 'receipt', ${invoice}, ${JSON.stringify({ amount_cents })}::jsonb)`,
  )
