import { auditChange } from '../../identity/audit.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'

/** A customer's consent: the text they read, and where it was given from. */
export type CustomerConsent = { text: string; link: string; address: string; userAgent: string | null; name: string }

/** The remover of a consent or method: the customer through a link, an office user, or the provider. */
export type Remover =
  | { by: 'customer'; link: string; name: string }
  | { by: 'office'; user: string }
  | { by: 'provider' }

type Act =
  | 'customers.save_payment_method'
  | 'customers.remove_payment_method'
  | 'customers.start_autopay'
  | 'customers.stop_autopay'

type Changes = Record<string, readonly [before: unknown, after: unknown]>

/** Records in a customer's history how they, the office or the provider changed a saved method or consent. */
export const noteByCustomer = (db: Db, customer: string, who: Remover, act: Act, changes: Changes): Promise<number> =>
  db.run(
    who.by === 'office'
      ? auditChange(db.tenant, { user: who.user }, act, customer, changes)
      : sql`insert into audit (tenant_id, id, client, tool, record_type, record_id, changed)
          values (${db.tenant}, ${newId()}, ${who.by === 'customer' ? who.name : 'payments provider'},
            ${who.by === 'customer' ? `${act}_by_link` : act}, 'customer', ${customer},
            ${JSON.stringify({ ...changes, ...(who.by === 'customer' && { link: [null, who.link] }) })})`,
  )
