import { entities } from '../../records/index.ts'
import { textColumns } from '../../tools/declare/record_facts.ts'

/** Rule for exporting a company's rows of a table. */
export type ExportRule = {
  /** Text, JSON and byte columns to export unchanged. None of them is a secret. */
  unchanged: readonly string[]
  /** SQL expressions that replace a column's value in the file. */
  replacements: Readonly<Record<string, string>>
  /** Returns the SQL condition of the company's rows, given its id as SQL. */
  condition: (tenant: string) => string
}

function exportRule(
  unchanged: string,
  { replacements = {}, condition = (tenant) => `tenant_id = ${tenant}` }: Partial<Omit<ExportRule, 'unchanged'>> = {},
): ExportRule {
  return { unchanged: unchanged.split(' ').filter((column) => column !== ''), replacements, condition }
}

/** Returns SQL that ends what a secret gives access to, because the secret isn't exported. */
const endColumn = (column: string): string => `coalesce(${column}, now()::timestamptz(3))`

/**
 * Export rules of all tables in a company's file. A test fails for a text column in neither `unchanged` nor
 * `replacements`, and for a table neither here nor in OMITTED_TABLES.
 */
export const EXPORT_RULES: Readonly<Record<string, ExportRule>> = {
  users: exportRule('email name language', {
    condition: (tenant) => `id in (select user_id from members where tenant_id = ${tenant})`,
    replacements: {
      password_hash: 'null',
      proved_at: 'null',
      vouched_at: 'null',
      made_through: 'null',
      sign_in_epoch: '0',
    },
  }),
  tenants: exportRule(
    'name timezone currency country invoice_prefix address phone email document_footer how_to_pay website ' +
      'license_number app_policy all_propose',
    { condition: (tenant) => `id = ${tenant}` },
  ),
  credentials: exportRule('kind name last_four scopes client_id proposes', {
    replacements: {
      revoked_at: `case when kind = 'browser' then revoked_at else ${endColumn('revoked_at')} end`,
      opens_pages: 'null',
      fills_forms: 'null',
      question_id: 'null',
      question_at: 'null',
      question_answer: 'null',
    },
  }),
  customer_links: exportRule('offer', { replacements: { revoked_at: endColumn('revoked_at') } }),
  invitations: exportRule('email name role ceiling', {
    replacements: { withdrawn_at: `case when accepted_at is null then ${endColumn('withdrawn_at')} end` },
  }),
  payment_events: exportRule('digest event_id endpoint type account_id state reason raw', {
    condition: (tenant) => `tenant_id = ${tenant}
      or (tenant_id is null and account_id in (select account_id from payment_accounts where tenant_id = ${tenant}))`,
  }),
  sent_messages: exportRule('channel provider_id status error_message error_code suppressed_for suppressed_detail', {
    condition: (tenant) => `tenants = array[${tenant}]`,
  }),
  acceptances: exportRule('name signature address user_agent hash content'),
  assistant_conversations: exportRule('title', { replacements: { running_until: 'null' } }),
  assistant_days: exportRule(''),
  assistant_messages: exportRule('role content'),
  attachment_spool: exportRule('bytes'),
  autopay: exportRule('consent address user_agent stopped_by'),
  autopay_runs: exportRule('state reason'),
  attachments: exportRule('file_name content_type state reason storage_key source_url'),
  audit: exportRule('client tool record_type changed'),
  books_records: exportRule('program organization kind state remote customer number sent reason detail'),
  booking_pages: exportRule('name services frame_origins', {
    replacements: {
      is_on: 'false',
      secret: `decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')`,
    },
  }),
  catalog_components: exportRule(''),
  checkout_sessions: exportRule('account_id session currency state'),
  communications: exportRule(
    'channel direction status provider provider_message_id sender sender_address recipients subject body html ' +
      'in_reply_to dmarc content_hash error_message error_code',
  ),
  checklist_template_items: exportRule('text kind'),
  checklist_templates: exportRule('name applies words'),
  conversations: exportRule('channel subject counterpart'),
  correspondents: exportRule('address'),
  counters: exportRule('name'),
  customer_link_views: exportRule('address'),
  customer_tags: exportRule(''),
  deposit_deductions: exportRule(''),
  equipment: exportRule('kind model serial note'),
  erasures: exportRule('kind counts'),
  field_acts: exportRule('kind fingerprint'),
  invoice_deliveries: exportRule('channel provider_id status recipient error_message error_code'),
  import_links: exportRule('source kind source_id name_folded'),
  import_mappings: exportRule('kind fingerprint mapping'),
  invoice_jobs: exportRule(''),
  job_assignees: exportRule('status'),
  job_checklist_items: exportRule('text kind value'),
  job_checklists: exportRule('name'),
  job_media: exportRule('file_name content_type storage_key caption stage'),
  job_signatures: exportRule('name drawing hash content'),
  job_titles: exportRule('title'),
  journal: exportRule('kind key op image'),
  late_messages: exportRule(''),
  late_reports: exportRule(''),
  ledger_batches: exportRule('format country currency'),
  ledger_entries: exportRule('source document booking'),
  listed_apps: exportRule('kind value name'),
  location_positions: exportRule('address_hash source'),
  logos: exportRule('content_type bytes'),
  mailboxes: exportRule('address'),
  managed_numbers: exportRule('number'),
  members: exportRule('role ceiling skills'),
  message_templates: exportRule('kind channel language subject body'),
  notice_settings: exportRule(''),
  outbox: exportRule('channel cause state recipient recipient_name about_kind attachments reason reply facts', {
    replacements: { unsubscribe_secret: 'null' },
  }),
  outbox_limits: exportRule(''),
  payment_accounts: exportRule('account_id'),
  payment_capabilities: exportRule('account_id part status detail'),
  payment_disputes: exportRule('dispute reason outcome'),
  payment_methods: exportRule(
    'account_id state session provider_customer method kind brand last_four consent address user_agent removed_by',
  ),
  payment_names: exportRule('name charge'),
  payment_refund_sums: exportRule('charge'),
  payment_refunds: exportRule('charge refund'),
  payment_settings: exportRule(''),
  payment_waits: exportRule('name'),
  payments: exportRule('kind source charge method reference note'),
  pending_payments: exportRule('payment session'),
  plan_runs: exportRule(''),
  proposals: exportRule('connection client state scopes word'),
  proposed_calls: exportRule('tool given given_before edited result written idempotency_key fingerprint'),
  reminder_exclusions: exportRule(''),
  reminder_settings: exportRule('kind channel'),
  reminders: exportRule('kind left_out reason'),
  removals: exportRule('kind record'),
  saved_charges: exportRule('cause currency state intent code message'),
  catalog_favorites: exportRule(''),
  list_columns: exportRule('list columns'),
  saved_views: exportRule('list name query'),
  report_days: exportRule('report split'),
  report_marks: exportRule('report'),
  search_entries: exportRule('kind words'),
  suppressions: exportRule('channel address reason detail'),
  time_corrections: exportRule('reason'),
  time_entries: exportRule('ended_by'),
  online_bookings: exportRule('state'),
  catalog_item_costs: exportRule(''),
  labor_rates: exportRule(''),
  quote_templates: exportRule('name options'),
  statement_runs: exportRule(''),
  statement_sendings: exportRule('state reason'),
  tips: exportRule('kind charge'),
  tool_uses: exportRule('tool'),
  travel_times: exportRule(''),
  undone: exportRule(''),
  working_exceptions: exportRule('hours note'),
  working_weeks: exportRule('days'),
  ...Object.fromEntries(entities.map(({ record }) => [record.table, exportRule(textColumns(record).join(' '))])),
}

