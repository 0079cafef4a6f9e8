import { sql, type Sql } from '../../platform/db/tenant.ts'
import { whereAboutRecords } from '../../undo/journal.ts'
import { erased } from '../../records/declare/erased.ts'
import { UUID_PATTERN, NAMES_OF_CHANGED, whereIdIn, type RetentionRule } from './retention_rule.ts'
import { subjectRecordIds } from './subject.ts'

/** Puts a space around each word of a text, possibly JSON, so that a name never matches within another word. */
const spacedWords = (text: Sql): Sql =>
  sql`regexp_replace(' ' || regexp_replace(lower(${text}), '\\\\[a-z]', ' ', 'g') || ' ', '[^[:alnum:]]+', ' ', 'g')`

/** Rules for correspondence with a customer, which is deleted entirely, in foreign key order. */
export const CORRESPONDENCE_RULES: readonly RetentionRule[] = [
  {
    table: 'attachment_spool',
    rows: ({ subject, tenant }) => sql`attachment_id in (
      select id from attachments where tenant_id = ${tenant} and ${whereIdIn('communication_id', subject.messages)})`,
    isDeleted: true,
  },
  { table: 'attachments', rows: ({ subject }) => whereIdIn('communication_id', subject.messages), isDeleted: true },
  {
    table: 'sent_messages',
    isServices: true,
    rows: ({ subject: { sent }, tenant }) => sql`tenants = array[${tenant}::uuid] and (channel, provider_id) in (
      select channel, id
      from unnest(${sent.map(({ channel }) => channel)}::text[],
        ${sent.map(({ provider_id }) => provider_id)}::text[]) one (channel, id))`,
    isDeleted: true,
  },
  {
    table: 'communications',
    rows: ({ subject, tenant }) => sql`in_reply_to in (
      select provider_message_id from communications where tenant_id = ${tenant} and ${whereIdIn('id', subject.messages)})`,
    replacements: () => ({ in_reply_to: erased.nothing }),
    retainedColumns: [],
  },
  {
    table: 'communications',
    rows: ({ subject: of }) =>
      sql`${whereIdIn('conversation_id', of.conversations)} and id <> all(${of.messages}::uuid[])`,
    replacements: () => ({ conversation_id: erased.nothing }),
    retainedColumns: [],
  },
  { table: 'outbox', rows: ({ subject: of }) => whereIdIn('id', of.messages), isDeleted: true },
  {
    table: 'reminders',
    rows: ({ subject: of }) =>
      sql`${whereIdIn('record_id', subjectRecordIds(of))} or ${whereIdIn('message_id', of.messages)}`,
    isDeleted: true,
  },
  { table: 'statement_sendings', rows: ({ subject: of }) => whereIdIn('customer_id', of.customers), isDeleted: true },
  { table: 'communications', rows: ({ subject: of }) => whereIdIn('id', of.messages), isDeleted: true },
  { table: 'conversations', rows: ({ subject: of }) => whereIdIn('id', of.conversations), isDeleted: true },
  { table: 'correspondents', rows: ({ subject: of }) => whereIdIn('id', of.correspondents), isDeleted: true },
  {
    table: 'quarantined_messages',
    isServices: true,
    rows: ({ subject: of, tenant }) =>
      sql`sender_address = any(${of.addresses}::text[])
        and (tenant_id = ${tenant} or (assigned_to <> '{}' and assigned_to <@ array[${tenant}::uuid]))`,
    isDeleted: true,
  },
  { table: 'acceptances', rows: ({ subject: of }) => whereIdIn('quote_id', of.quotes), isDeleted: true },
  { table: 'customer_link_views', rows: ({ subject: of }) => whereIdIn('link_id', of.links), isDeleted: true },
  { table: 'customer_link_hashes', rows: ({ subject: of }) => whereIdIn('link_id', of.links), isDeleted: true },
  { table: 'customer_links', rows: ({ subject: of }) => whereIdIn('id', of.links), isDeleted: true },
  { table: 'job_media', rows: ({ subject: of }) => whereIdIn('job_id', of.jobs), isDeleted: true },
  { table: 'job_signatures', rows: ({ subject: of }) => whereIdIn('job_id', of.jobs), isDeleted: true },
]

