import type { Caller } from '../../identity/credentials/caller.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { wallAt } from '../../platform/validation/formats/instants.ts'
import { truncate } from '../../platform/validation/text/truncate.ts'
import type { Changes } from './outcome.ts'

/** One write of a record: time, author, credential, and the changed fields with their values before and after. */
export type HistoryEntry = {
  id: string
  /** Change it belongs to, by which it can be undone; null if no rows of it are kept. */
  change_id: string | null
  is_undone: boolean
  at: string
  /** Canonical name of a tool or action: `jobs.update`. */
  tool: string
  /** Null for a tenant key, the operator and the service itself. */
  user_name: string | null
  user_id: string | null
  /** Null for the operator and the service itself. */
  credential_kind: 'user_key' | 'tenant_key' | 'oauth' | 'browser' | 'assistant' | null
  /** Name of the key or the app. */
  credential_name: string | null
  /** Name that the client gives itself. */
  client: string | null
  /** Member who approved the proposal of a connection. */
  approved_by_name?: string | null
  changed: Changes
}

/** Fields that only owners see (docs/spec/records.md#cost-fields). */
const OWNER_FIELDS = new Set(['cost_cents', 'supplier_name', 'supplier_sku', 'supplier_url'])

/** Lists the writes of a record, newest first, or those before one, without fields that the caller may not see. */
export async function historyOf(
  db: Db,
  caller: Caller,
  record: string,
  limit: number,
  before?: { at: string; id: string },
): Promise<HistoryEntry[]> {
  const entries = await db.all<HistoryEntry>(sql`
    select a.id, a.at, a.tool, a.user_id, u.name as user_name, c.kind as credential_kind, c.name as credential_name,
      a.client, b.name as approved_by_name, a.changed, a.change_id,
      exists (select 1 from undone d
        where d.tenant_id = ${db.tenant} and d.change_id = a.change_id and d.stands) as is_undone
    from audit a left join users u on u.id = a.user_id left join users b on b.id = a.approved_by
      left join credentials c on c.tenant_id = a.tenant_id and c.id = a.credential_id
    where a.tenant_id = ${db.tenant} and a.record_id = ${record}
      ${before === undefined ? sql`` : sql`and (a.at, a.id) < (${before.at}::timestamptz, ${before.id}::uuid)`}
    order by a.at desc, a.id desc limit ${limit}`)
  return entries.map((entry) => redactEntry(caller, entry))
}

/** One write by a connection, with the names of its tool and record. */
type ConnectionChange = Pick<HistoryEntry, 'id' | 'at' | 'tool' | 'changed'> & {
  record_id: string
  /** Number of a document. */
  number: string | null
  customer_name: string | null
}

/** Lists a connection's writes by the tools of some entities, newest first, without fields the caller may not see. */
export async function changesBy(
  db: Db,
  caller: Caller,
  entities: readonly string[],
  limit: number,
): Promise<ConnectionChange[]> {
  const entries = await db.all<ConnectionChange>(sql`
    select a.id, a.at, a.tool, a.record_id, a.changed,
      coalesce(j.display_number, i.display_number, q.display_number) as number, c.display_name as customer_name
    from (select * from audit where tenant_id = ${db.tenant} and credential_id = ${caller.credential.id}
        and split_part(tool, '.', 1) = any(${[...entities]}::text[]) order by id desc limit ${limit}) a
      left join jobs j on j.tenant_id = ${db.tenant} and j.id = a.record_id
      left join invoices i on i.tenant_id = ${db.tenant} and i.id = a.record_id
      left join quotes q on q.tenant_id = ${db.tenant} and q.id = a.record_id
      left join customers c on c.tenant_id = ${db.tenant} and c.id = a.record_id
    order by a.id desc`)
  return entries.map((entry) => redactEntry(caller, entry))
}

/** Returns an entry without the fields that the caller may not see. */
export const redactEntry = <Entry extends Pick<HistoryEntry, 'changed'>>(caller: Caller, entry: Entry): Entry => ({
  ...entry,
  changed: visibleChanges(entry.changed, caller),
})

/** Returns changes without the fields that the caller may not see. */
export const visibleChanges = (changed: Changes, { role, scopes }: Caller): Changes =>
  Object.fromEntries(
    Object.entries(changed).filter(
      ([name]) =>
        (role === 'owner' || !OWNER_FIELDS.has(name)) && (name !== 'invoice_ids' || scopes.has('read:invoices')),
    ),
  )

const MAX_RECENT = 3
const RECENT_DAYS = 7

/**
 * Returns the newest writes of some records since an instant, a week ago by default, as text by record: time, author
 * and change.
 */
export async function recentChanges(
  db: Db,
  caller: Caller,
  records: readonly string[],
  since: string | undefined,
): Promise<Map<string, string[]>> {
  const zone = caller.tenant.timezone
  const entries = await db.all<Omit<HistoryEntry, 'change_id' | 'is_undone' | 'user_id'> & { record_id: string }>(sql`
    select a.id, a.record_id, a.at, a.tool, u.name as user_name, c.kind as credential_kind, c.name as credential_name,
      a.client, a.changed
    from unnest(${[...records]}::uuid[]) r(id) cross join lateral (
      select * from audit where tenant_id = ${db.tenant} and record_id = r.id
        and at >= ${since === undefined ? sql`moment() - make_interval(days => ${RECENT_DAYS})` : since}
      order by at desc, id desc limit ${MAX_RECENT}) a
      left join users u on u.id = a.user_id
      left join credentials c on c.tenant_id = ${db.tenant} and c.id = a.credential_id
    order by a.at desc, a.id desc`)
  const texts = new Map<string, string[]>()
  for (const entry of entries) {
    const { at, tool, changed } = redactEntry(caller, entry)
    const text = `${localTime(at, zone)} ${authorText(entry)}: ${changesText({ tool, changed }, zone)}`
    texts.set(entry.record_id, [...(texts.get(entry.record_id) ?? []), text])
  }
  return texts
}

/** Formats the author of a change and the client or credential used. */
export function authorText({
  user_name,
  credential_kind,
  credential_name,
  client,
}: Pick<HistoryEntry, 'user_name' | 'credential_kind' | 'credential_name' | 'client'>): string {
  const via = credential_kind === null || credential_kind === 'browser' ? null : (client ?? credential_name)
  return [user_name ?? (credential_kind === null ? 'the service' : null), via]
    .filter((one) => one !== null)
    .join(' with ')
}

const MAX_FIELDS = 4
const MAX_VALUE = 32

/** Describes a change by its first fields: `status: scheduled → done`; a new record only as created. */
export function changesText({ tool, changed }: Pick<HistoryEntry, 'tool' | 'changed'>, zone: string): string {
  if (tool.endsWith('.create')) return 'created'
  const fields = Object.entries(changed)
  const text = fields
    .slice(0, MAX_FIELDS)
    .map(([name, [was, is]]) => `${name}: ${valueText(was, zone)} → ${valueText(is, zone)}`)
  return [...text, ...(fields.length > MAX_FIELDS ? [`and ${fields.length - MAX_FIELDS} more`] : [])].join('; ')
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

function valueText(value: unknown, zone: string): string {
  if (value === null || value === undefined) return 'nothing'
  if (typeof value === 'string' && INSTANT.test(value)) return localTime(value, zone)
  return truncate(typeof value === 'string' ? value : JSON.stringify(value), MAX_VALUE)
}

/** Returns an instant as local time in a zone, to the minute. */
export const localTime = (instant: string, zone: string): string =>
  wallAt(Temporal.Instant.from(instant), zone).toString({ smallestUnit: 'minute' }).replace('T', ' ')
