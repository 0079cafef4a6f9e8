import type { Collection } from './collection.ts'

/** The files of what is agreed, billed, paid and booked, and of the prices behind it. */
export const MONEY_COLLECTIONS: readonly Collection[] = [
  {
    file: 'plans',
    about: 'Agreements that draft invoices.',
    key: ['id'],
    columns:
      'id customer_id location_id name description cadence start_date end_date line_items discount tax_rate_id tax_exempt taxes currency subtotal_cents discount_cents taxable_cents tax_cents total_cents auto_invoice status next_run_date last_run_date runs_count cancelled_at cancel_reason created_at updated_at created_by updated_by',
    staying: 'tax_rate_chosen',
  },
  {
    file: 'plan_runs',
    about: 'When a plan ran, and what it drafted.',
    key: ['plan_id', 'run_date'],
    columns: 'plan_id run_date invoice_id created_at',
  },
  {
    file: 'quotes',
    about: 'Quotes with their lines.',
    key: ['id'],
    columns:
      'id display_number number owner_id customer_id location_id location_address contact_id title status issue_date valid_until message terms line_items discount deposit tax_rate_id tax_exempt taxes fields currency subtotal_cents discount_cents taxable_cents tax_cents total_cents sent_at accepted_at declined_at decline_reason converted_job_id converted_invoice_id created_at updated_at created_by updated_by archived_at',
    staying: 'tax_rate_chosen',
  },
  {
    file: 'acceptances',
    about: 'What customers accepted by a link, as it was, and who signed.',
    key: ['id'],
    columns: 'id quote_id accepted_at name signature address user_agent from_office content hash',
    staying: 'link_id',
  },
  {
    file: 'invoices',
    about: 'Invoices with their lines.',
    key: ['id'],
    columns:
      'id display_number number customer_id location_id location_address contact_id quote_id plan_id plan_run_date status subject issue_date due_date po_number message internal_memo line_items discount tax_rate_id tax_exempt taxes fields currency subtotal_cents discount_cents taxable_cents tax_cents total_cents amount_paid_cents balance_due_cents sent_at paid_at voided_at void_reason disputed deposit_of deducted_cents billed_name created_at updated_at created_by updated_by',
    staying: 'number_prefix tax_rate_chosen',
  },
  {
    file: 'invoice_jobs',
    about: 'Which invoice is for which jobs.',
    key: ['invoice_id', 'job_id'],
    columns: 'invoice_id job_id',
  },
  {
    file: 'deposit_deductions',
    about: 'Deposits that invoices deduct.',
    key: ['invoice_id', 'deposit_id'],
    columns: 'invoice_id deposit_id amount_cents',
  },
  {
    file: 'payments',
    about: 'Money received and given back.',
    key: ['id'],
    columns: 'id invoice_id kind amount_cents at paid_on method reference note charge takes_back created_by',
    staying: 'source',
  },
  {
    file: 'ledger_batches',
    about: 'Files of double entries that went to the books.',
    key: ['id'],
    columns:
      'id number format from_day to_day country currency entries debit_cents created_by created_at taken_back_at taken_back_by',
  },
  {
    file: 'ledger_entries',
    about: 'The entries of those files.',
    key: ['batch_id', 'position'],
    columns:
      'batch_id position source source_id document day is_correction booking receivable undeposited clearing bad_debts income deposits tax',
  },
  {
    file: 'payment_disputes',
    about: 'Payments that a bank took back for now.',
    key: ['dispute'],
    columns: 'dispute invoice_id amount_cents reason outcome closed opened_at closed_at',
  },
  {
    file: 'catalog_items',
    about: 'What is sold, with cost.',
    key: ['id'],
    columns:
      'id kind name description sku category_id unit unit_price_cents taxable tax_rate_id image_url fields duration_minutes manufacturer model barcode pricing discount_type discount_value cost_cents supplier_name supplier_sku supplier_url created_at updated_at created_by updated_by archived_at',
    staying: 'name_folded search_text',
  },
  {
    file: 'catalog_components',
    about: 'What bundles are made of.',
    key: ['bundle_id', 'item_id'],
    columns: 'bundle_id item_id quantity position',
  },
]