/** Reasons for omitting tables. Every table without a rule is here. */
export const OMITTED_TABLES: Readonly<Record<string, string>> = {
  account_events: "the people's own accounts",
  account_links: "secrets of the people's own accounts",
  account_mails: "the people's own accounts",
  app_requests: 'apps are connected again',
  assistant_models: 'its key, which is entered again',
  attempts: "the installation's",
  releases: "the installation's",
  backup_status: "the installation's",
  worker_processes: "the installation's",
  company_measures: 'counted again',
  health_reports: "the installation's",
  books_connections: 'its tokens; the program is connected again',
  booking_holds: 'times held for minutes',
  booking_names: 'page addresses; the new installation assigns its own',
  catalog_pictures: 'fetched again',
  chore_leases: 'the other installation schedules its own work',
  company_links: "the installation's",
  company_starts: "the installation's",
  company_exports: 'archives that can be made again',
  import_rows: 'results for each row of a file, to reverse an import where it was made',
  imports: 'import reports, each about a file with many people',
  customer_link_hashes: 'secrets: links are created again',
  field_pieces: 'parts of photos being uploaded from phones, for days',
  file_removals: 'each installation removes its own files',
  frozen_companies: 'decided where the company is imported',
  idempotency_keys: 'of keys and apps, which are created again',
  company_identities: "the people's accounts at the company's provider",
  company_providers: 'its secret, which is entered and tested again',
  identities: "the people's own accounts",
  incoming_pieces: 'parts of requests, for minutes',
  invitation_hashes: 'secrets: people are invited again',
  key_hashes: 'secrets: keys are created again',
  known_browsers: "the people's own accounts",
  migrations: "the installation's",
  notice_tasks: 'a work queue, done within minutes',
  notices: "the people's own accounts",
  oauth_authorizations: 'apps are connected again',
  oauth_clients: 'apps with their secrets, which are registered again',
  oauth_grants: 'apps are connected again',
  oauth_records: 'app tokens and codes',
  operators: "the installation's",
  passkey_challenges: 'valid for minutes',
  passkeys: "bound to the installation's host",
  pending_sign_ins: 'valid for minutes',
  provider_requests: 'valid for minutes',
  push_devices: 'browsers, which the installation where they turned notifications on notifies',
  push_tasks: 'a work queue, done within seconds',
  quarantined_messages: 'waiting for the operator of the installation that received them',
  rate_windows: "the installation's",
  recovery_codes: "secrets of the people's own accounts",
  removal_marks: 'of keys and apps, which are created again',
  reviews: "what the installation's operators did",
  session_uses: 'of sessions, which start again',
  sessions: 'secrets: people sign in again',
  signing_keys: 'secrets of the installation',
  totp_secrets: "secrets of the people's own accounts",
  user_tenants: 'rebuilt from members',
}
