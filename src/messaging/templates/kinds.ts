/** Placeholder names that a template can use in braces. */
export const PLACEHOLDERS = [
  'customer_first_name',
  'company_name',
  'number',
  'work',
  'total',
  'balance',
  'balance_note',
  'due_date',
  'valid_until',
  'amount_paid',
  'visit_day',
  'visit_time',
  'technician',
  'arrival',
  'plan_name',
  'end_date',
  'address',
  'statement_day',
  'link',
] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]

/** Kinds of records that messages are about; for `customers` it is their account. */
export type Topic = RecordTopic | 'customers'
export type RecordTopic = 'quotes' | 'invoices' | 'jobs' | 'plans'
export type MessageChannel = 'email' | 'sms'
export const CHANNELS: readonly MessageChannel[] = ['email', 'sms']

const COMMON_PLACEHOLDERS = ['customer_first_name', 'company_name', 'address', 'link'] as const
const PLACEHOLDERS_BY_TOPIC: Readonly<Record<Topic, readonly Placeholder[]>> = {
  quotes: [...COMMON_PLACEHOLDERS, 'number', 'work', 'total', 'valid_until'],
  invoices: [...COMMON_PLACEHOLDERS, 'number', 'work', 'total', 'balance', 'balance_note', 'due_date', 'amount_paid'],
  jobs: [...COMMON_PLACEHOLDERS, 'number', 'work', 'visit_day', 'visit_time', 'technician'],
  plans: [...COMMON_PLACEHOLDERS, 'plan_name', 'end_date'],
  customers: ['customer_first_name', 'company_name', 'balance', 'statement_day', 'link'],
}

/** Kinds of messages, each with the kind of record it is about (docs/spec/sending.md#kinds-of-messages). */
export const KINDS = {
  quote_sent: 'quotes',
  quote_unanswered: 'quotes',
  visit_booked: 'jobs',
  visit_tomorrow: 'jobs',
  on_my_way: 'jobs',
  running_late: 'jobs',
  invoice_sent: 'invoices',
  invoice_due_soon: 'invoices',
  invoice_due: 'invoices',
  invoice_overdue: 'invoices',
  invoice_overdue_again: 'invoices',
  payment_receipt: 'invoices',
  statement: 'customers',
  autopay_coming: 'invoices',
  autopay_failed: 'invoices',
  plan_ending: 'plans',
} as const satisfies Readonly<Record<string, Topic>>

export type MessageKind = keyof typeof KINDS
export const MESSAGE_KINDS = Object.keys(KINDS) as MessageKind[]

export const isMessageKind = (name: string): name is MessageKind => Object.hasOwn(KINDS, name)

/** Returns the placeholders that a kind of message supports. */
export const listPlaceholders = (kind: MessageKind): readonly Placeholder[] =>
  kind === 'on_my_way' || kind === 'running_late'
    ? [...PLACEHOLDERS_BY_TOPIC.jobs, 'arrival']
    : PLACEHOLDERS_BY_TOPIC[KINDS[kind]]
