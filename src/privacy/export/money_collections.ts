import type { Collection } from './collection.ts'

/** Files about agreements, billing, payments, books and prices. */
export const MONEY_COLLECTIONS: readonly Collection[] = [
  {
    file: 'plan_runs',
    about: 'When a plan ran, and the invoice it drafted.',
    key: ['plan_id', 'run_date'],
    columns: 'plan_id run_date invoice_id created_at',
  },
  {
    file: 'acceptances',
    about: 'Quotes accepted by link or on a phone, as they were, and who signed.',
    key: ['id'],
    columns: 'id quote_id accepted_at signed_at name signature taken_by address user_agent from_office content hash',
    omitted: 'link_id',
  },
  { file: 'invoice_jobs', about: 'Jobs on each invoice.', key: ['invoice_id', 'job_id'], columns: 'invoice_id job_id' },
  {
    file: 'deposit_deductions',
    about: 'Deposits deducted on invoices.',
    key: ['invoice_id', 'deposit_id'],
    columns: 'invoice_id deposit_id amount_cents',
  },
  {
    file: 'payments',
    about: 'Money received and refunded.',
    columns: 'id invoice_id kind amount_cents at paid_on method reference note charge takes_back created_by',
    omitted: 'source',
  },
  {
    file: 'ledger_batches',
    about: 'Files of double entries for the books.',
    columns:
      'id number format from_day to_day country currency entries debit_cents created_by created_at taken_back_at ' +
      'taken_back_by',
  },
  {
    file: 'ledger_entries',
    about: 'The entries of those files.',
    key: ['batch_id', 'position'],
    columns:
      'batch_id position source source_id document day is_correction booking receivable undeposited clearing ' +
      'bad_debts income deposits tips tax',
  },
  {
    file: 'payment_disputes',
    about: 'Disputed payments.',
    key: ['dispute'],
    columns: 'dispute invoice_id amount_cents reason outcome closed opened_at closed_at',
  },
  {
    file: 'pending_payments',
    about: 'Payments pending at a bank, and failed attempts.',
    key: ['invoice_id', 'payment'],
    columns: 'invoice_id payment session amount_cents pending_at failed_at reported_at',
  },
  {
    file: 'tips',
    about: 'Tips paid with payments, and refunded.',
    columns: 'id invoice_id kind amount_cents charge paid_on at',
  },
  {
    file: 'payment_methods',
    about: 'Cards and bank accounts that customers saved, without their numbers, and their consent.',
    columns:
      'id customer_id state kind brand last_four expires_on consent consented_at address user_agent saved_at ' +
      'removed_at removed_by',
    omitted: 'account_id session provider_customer method link_id is_detached',
  },
  {
    file: 'saved_charges',
    about: 'Charges to saved cards and bank accounts.',
    columns:
      'id invoice_id method_id cause amount_cents currency state intent code message created_by created_at ended_at',
  },
  {
    file: 'autopay',
    about: "Customers' consent to automatic payment.",
    columns: 'id customer_id plan_id consent consented_at address user_agent stopped_at stopped_by',
    omitted: 'link_id',
  },
  {
    file: 'autopay_runs',
    about: "Progress of each invoice's automatic payment.",
    key: ['invoice_id'],
    columns: 'invoice_id autopay_id state charge_on told_cents told_at failures reason charge_id updated_at',
  },
  {
    file: 'payment_settings',
    about: "The company's rules for saved cards and bank accounts.",
    key: ['tenant_id'],
    columns: 'saves_methods offers_autopay takes_parts takes_tips max_charge_cents updated_at',
  },
  {
    file: 'books_records',
    about: 'State of each record in an accounting program.',
    key: ['program', 'organization', 'kind', 'record'],
    columns:
      'program organization kind record state edition remote customer number day cents attempts reason detail ' +
      'created_at updated_at',
    omitted: 'request version sent',
  },
  {
    file: 'catalog_components',
    about: 'Items in bundles.',
    key: ['bundle_id', 'item_id'],
    columns: 'bundle_id item_id quantity position',
  },
]
