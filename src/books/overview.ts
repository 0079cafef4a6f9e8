import { sql, type Db } from '../platform/db/tenant.ts'
import type { BooksReason } from './books_error.ts'
import type { BooksConnection } from './connection/connection.ts'
import type { BooksKind } from './program.ts'
import type { BooksRecord } from './records.ts'

/** A record's state, for the owners of its company. */
export type BooksRow = {
  kind: BooksKind
  record: string
  state: BooksRecord['state']
  name: string | null
  invoice_id: string | null
  customer_id: string | null
  cents: number | null
  reason: BooksReason | null
  detail: string | null
  updated_at: string
}

const MAX_ROWS = 100

/** Returns the latest records of a connection, held and failed ones first. */
export const listBooksRows = (db: Db, { program, organization }: BooksConnection): Promise<BooksRow[]> =>
  db.all<BooksRow>(sql`select r.kind, r.record, r.state, coalesce(i.display_number, pi.display_number, c.display_name,
      k.name) as name, coalesce(i.id, pi.id) as invoice_id, c.id as customer_id, r.cents, r.reason, r.detail,
      r.updated_at
    from (select * from books_records where tenant_id = ${db.tenant} and program = ${program}
        and organization = ${organization}
        and record::text not like '00000000-0000-4000-8000-%'
      order by state in ('held', 'failed') desc, updated_at desc, record limit ${MAX_ROWS}) r
    left join invoices i on i.tenant_id = r.tenant_id and i.id = r.record
      and r.kind in ('invoice', 'credit', 'reversal')
    left join payments p on p.tenant_id = r.tenant_id and p.id = r.record and r.kind in ('payment', 'refund')
    left join tips t on t.tenant_id = r.tenant_id and t.id = r.record and r.kind = 'tip'
    left join invoices pi on pi.tenant_id = r.tenant_id and pi.id = coalesce(p.invoice_id, t.invoice_id)
    left join customers c on c.tenant_id = r.tenant_id and c.id = r.record and r.kind = 'customer'
    left join catalog_items k on k.tenant_id = r.tenant_id and k.id = r.record and r.kind = 'item'
    order by r.state in ('held', 'failed') desc, r.updated_at desc, r.record`)

export type BooksCount = { kind: BooksKind; state: BooksRecord['state']; count: number }

export const countBooksRows = (db: Db, { program, organization }: BooksConnection): Promise<BooksCount[]> =>
  db.all<BooksCount>(sql`select kind, state, count(*)::int as count from books_records
    where tenant_id = ${db.tenant} and program = ${program} and organization = ${organization}
      and record::text not like '00000000-0000-4000-8000-%'
    group by kind, state order by kind, state`)

/** Open work for an owner: a revoked access, and held or failed records. */
type BooksWork = { program: BooksConnection['program']; is_revoked: boolean; problems: number }

export const findBooksWork = async (db: Db): Promise<BooksWork | undefined> => {
  const work = await db.maybe<BooksWork>(sql`select c.program, c.revoked_at is not null as is_revoked,
      (select count(*)::int from books_records r where r.tenant_id = ${db.tenant} and r.program = c.program
        and r.organization = c.organization and r.state in ('held', 'failed')) as problems
    from books_connections c where c.tenant_id = ${db.tenant} and c.started_at is not null`)
  return work !== undefined && (work.is_revoked || work.problems > 0) ? work : undefined
}
