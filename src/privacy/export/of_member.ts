import type { Sql } from '../../platform/db/database.ts'
import { ENTERED, sql } from '../../platform/db/tenant.ts'
import type { Collection } from './collection.ts'

/** The files of one member: who they are here, and what they did, without what others said. */
export const COLLECTIONS_OF_MEMBER: readonly (Collection & { rows: (user: string) => Sql })[] = [
  {
    file: 'profile',
    about: 'The person and their membership.',
    key: ['user_id'],
    columns: 'user_id name email language role ceiling skills created_at deactivated_at',
    rows: (user) => sql`user_id = ${user}`,
  },
  {
    file: 'sessions',
    about: 'Where they used this company, signed in as they are now, without what proves it; nothing after they left.',
    key: ['id', 'network', 'device'],
    columns: 'id methods device network created_at seen_at',
    rows: (user) => sql`user_id = ${user}`,
  },
  {
    file: 'security_log',
    about:
      'What happened to their account while they belonged to the company, of the last year. Device and network ' +
      'are there where they used this company from the same.',
    key: ['id'],
    columns: 'id at kind device network',
    rows: (user) => sql`user_id = ${user}`,
  },
  {
    file: 'company_identities',
    about: "Their accounts at the company's own provider.",
    key: ['issuer', 'subject'],
    columns: 'issuer subject email created_at used_at',
    rows: (user) => sql`user_id = ${user}`,
  },
  {
    file: 'credentials',
    about: 'Their API keys and apps in this company.',
    key: ['id'],
    columns: 'id kind name scopes expires_at revoked_at last_used_at created_at client_id',
    rows: (user) => sql`user_id = ${user}`,
  },
  {
    file: 'assistant_conversations',
    about: 'Their conversations with the assistant.',
    key: ['id'],
    columns: 'id title input_tokens output_tokens cost_micros created_at updated_at',
    rows: (user) => sql`user_id = ${user}`,
  },
  {
    file: 'assistant_messages',
    about: 'The messages of those conversations.',
    key: ['conversation_id', 'position'],
    columns: 'conversation_id position role content created_at',
    rows: (user) => sql`conversation_id in (
      select c.id from assistant_conversations c where c.tenant_id = ${ENTERED} and c.user_id = ${user})`,
  },
  {
    file: 'working_weeks',
    about: 'When they work.',
    key: ['id'],
    columns: 'id days travel_minutes arrival_window_minutes',
    rows: (user) => sql`user_id = ${user}`,
  },
  {
    file: 'working_exceptions',
    about: 'Their days that are different.',
    key: ['id'],
    columns: 'id day hours note',
    rows: (user) => sql`user_id = ${user}`,
  },
  {
    file: 'assignments',
    table: 'jobs',
    about: 'The jobs they are assigned to.',
    key: ['id'],
    columns: 'id display_number status scheduled_start scheduled_end completed_at',
    rows: (user) => sql`${user}::uuid = any(assignee_ids)`,
  },
  {
    file: 'time_entries',
    about: 'When they worked on which job.',
    key: ['id'],
    columns: 'id job_id started_at ended_at ended_by is_corrected created_at',
    rows: (user) => sql`user_id = ${user}`,
  },
  {
    file: 'time_corrections',
    about: 'What those times were before they were corrected, and why.',
    key: ['id'],
    columns: 'id entry_id started_before ended_before started_at ended_at reason corrected_at',
    rows: (user) =>
      sql`entry_id in (select e.id from time_entries e where e.tenant_id = ${ENTERED} and e.user_id = ${user})`,
  },
  {
    file: 'quotes',
    about: 'The quotes they own.',
    key: ['id'],
    columns: 'id display_number status issue_date total_cents currency',
    rows: (user) => sql`owner_id = ${user}`,
  },
  {
    file: 'notes',
    about: 'The notes they wrote.',
    key: ['id'],
    columns: 'id body subject_type subject_id created_at updated_at archived_at',
    rows: (user) => sql`created_by = ${user}`,
  },
  {
    file: 'push_devices',
    about: 'Browsers in which they turned on notifications.',
    key: ['id'],
    columns: 'id device kinds created_at',
    rows: (user) => sql`user_id = ${user}`,
  },
  {
    file: 'saved_views',
    about: 'Lists that they named.',
    key: ['id'],
    columns: 'id list name query is_shared created_at',
    rows: (user) => sql`user_id = ${user}`,
  },
  {
    file: 'list_columns',
    about: 'Columns that they chose for lists.',
    key: ['list'],
    columns: 'list columns',
    rows: (user) => sql`user_id = ${user}`,
  },
  {
    file: 'catalog_favorites',
    about: 'Catalog items that they keep first on their phone.',
    key: ['item_id'],
    columns: 'item_id',
    rows: (user) => sql`user_id = ${user}`,
  },
  {
    file: 'audit',
    about: 'What they did: when, with what, and to which record.',
    key: ['id'],
    columns: 'id at credential_id client tool record_type record_id',
    rows: (user) => sql`user_id = ${user}`,
  },
]
