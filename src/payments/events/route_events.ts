import { sql, type Sql } from '../../platform/db/tenant.ts'
import { ACCOUNT_TYPE_PREFIXES, ACCOUNT_TYPES } from './account_changes.ts'
import { APPLY_PAYMENTS_TASK, EFFECTIVE_TYPES, FOLLOW_UP_TYPES, PENDING_TYPES } from './effects.ts'
import { METHOD_TYPES } from './method_events.ts'

const BATCH_SIZE = 5_000

/**
 * Assigns each new event to the tenant with its connected account. Events without an effect are only stored (including
 * payments without an invoice id), as are those of bank payments and saved methods on unknown accounts. Other events of
 * an unconnected account wait until someone connects or claims it.
 */
export const routeEvents = (): Sql[] => [
  sql`update payment_events e set state = 'pending', reason = null from payment_accounts a
    where e.state = 'unrouted' and e.account_id = a.account_id`,
  sql`with routed as (
    update payment_events e
    set state = r.state, tenant_id = r.owner, settled_at = case when r.state = 'stored' then r.now end,
      reason = case when r.state = 'routed' then null
        when r.state = 'unrouted' then case when e.account_id is null then 'no_account' else 'unknown_account' end
        else case when r.is_of_money then 'no_invoice' end end
    from (
      select k.id, a.tenant_id as owner, k.is_of_money, k.now,
        case
          when not (k.is_of_account or (k.is_of_method and a.tenant_id is not null)
            or (k.is_pending and k.names_invoice and a.tenant_id is not null)
            or (k.is_of_money and (k.names_invoice or (k.follows and k.account_id is not null)))) then 'stored'
          when a.tenant_id is null then 'unrouted' else 'routed' end as state
      from (
        select id, account_id, moment() as now, coalesce(names_invoice, true) as names_invoice,
          coalesce(type = any(${[...EFFECTIVE_TYPES]}), false) as is_of_money,
          coalesce(type = any(${[...FOLLOW_UP_TYPES]}), false) as follows,
          coalesce(type = any(${[...PENDING_TYPES]}), false) as is_pending,
          coalesce(type = any(${[...METHOD_TYPES]}), false) as is_of_method,
          coalesce(type = any(${[...ACCOUNT_TYPES]})
            or type ^@ any(${[...ACCOUNT_TYPE_PREFIXES]}), false) as is_of_account
        from payment_events where state = 'pending' order by id limit ${BATCH_SIZE} for update skip locked) k
      left join payment_accounts a on a.account_id = k.account_id) r
    where e.id = r.id returning e.tenant_id, e.state)
  select ask_chore(tenant_id, ${APPLY_PAYMENTS_TASK})
  from (select distinct tenant_id from routed where state = 'routed') asked`,
]