/** Rules for tables that reference records of every kind, applied after those records are empty. */
export const TRACE_RULES: readonly RetentionRule[] = [
  {
    table: 'search_entries',
    rows: ({ subject: of }) =>
      sql`(kind = 'message' and ${whereIdIn('id', of.messages)})
        or (${whereIdIn('customer_id', of.customers)} and kind not in ('invoice', 'quote', 'job'))`,
    isDeleted: true,
  },
  {
    table: 'search_entries',
    rows: ({ subject: of }) => whereIdIn('customer_id', of.customers),
    replacements: () => ({ words: sql`' erased customer '` }),
    retainedColumns: ['kind'],
  },
  {
    table: 'audit',
    rows: ({ subject: of }) =>
      sql`${whereIdIn('record_id', subjectRecordIds(of))} or (tool in ('messages.unsuppress', 'messages.suppress')
        and coalesce(changed -> 'address' ->> 0, changed -> 'address' ->> 1) = any(${of.addresses}::text[]))`,
    replacements: () => ({
      changed: NAMES_OF_CHANGED,
      // Without a credential, this column names the person who answered through a link.
      client: sql`case when credential_id is null then null else client end`,
    }),
    retainedColumns: ['tool', 'record_type'],
  },
  {
    table: 'idempotency_keys',
    rows: ({ subject: of }) =>
      sql`exists (select 1 from regexp_matches(answer, ${UUID_PATTERN}, 'g') found
        where found[1] = any(${subjectRecordIds(of)}::text[]))`,
    isDeleted: true,
  },
  {
    table: 'reviews',
    isServices: true,
    rows: ({ subject: of }) =>
      sql`act = 'quarantine.discard_many'
        and exists (select 1 from unnest(${of.addresses}::text[]) address
          where position(address in changed::text) > 0)`,
    replacements: () => ({ changed: NAMES_OF_CHANGED }),
    retainedColumns: ['act', 'record_type'],
  },
  {
    table: 'proposals',
    rows: ({
      subject: of,
      tenant,
    }) => sql`id in (select proposal_id from proposed_calls where tenant_id = ${tenant} and exists (
      select 1 from regexp_matches(given || coalesce(given_before, '') || result || written, ${UUID_PATTERN}, 'g') found
      where found[1] = any(${subjectRecordIds(of)}::text[])))`,
    isDeleted: true,
  },
  // A conversation that contains the customer's name, an address or an id is deleted entirely.
  {
    table: 'assistant_conversations',
    rows: ({
      subject: of,
      tenant,
    }) => sql`id in (select conversation_id from assistant_messages where tenant_id = ${tenant}
      and (exists (select 1 from regexp_matches(content, ${UUID_PATTERN}, 'g') found
          where found[1] = any(${subjectRecordIds(of)}::text[]))
        or exists (select 1 from unnest(${of.addresses}::text[]) address
          where position(lower(address) in lower(content)) > 0)
        or position(nullif(${spacedWords(sql`${of.name}::text`)}, ' ') in ${spacedWords(sql`content`)}) > 0))`,
    isDeleted: true,
  },
  { table: 'suppressions', rows: ({ subject: of }) => sql`address = any(${of.addresses}::text[])`, isDeleted: true },
  { table: 'location_positions', rows: ({ subject: of }) => whereIdIn('location_id', of.locations), isDeleted: true },
  // Routes reveal where people live, and they can be calculated again.
  { table: 'travel_times', rows: () => sql`true`, isDeleted: true },
  // A file names many people, its import takes minutes, and it is kept only for its report.
  { table: 'imports', rows: () => sql`true`, isDeleted: true },
  { table: 'import_rows', rows: () => sql`true`, isDeleted: true },
  { table: 'import_links', rows: ({ subject: of }) => whereIdIn('record_id', subjectRecordIds(of)), isDeleted: true },
  // Last, since it holds each row's earlier versions, even from before this erasure. Afterwards nothing can be undone.
  { table: 'journal', rows: ({ subject: of }) => whereAboutRecords(subjectRecordIds(of)), isDeleted: true },
]
