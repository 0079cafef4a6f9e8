import type { Sql } from '../../platform/db/database.ts'
import { ENTERED_TENANT, sql } from '../../platform/db/tenant.ts'
import type { Collection } from './collection.ts'

/** File of a member's archive: rows with their user id, unless `rows` is set. */
type MemberCollection = Collection & { rows?: (user: string) => Sql }

/** Files of one member: their profile and actions, without what others wrote. */
export const COLLECTIONS_OF_MEMBER: readonly MemberCollection[] = [
  {
    file: 'profile',
    about: 'The person and their membership.',
    key: ['user_id'],
    columns: 'user_id name email language role ceiling skills created_at deactivated_at',
  },
  {
    file: 'sessions',
    about: 'Their current sign-ins to this company, without secrets; none after they left.',
    key: ['id', 'network', 'device'],
    columns: 'id methods device network created_at seen_at',
  },
  {
    file: 'security_log',
    about:
      'Account activity of the last year while they belonged to the company. Device and network are included ' +
      'if they used this company from them.',
    columns: 'id at kind device network',
  },
  {
    file: 'company_identities',
    about: "Their accounts at the company's own provider.",
    key: ['issuer', 'subject'],
    columns: 'issuer subject email created_at used_at',
  },
  { file: 'credentials', columns: 'id kind name scopes expires_at revoked_at last_used_at created_at client_id' },
  { file: 'assistant_conversations', columns: 'id title input_tokens output_tokens cost_micros created_at updated_at' },
  {
    file: 'assistant_messages',
    key: ['conversation_id', 'position'],
    columns: 'conversation_id position role content created_at',
    rows: (user) => sql`conversation_id in (
      select c.id from assistant_conversations c where c.tenant_id = ${ENTERED_TENANT} and c.user_id = ${user})`,
  },
  { file: 'working_weeks', columns: 'id days travel_minutes arrival_window_minutes' },
  { file: 'working_exceptions', columns: 'id day hours note' },
  {
    file: 'assignments',
    table: 'jobs',
    about: 'Jobs assigned to them.',
    columns: 'id display_number status scheduled_start scheduled_end completed_at',
    rows: (user) => sql`${user}::uuid = any(assignee_ids)`,
  },
  { file: 'time_entries', columns: 'id job_id started_at ended_at ended_by is_corrected created_at' },
  {
    file: 'time_corrections',
    columns: 'id entry_id started_before ended_before started_at ended_at reason corrected_at',
    rows: (user) =>
      sql`entry_id in (select e.id from time_entries e where e.tenant_id = ${ENTERED_TENANT} and e.user_id = ${user})`,
  },
  {
    file: 'quotes',
    columns: 'id display_number status issue_date total_cents currency',
    rows: (user) => sql`owner_id = ${user}`,
  },
  {
    file: 'notes',
    columns: 'id body subject_type subject_id created_at updated_at archived_at',
    rows: (user) => sql`created_by = ${user}`,
  },
  {
    file: 'push_devices',
    about: 'Browsers where they turned on notifications.',
    columns: 'id device kinds created_at',
  },
  { file: 'saved_views', columns: 'id list name query is_shared created_at' },
  { file: 'list_columns', key: ['list'], columns: 'list columns' },
  { file: 'catalog_favorites', key: ['item_id'], columns: 'item_id' },
  { file: 'audit', columns: 'id at credential_id client tool record_type record_id' },
]
