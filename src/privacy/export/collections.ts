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
    about: 'Everybody who belongs or belonged to the company.',
    key: ['user_id'],
    columns: 'user_id name email role ceiling skills created_at deactivated_at',
  },
  {
    file: 'invitations',
    about: 'Links that were made for people to join.',
    columns: 'id email name role created_by created_at expires_at accepted_at withdrawn_at ceiling',
    omitted: 'starts_over mailed_at',
  },
  {
    file: 'credentials',
    about: 'API keys and apps, without what they prove themselves by.',
    columns: 'id kind user_id name scopes expires_at revoked_at last_used_at created_at client_id proposes last_four',
    omitted: 'access_version held_at opens_pages fills_forms question_id question_at question_answer',
  },
  {
    file: 'saved_views',
    about: 'Filters and orders of lists that members named.',
    columns: 'id user_id list name query is_shared created_at',
  },
  {
    file: 'list_columns',
    about: 'Columns of lists that members chose.',
    key: ['user_id', 'list'],
    columns: 'user_id list columns',
  },
  {
    file: 'catalog_favorites',
    about: 'Catalog items that members keep first on their phones.',
    key: ['user_id', 'item_id'],
    columns: 'user_id item_id',
  },
  {
    file: 'assistant_conversations',
    about: 'Conversations of members with the assistant, and what they used.',
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
    about: 'What the assistant used on which day.',
    key: ['day'],
    columns: 'day input_tokens output_tokens cost_micros',
  },
  {
    file: 'working_weeks',
    about: 'When the company and its members work.',
    columns: 'id user_id days travel_minutes arrival_window_minutes',
  },
  { file: 'working_exceptions', about: 'Days that are different.', columns: 'id user_id day hours note' },
  {
    file: 'booking_pages',
    about: 'The page on which customers book online, and by which rules they change visits.',
    key: ['tenant_id'],
    columns:
      'name is_on needs_approval notice_hours days_ahead window_minutes services frame_origins move_hours cancel_hours ' +
      'changes_bookable_only updated_at',
    omitted: 'secret',
  },
  {
    file: 'online_bookings',
    about: 'Jobs that were booked online, and what the office decided.',
    key: ['job_id'],
    columns: 'job_id state created_at',
  },
  {
    file: 'customer_tags',
    about: 'Which customer has which tag.',
    key: ['customer_id', 'tag_id'],
    columns: 'customer_id tag_id',
    omitted: 'customer_created_at',
  },
  {
    file: 'job_media',
    about: 'Photos and files of jobs.',
    columns: 'id job_id file_name content_type size_bytes caption stage created_at created_by file',
    omitted: 'storage_key',
  },
  {
    file: 'checklist_templates',
    about: 'What is checked on which kind of work.',
    columns: 'id name applies words created_at updated_at created_by updated_by archived_at',
  },
  {
    file: 'checklist_template_items',
    about: 'The items of those checklists.',
    columns: 'id template_id position text kind is_required dropped_at',
  },
  {
    file: 'job_checklists',
    about: 'The checklists of jobs.',
    key: ['job_id', 'template_id'],
    columns: 'job_id template_id name position added_at added_by left_out_at',
  },
  {
    file: 'job_checklist_items',
    about: 'What was asked and answered on jobs.',
    key: ['job_id', 'id'],
    columns: 'job_id id template_id position text kind is_required value answered_at answered_by',
  },
  {
    file: 'time_entries',
    about: 'When members worked on which job.',
    columns: 'id user_id job_id started_at ended_at ended_by is_corrected created_at',
  },
  {
    file: 'time_corrections',
    about: 'What those times were before they were corrected, and why.',
    columns: 'id entry_id started_before ended_before started_at ended_at reason corrected_by corrected_at',
  },
  {
    file: 'equipment',
    about: 'What stands at locations of customers.',
    columns: 'id location_id kind model serial installed_on note photo_ids created_at updated_at created_by updated_by',
  },
  {
    file: 'job_signatures',
    about: 'Who signed a work order, and what it said.',
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
    about: 'Files that came with messages.',
    columns: 'id communication_id position file_name content_type size_bytes state reason created_at file',
    omitted: 'storage_key stored_at source_url',
  },
  {
    file: 'outbox',
    about: 'What was sent or waits, and why.',
    columns:
      'id channel cause state recipient recipient_name about_kind about_id queued_by attachments reason attempts ' +
      'settled_at settled_by created_at segments',
    omitted: 'next_at reply first_attempt_at last_attempt_at updated_at facts unsubscribe_secret',
  },
  {
    file: 'suppressions',
    about: 'Addresses to which nothing is sent.',
    key: ['channel', 'address'],
    columns: 'channel address reason detail at',
  },
  {
    file: 'location_positions',
    about: 'Where a geocoder found the addresses of locations.',
    key: ['location_id'],
    columns: 'location_id latitude longitude source found_at',
    omitted: 'address_hash attempts next_at',
  },
  {
    file: 'customer_links',
    about: 'Links that were given to customers, without their secrets.',
    columns: 'id quote_id invoice_id customer_id offer created_by created_at expires_at revoked_at views viewed_at',
  },
  {
    file: 'customer_link_views',
    about: 'When those links were opened, and from where.',
    columns: 'id link_id at address',
  },
  {
    file: 'reminders',
    about: 'Reminders that went out or were left out.',
    columns: 'id kind record_id occasion step message_id left_out reason at',
  },
  {
    file: 'catalog_item_costs',
    about: 'What catalog items cost since when.',
    key: ['item_id', 'since'],
    columns: 'item_id since cost_cents',
  },
  {
    file: 'labor_rates',
    about: 'What an hour of a member costs from a day on.',
    key: ['user_id', 'from_day'],
    columns: 'user_id from_day cost_cents created_by created_at',
  },
  {
    file: 'quote_templates',
    about: 'Quotes and sets of options that the company makes again and again.',
    columns: 'id name options created_by created_at',
  },
  {
    file: 'statement_runs',
    about: 'Statements that were sent to many customers at once.',
    columns: 'id from_day to_day created_by created_at',
  },
  {
    file: 'statement_sendings',
    about: 'Statements that were mailed, or left out.',
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
    about: 'Which reminders go by themselves.',
    key: ['kind'],
    columns: 'kind is_on steps hour channel since',
  },
  {
    file: 'message_templates',
    about: "The company's own words.",
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
    about: 'Who was erased, as ids.',
    columns: 'id kind subject_id at erased_by keep_until counts',
    omitted: 'noted_at',
  },
  {
    file: 'audit',
    about: 'Every write: who, with what, which fields from what to what.',
    columns: 'id at user_id credential_id client tool record_type record_id changed approved_by change_id',
  },
]
