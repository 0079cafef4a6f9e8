import { sql, type Db } from '../../../platform/db/tenant.ts'
import { likeLiteral } from '../../../platform/validation/text/fold.ts'
import { sortName } from '../fields.ts'

export type CustomerName = { id: string; display_name: string; archived_at: string | null }

const MAX_CUSTOMERS = 50

/** Lists customers whose name contains a text, including archived ones but not those merged into another. */
export const findCustomersByName = (db: Db, text: string): Promise<CustomerName[]> =>
  db.all<CustomerName>(sql`select id, display_name, archived_at from customers
    where tenant_id = ${db.tenant} and merged_into is null and sort_name like ${`%${likeLiteral(sortName(text))}%`}
    order by sort_name, id limit ${MAX_CUSTOMERS}`)
