/** Selects the data that must be equal in every schema: each document with its amounts and payments. */
export const MONEY = `
  select 'invoice' as what, display_number as name, total_cents::text as total, amount_paid_cents::text as paid from invoices
  union all select 'quote', display_number, total_cents::text, null from quotes
  union all select 'plan', id::text, total_cents::text, null from plans
  union all select 'job', display_number, subtotal_cents::text, null from jobs
  union all select 'payment', id::text, amount_cents::text, null from payments order by 1, 2`
