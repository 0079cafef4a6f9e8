import type { Collection } from './collection.ts'
import { RECORD_COLLECTIONS } from '../record_walk.ts'
import { MONEY_COLLECTIONS } from './money_collections.ts'

/** Every file of a company archive: its description, table and columns. None contains secrets. */
export const COLLECTIONS: readonly Collection[] = [
  {
    file: 'company',
    table: 'tenants',
    about: 'The company itself.',
    columns:
      'id name timezone currency country address phone email website license_number document_footer how_to_pay ' +
      'default_net_days invoice_prefix created_at asks_second_factor destructive_proposes burst_limit ' +
      'burst_limits_keys all_propose write_offs_propose proposes_above_cents ' +
      'assistant_prepares app_policy starts_clock charges_no_tax',
    omitted: 'is_demo first_steps_dismissed_at',
  },
  {
    file: 'members',
    about: 'Current and former members of the company.',
    key: ['user_id'],
    columns: 'user_id name email role ceiling skills created_at deactivated_at',
  },
  {
    file: 'invitations',
    about: 'Invitations to join the company.',
    columns: 'id email name role created_by created_at expires_at accepted_at withdrawn_at ceiling',
    omitted: 'starts_over mailed_at',
  },
  {
    file: 'credentials',
    about: 'API keys and apps, without their secrets.',
    columns: 'id kind user_id name scopes expires_at revoked_at last_used_at created_at client_id proposes last_four',
    omitted: 'access_version held_at opens_pages fills_forms question_id question_at question_answer',
  },
  {
    file: 'saved_views',
    about: 'List filters and sort orders that members saved.',
    columns: 'id user_id list name query is_shared created_at',
  },
  {
    file: 'list_columns',
    about: 'List columns that members chose.',
    key: ['user_id', 'list'],
    columns: 'user_id list columns',
  },
  {
    file: 'catalog_favorites',
    about: 'Catalog items that members marked as favorites on their phones.',
    key: ['user_id', 'item_id'],
    columns: 'user_id item_id',
  },
  {
    file: 'assistant_conversations',
    about: 'Conversations of members with the assistant, and their usage.',
    columns: 'id user_id title input_tokens output_tokens cost_micros prepared_for created_at updated_at',
    omitted: 'running_until',
  },
  {
    file: 'assistant_messages',
    about: 'Messages of those conversations.',
    key: ['conversation_id', 'position'],
    columns: 'conversation_id position role content created_at',
  },
  {
    file: 'assistant_days',
    about: "The assistant's usage by day.",
    key: ['day'],
    columns: 'day input_tokens output_tokens cost_micros',
  },
  {
    file: 'working_weeks',
    about: 'When the company and its members work.',
    columns: 'id user_id days travel_minutes arrival_window_minutes',
  },
  { file: 'working_exceptions', about: 'Days with other hours.', columns: 'id user_id day hours note' },
  {
    file: 'booking_pages',
    about: 'The online booking page, and the rules for changing visits.',
    key: ['tenant_id'],
    columns:
      'name is_on needs_approval notice_hours days_ahead window_minutes services frame_origins move_hours cancel_hours ' +
      'changes_bookable_only updated_at',
    omitted: 'secret',
  },
  {
    file: 'online_bookings',
    about: "Jobs booked online, and the office's decisions.",
    key: ['job_id'],
    columns: 'job_id state created_at',
  },
  {
    file: 'customer_tags',
    about: 'Tags of customers.',
    key: ['customer_id', 'tag_id'],
    columns: 'customer_id tag_id',
    omitted: 'customer_created_at',
  },
  {
    file: 'job_media',
    about: 'Photos and files on jobs.',
    columns: 'id job_id file_name content_type size_bytes caption stage created_at created_by file',
    omitted: 'storage_key',
  },
  {
    file: 'checklist_templates',
    about: 'Checklists by kind of work.',
    columns: 'id name applies words created_at updated_at created_by updated_by archived_at',
  },
  {
    file: 'checklist_template_items',
    about: 'The items of those checklists.',
    columns: 'id template_id position text kind is_required dropped_at',
  },
  {
    file: 'job_checklists',
    about: 'Checklists on jobs.',
    key: ['job_id', 'template_id'],
    columns: 'job_id template_id name position added_at added_by left_out_at',
  },
  {
    file: 'job_checklist_items',
    about: 'Checklist items and answers on jobs.',
    key: ['job_id', 'id'],
    columns: 'job_id id template_id position text kind is_required value answered_at answered_by',
  },
  {
    file: 'time_entries',
    about: 'When members worked on each job.',
    columns: 'id user_id job_id started_at ended_at ended_by is_corrected created_at',
  },
  {
    file: 'time_corrections',
    about: 'Times before each correction, and the reason.',
    columns: 'id entry_id started_before ended_before started_at ended_at reason corrected_by corrected_at',
  },
  {
    file: 'equipment',
    about: "Equipment at customers' locations.",
    columns: 'id location_id kind model serial installed_on note photo_ids created_at updated_at created_by updated_by',
  },
  {
    file: 'job_signatures',
    about: 'Signed work orders, and who signed them.',
    columns: 'id job_id signed_at name drawing taken_by taken_at content hash',
  },
  ...RECORD_COLLECTIONS,
  ...MONEY_COLLECTIONS,
  {
    file: 'messages',
    table: 'communications',
    about: 'Mail and texts, in both directions.',
    columns:
      'id channel direction status sender recipients customer_id contact_id subject body html dmarc error_message ' +
      'read_at occurred_at created_at error_code',
    omitted: 'conversation_id provider provider_message_id sender_address in_reply_to content_hash updated_at',
  },
  {
    file: 'attachments',
    about: 'Files attached to messages.',
    columns: 'id communication_id position file_name content_type size_bytes state reason created_at file',
    omitted: 'storage_key stored_at source_url',
  },
  {
    file: 'outbox',
    about: 'Messages sent or waiting, and the reason.',
    columns:
      'id channel cause state recipient recipient_name about_kind about_id queued_by attachments reason attempts ' +
      'settled_at settled_by created_at segments',
    omitted: 'next_at reply first_attempt_at last_attempt_at updated_at facts unsubscribe_secret',
  },
  {
    file: 'suppressions',
    about: 'Addresses that get no messages.',
    key: ['channel', 'address'],
    columns: 'channel address reason detail at',
  },
  {
    file: 'location_positions',
    about: 'Geocoded positions of locations.',
    key: ['location_id'],
    columns: 'location_id latitude longitude source found_at',
    omitted: 'address_hash attempts next_at',
  },
  {
    file: 'customer_links',
    about: 'Customer links, without their secrets.',
    columns: 'id quote_id invoice_id customer_id offer created_by created_at expires_at revoked_at views viewed_at',
  },
  {
    file: 'customer_link_views',
    about: 'When and from where those links were opened.',
    columns: 'id link_id at address',
  },
  {
    file: 'reminders',
    about: 'Reminders sent or skipped.',
    columns: 'id kind record_id occasion step message_id left_out reason at',
  },
  {
    file: 'catalog_item_costs',
    about: 'Costs of catalog items over time.',
    key: ['item_id', 'since'],
    columns: 'item_id since cost_cents',
  },
  {
    file: 'labor_rates',
    about: 'Hourly cost of each member over time.',
    key: ['user_id', 'from_day'],
    columns: 'user_id from_day cost_cents created_by created_at',
  },
  {
    file: 'quote_templates',
    about: 'Templates for quotes and sets of options.',
    columns: 'id name options created_by created_at',
  },
  {
    file: 'statement_runs',
    about: 'Runs that sent statements to many customers.',
    columns: 'id from_day to_day created_by created_at',
  },
  {
    file: 'statement_sendings',
    about: 'Statements mailed or skipped.',
    columns: 'id run_id customer_id from_day to_day state reason message_id settled_at',
  },
  {
    file: 'reminder_exclusions',
    about: 'Customers who get no reminders.',
    key: ['customer_id'],
    columns: 'customer_id excluded_by excluded_at',
  },
  {
    file: 'reminder_settings',
    about: 'Which reminders are sent automatically.',
    key: ['kind'],
    columns: 'kind is_on steps hour channel since',
  },
  {
    file: 'message_templates',
    about: "The company's own message texts.",
    key: ['kind', 'channel', 'language'],
    columns: 'kind channel language subject body updated_at updated_by',
  },
  {
    file: 'numbers',
    table: 'managed_numbers',
    about: 'Phone numbers that receive texts.',
    key: ['number'],
    columns: 'number created_at',
  },
  { file: 'mailboxes', about: 'Addresses that receive mail.', key: ['address'], columns: 'address created_at' },
  {
    file: 'erasures',
    about: 'Erased customers and members, by id.',
    columns: 'id kind subject_id at erased_by keep_until counts',
    omitted: 'noted_at',
  },
  {
    file: 'audit',
    about: 'Every write: who made it, with what, and each field before and after.',
    columns: 'id at user_id credential_id client tool record_type record_id changed approved_by change_id',
  },
]
