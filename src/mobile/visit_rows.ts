import type { Caller } from '../identity/credentials/caller.ts'
import { raw } from '../platform/db/database.ts'
import { sql, type Db, type Sql } from '../platform/db/tenant.ts'
import type { Assignment, Job, MediaStage } from '../records/jobs/index.ts'
import { joinPosition, positionColumns, type PositionRow } from '../scheduling/places/positions.ts'
import type { LineItem } from '../records/line_items/line.ts'
import { quotesOfVisit, receiptOf, type QuoteRow, type VisitInvoice } from './quotes.ts'

/** Job fields of a visit that a phone receives. */
export type VisitHead = Pick<
  Job,
  | 'id'
  | 'display_number'
  | 'title'
  | 'status'
  | 'updated_at'
  | 'scheduled_start'
  | 'scheduled_end'
  | 'all_day'
  | 'arrival_window_minutes'
  | 'priority'
  | 'description'
  | 'instructions'
>

/** Visit as the query returns it. */
export type VisitRow = VisitHead &
  Pick<Job, 'customer_id' | 'customer_name' | 'location_id' | 'location_address'> &
  Omit<PositionRow, 'country'> & { country: string | null } & {
    mine: boolean
    crew: Assignment[]
    line_items: LineItem[]
    components: { name: string; quantity: number; unit: string }[]
    access_notes: string | null
    contact_name: string | null
    phone: string | null
    wants_no_texts: boolean
    before: { at: string; title: string; note: string | null }[]
    notes: { at: string; by: string | null; body: string }[]
    photos: { id: string; name: string; stage: MediaStage | null; at: string }[]
    invoices: VisitInvoice[]
    quotes: QuoteRow[]
    email: string | null
    tax_exempt: boolean
    deposit_cents: number
  }

/** Maximum visits of two days, characters of a text, and notes, photos, earlier visits and invoices of a visit. */
const [MAX_VISITS, MAX_TEXT, MAX_NOTES, MAX_PHOTOS, MAX_EARLIER, MAX_INVOICES] = [60, 2_000, 10, 30, 3, 5]

/**
 * Returns the visits in a period that aren't canceled, the caller's own first, and the caller's own unfinished ones.
 */
export const listVisitRows = (db: Db, caller: Caller, from: string, until: string): Promise<VisitRow[]> => {
  const earliest = Temporal.Instant.from(from)
    .subtract({ hours: 14 * 24 })
    .toString()
  return readVisitRows(
    db,
    caller,
    sql`j.status <> 'cancelled' and j.scheduled_start >= ${earliest} and j.scheduled_start < ${until}
      and (j.scheduled_end > ${from}
        or (${caller.user}::uuid = any(j.assignee_ids) and j.status in ('en_route', 'in_progress', 'on_hold')))`,
  )
}

/** Returns visits by id, canceled ones too. */
export const findVisitRows = (db: Db, caller: Caller, ids: readonly string[]): Promise<VisitRow[]> =>
  readVisitRows(db, caller, sql`j.id = any(${[...ids]}::uuid[])`)

