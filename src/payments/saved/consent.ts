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

type ConsentAction =
  | 'customers.save_payment_method'
  | 'customers.remove_payment_method'
  | 'customers.start_autopay'
  | 'customers.stop_autopay'

type Changes = Record<string, readonly [before: unknown, after: unknown]>

/** Records in a customer's history how they, the office or the provider changed a saved method or consent. */
export const auditConsentChange = (
  db: Db,
  customer: string,
  actor: Remover,
  action: ConsentAction,
  changes: Changes,
): Promise<number> =>
  db.run(
    actor.by === 'office'
      ? auditChange(db.tenant, { user: actor.user }, action, customer, changes)
      : sql`insert into audit (tenant_id, id, client, tool, record_type, record_id, changed)
          values (${db.tenant}, ${newId()}, ${actor.by === 'customer' ? actor.name : 'payments provider'},
            ${actor.by === 'customer' ? `${action}_by_link` : action}, 'customer', ${customer},
            ${JSON.stringify({ ...changes, ...(actor.by === 'customer' && { link: [null, actor.link] }) })})`,
  )
