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
    rows: ({ of, tenant }) => sql`attachment_id in (
      select id from attachments where tenant_id = ${tenant} and ${whereIdIn('communication_id', of.messages)})`,
    goes: true,
  },
  { table: 'attachments', rows: ({ of }) => whereIdIn('communication_id', of.messages), goes: true },
  {
    table: 'sent_messages',
    isServices: true,
    rows: ({ of: { sent }, tenant }) => sql`tenants = array[${tenant}::uuid] and (channel, provider_id) in (
      select channel, id
      from unnest(${sent.map(({ channel }) => channel)}::text[],
        ${sent.map(({ provider_id }) => provider_id)}::text[]) one (channel, id))`,
    goes: true,
  },
  {
    table: 'communications',
    rows: ({ of, tenant }) => sql`in_reply_to in (
      select provider_message_id from communications where tenant_id = ${tenant} and ${whereIdIn('id', of.messages)})`,
    becomes: () => ({ in_reply_to: erased.nothing }),
    keeps: [],
  },
  {
    table: 'communications',
    rows: ({ of }) => sql`${whereIdIn('conversation_id', of.conversations)} and id <> all(${of.messages}::uuid[])`,
    becomes: () => ({ conversation_id: erased.nothing }),
    keeps: [],
  },
  { table: 'outbox', rows: ({ of }) => whereIdIn('id', of.messages), goes: true },
  {
    table: 'reminders',
    rows: ({ of }) => sql`${whereIdIn('record_id', subjectRecordIds(of))} or ${whereIdIn('message_id', of.messages)}`,
    goes: true,
  },
  { table: 'statement_sendings', rows: ({ of }) => whereIdIn('customer_id', of.customers), goes: true },
  { table: 'communications', rows: ({ of }) => whereIdIn('id', of.messages), goes: true },
  { table: 'conversations', rows: ({ of }) => whereIdIn('id', of.conversations), goes: true },
  { table: 'correspondents', rows: ({ of }) => whereIdIn('id', of.correspondents), goes: true },
  {
    table: 'quarantined_messages',
    isServices: true,
    rows: ({ of, tenant }) =>
      sql`sender_address = any(${of.addresses}::text[])
        and (tenant_id = ${tenant} or (assigned_to <> '{}' and assigned_to <@ array[${tenant}::uuid]))`,
    goes: true,
  },
  { table: 'acceptances', rows: ({ of }) => whereIdIn('quote_id', of.quotes), goes: true },
  { table: 'customer_link_views', rows: ({ of }) => whereIdIn('link_id', of.links), goes: true },
  { table: 'customer_link_hashes', rows: ({ of }) => whereIdIn('link_id', of.links), goes: true },
  { table: 'customer_links', rows: ({ of }) => whereIdIn('id', of.links), goes: true },
  { table: 'job_media', rows: ({ of }) => whereIdIn('job_id', of.jobs), goes: true },
  { table: 'job_signatures', rows: ({ of }) => whereIdIn('job_id', of.jobs), goes: true },
]

/** Rules for tables that reference records of every kind, applied after those records are empty. */
export const TRACE_RULES: readonly RetentionRule[] = [
  {
    table: 'search_entries',
    rows: ({ of }) =>
      sql`(kind = 'message' and ${whereIdIn('id', of.messages)})
        or (${whereIdIn('customer_id', of.customers)} and kind not in ('invoice', 'quote', 'job'))`,
    goes: true,
  },
  {
    table: 'search_entries',
    rows: ({ of }) => whereIdIn('customer_id', of.customers),
    becomes: () => ({ words: sql`' erased customer '` }),
    keeps: ['kind'],
  },
  {
    table: 'audit',
    rows: ({ of }) =>
      sql`${whereIdIn('record_id', subjectRecordIds(of))} or (tool in ('messages.unsuppress', 'messages.suppress')
        and coalesce(changed -> 'address' ->> 0, changed -> 'address' ->> 1) = any(${of.addresses}::text[]))`,
    becomes: () => ({
      changed: NAMES_OF_CHANGED,
      // Without a credential, this column names the person who answered through a link.
      client: sql`case when credential_id is null then null else client end`,
    }),
    keeps: ['tool', 'record_type'],
  },
  {
    table: 'idempotency_keys',
    rows: ({ of }) =>
      sql`exists (select 1 from regexp_matches(answer, ${UUID_PATTERN}, 'g') found
        where found[1] = any(${subjectRecordIds(of)}::text[]))`,
    goes: true,
  },
  {
    table: 'reviews',
    isServices: true,
    rows: ({ of }) =>
      sql`act = 'quarantine.discard_many'
        and exists (select 1 from unnest(${of.addresses}::text[]) address
          where position(address in changed::text) > 0)`,
    becomes: () => ({ changed: NAMES_OF_CHANGED }),
    keeps: ['act', 'record_type'],
  },
  {
    table: 'proposals',
    rows: ({ of, tenant }) => sql`id in (select proposal_id from proposed_calls where tenant_id = ${tenant} and exists (
      select 1 from regexp_matches(given || coalesce(given_before, '') || result || written, ${UUID_PATTERN}, 'g') found
      where found[1] = any(${subjectRecordIds(of)}::text[])))`,
    goes: true,
  },
  // A conversation that contains the customer's name, an address or an id is deleted entirely.
  {
    table: 'assistant_conversations',
    rows: ({ of, tenant }) => sql`id in (select conversation_id from assistant_messages where tenant_id = ${tenant}
      and (exists (select 1 from regexp_matches(content, ${UUID_PATTERN}, 'g') found
          where found[1] = any(${subjectRecordIds(of)}::text[]))
        or exists (select 1 from unnest(${of.addresses}::text[]) address
          where position(lower(address) in lower(content)) > 0)
        or position(nullif(${spacedWords(sql`${of.name}::text`)}, ' ') in ${spacedWords(sql`content`)}) > 0))`,
    goes: true,
  },
  { table: 'suppressions', rows: ({ of }) => sql`address = any(${of.addresses}::text[])`, goes: true },
  { table: 'location_positions', rows: ({ of }) => whereIdIn('location_id', of.locations), goes: true },
  // Routes reveal where people live, and they can be calculated again.
  { table: 'travel_times', rows: () => sql`true`, goes: true },
  // A file names many people, its import takes minutes, and it is kept only for its report.
  { table: 'imports', rows: () => sql`true`, goes: true },
  { table: 'import_rows', rows: () => sql`true`, goes: true },
  { table: 'import_links', rows: ({ of }) => whereIdIn('record_id', subjectRecordIds(of)), goes: true },
  // Last, since it holds each row's earlier versions, even from before this erasure. Afterwards nothing can be undone.
  { table: 'journal', rows: ({ of }) => whereAboutRecords(subjectRecordIds(of)), goes: true },
]