const instant = (column: string): Sql => raw(`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

/** Selects earlier visits to the same place, with the last note of each for those who may read notes. */
const earlierVisits = (db: Db, notes: boolean): Sql => sql`(select coalesce(json_agg(p), '[]') from (
        select ${instant('v.completed_at')} as at, v.title,
          case
            when ${notes} then (select left(n.body, ${MAX_TEXT}) from notes n
              where n.tenant_id = ${db.tenant} and n.subject_type = 'job'
            and n.subject_id = v.id and n.archived_at is null order by n.created_at desc, n.id desc limit 1) end as note
        from jobs v
        where v.tenant_id = ${db.tenant} and v.customer_id = j.customer_id
          and v.location_id is not distinct from j.location_id
          and v.status = 'done' and v.id <> j.id order by v.completed_at desc, v.id limit ${MAX_EARLIER}) p)`

/** Selects the invoices of a visit that aren't void, unpaid ones first, for those who may read them. */
const invoicesOfVisit = (db: Db, { invoices, customers }: Record<'invoices' | 'customers', boolean>): Sql =>
  sql`(select coalesce(json_agg(p), '[]') from (
        select i.id, i.display_number, i.status, i.total_cents, i.balance_due_cents as due_cents,
          ${receiptOf(db, customers)} as receipt_to
        from invoice_jobs o join invoices i on i.tenant_id = ${db.tenant} and i.id = o.invoice_id
        where ${invoices} and o.tenant_id = ${db.tenant} and o.job_id = j.id and i.status <> 'void'
        order by i.balance_due_cents > 0 desc, i.due_date, i.id limit ${MAX_INVOICES}) p)`

/** Checks the right to write quotes on site, which includes seeing prices. */
export const mayQuote = ({ scopes }: Pick<Caller, 'scopes'>): boolean =>
  QUOTE_SCOPES.every((scope) => scopes.has(scope))

const QUOTE_SCOPES = ['read:customers', 'read:quotes', 'write:quotes', 'read:catalog_items'] as const

/** Selects the unused deposits and progress payments of a visit and its quote. */
const depositsOfVisit = (
  db: Db,
  invoices: boolean,
): Sql => sql`(select coalesce(sum(greatest(0, d.total_cents - coalesce((
          select sum(x.amount_cents) from deposit_deductions x
            join invoices f on f.tenant_id = x.tenant_id and f.id = x.invoice_id and f.status <> 'void'
          where x.tenant_id = ${db.tenant} and x.deposit_id = d.id), 0))), 0)::bigint
        from invoices d where ${invoices} and d.tenant_id = ${db.tenant} and (d.deposit_of = j.quote_id
          or d.deposit_of = j.id) and d.status <> 'void')`

/** Reads visits with everything a phone shows, in one query; each part only for those who may see it. */
function readVisitRows(db: Db, { user, scopes }: Caller, condition: Sql): Promise<VisitRow[]> {
  const [customers, notes, invoices, quotes] = [
    scopes.has('read:customers'),
    scopes.has('read:notes'),
    scopes.has('read:invoices'),
    mayQuote({ scopes }),
  ]
  return db.all<VisitRow>(sql`
    select j.id, j.display_number, j.title, j.status, j.updated_at, j.scheduled_start, j.scheduled_end, j.all_day,
      j.arrival_window_minutes, j.priority, left(j.description, ${MAX_TEXT}) as description,
      left(j.instructions, ${MAX_TEXT}) as instructions,
      j.customer_id, j.customer_name, j.location_id, j.location_address,
      j.line_items, j.mine, crew(j.assignee_ids) as crew,
      ${positionColumns},
      case when ${customers} then left(l.access_notes, ${MAX_TEXT}) end as access_notes,
      case when ${customers} then k.name end as contact_name, case when ${customers} then k.phone end as phone,
      coalesce(k.wants_no_texts, false) as wants_no_texts,
      (select coalesce(json_agg(p), '[]') from (
        select i.name, i.unit, coalesce((b.line ->> 'quantity')::numeric, 1) * c.quantity as quantity
        from jsonb_array_elements(j.line_items) with ordinality b (line, place)
          join catalog_components c on c.tenant_id = ${db.tenant} and c.bundle_id = (b.line ->> 'catalog_item_id')::uuid
          join catalog_items i on i.tenant_id = ${db.tenant} and i.id = c.item_id and i.kind = 'product'
        where b.line ->> 'kind' = 'bundle' order by b.place, c.position limit 40) p) as components,
      ${earlierVisits(db, notes)} as before,
      (select coalesce(json_agg(p), '[]') from (
        select ${instant('n.created_at')} as at, u.name as by, left(n.body, ${MAX_TEXT}) as body
        from notes n left join users u on u.id = n.created_by
        where ${notes} and n.tenant_id = ${db.tenant} and n.subject_type = 'job' and n.subject_id = j.id
          and n.archived_at is null
        order by n.created_at desc, n.id desc limit ${MAX_NOTES}) p) as notes,
      (select coalesce(json_agg(p), '[]') from (
        select m.id, coalesce(m.caption, m.file_name) as name, m.stage, ${instant('m.created_at')} as at
        from job_media m where m.tenant_id = ${db.tenant} and m.job_id = j.id
        order by m.created_at desc, m.id desc limit ${MAX_PHOTOS}) p) as photos,
      ${invoicesOfVisit(db, { invoices, customers })} as invoices,
      ${quotesOfVisit(db, { quotes, invoices, customers })} as quotes,
      (select e.email from contacts e
        where ${customers} and e.tenant_id = ${db.tenant} and e.customer_id = j.customer_id and e.archived_at is null
          and e.email is not null and not e.email_opt_out
        order by e.id = j.contact_id desc nulls last, e.is_primary desc, e.created_at limit 1) as email,
      case when ${invoices || quotes} then j.tax_exempt else false end as tax_exempt,
      ${depositsOfVisit(db, invoices)} as deposit_cents
    from (select j.*, c.display_name as customer_name, c.tax_exempt, ${user}::uuid = any(j.assignee_ids) as mine
        from jobs j join customers c on c.tenant_id = j.tenant_id and c.id = j.customer_id
        where j.tenant_id = ${db.tenant} and ${condition}
        order by ${user}::uuid = any(j.assignee_ids) desc, j.scheduled_start, j.id limit ${MAX_VISITS}) j
      left join locations l on l.tenant_id = ${db.tenant} and l.id = j.location_id and l.archived_at is null
      ${joinPosition(db)}
      left join lateral (
        select nullif(concat_ws(' ', k.first_name, k.last_name), '') as name,
          k.phone || coalesce(';ext=' || k.phone_extension, '') as phone, k.sms_opt_out
            or k.sms_stopped_at is not null as wants_no_texts
        from contacts k
        where k.tenant_id = ${db.tenant} and k.customer_id = j.customer_id and k.archived_at is null
          and k.phone is not null
        order by k.id = j.contact_id desc nulls last, k.is_primary desc, k.created_at limit 1
      ) k on true
    order by j.mine desc, j.scheduled_start, j.id`)
}
