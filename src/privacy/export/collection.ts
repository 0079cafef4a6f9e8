import { raw, type Sql } from '../../platform/db/database.ts'
import { ENTERED_TENANT, sql } from '../../platform/db/tenant.ts'
import { isVisibleToCompany } from '../../identity/security/log.ts'

/** One data set of an archive: the rows of one table, as JSON and as CSV. */
export type Collection = {
  /** File name without extension. Also the table name unless `table` is set. */
  file: string
  table?: string
  /** Description; absent for records, and for a member's part of the company file with the same name. */
  about?: string
  /** Columns of the unique sort key: `id` unless set. */
  key?: readonly string[]
  /** Column names, separated by spaces. `file` is the path of a stored file within the archive. */
  columns: string
  /** Omitted columns, separated by spaces: derived values, and references to the service's own records. */
  omitted?: string
}

/** Returns the columns of a collection, in order. */
export const collectionColumns = ({ columns }: Collection): string[] => columns.split(' ')

export const omittedColumns = ({ omitted = '' }: Collection): string[] => omitted.split(' ')

/** Checks whether its rows reference stored files. */
export const hasFiles = (collection: Collection): boolean => collectionColumns(collection).includes('file')

/** Returns the FROM clause of a collection, with tenant_id in each row. */
export function collectionSource({ file, table = file }: Collection): Sql {
  return SOURCES[file] ?? sql`${raw(table)} t`
}

const MEMBERS = sql`(select m.tenant_id, m.user_id, u.name, u.email, u.language, m.role, m.ceiling, m.skills,
  m.created_at, m.deactivated_at
  from members m join users u on u.id = m.user_id) t`

/** Sources that join more than one table. */
const SOURCES: Readonly<Record<string, Sql>> = {
  company: sql`(select t.*, t.id as tenant_id from tenants t) t`,
  members: MEMBERS,
  profile: MEMBERS,
  sessions: sql`(select m.tenant_id, m.user_id, s.id, s.methods, nullif(x.device, '') as device, x.network,
    x.first_at as created_at, x.last_at as seen_at
    from members m join session_uses x on x.tenant_id = m.tenant_id and x.user_id = m.user_id
      join sessions s on s.id = x.session_id and s.user_id = m.user_id
    where m.deactivated_at is null) t`,
  security_log: sql`(select m.tenant_id, m.user_id, e.id, e.at, e.kind, case when x.is_here then e.device end as device,
    case when x.is_here then e.network end as network
    from members m join account_events e on ${isVisibleToCompany}
      cross join lateral (select exists (select 1 from session_uses u
      where u.tenant_id = ${ENTERED_TENANT} and u.user_id = m.user_id and u.network = e.network
        and u.device = coalesce(e.device, '')) as is_here) x) t`,
}
