export const STATUSES = ['draft', 'sent', 'partially_paid', 'paid', 'uncollectible', 'void'] as const
export type InvoiceStatus = (typeof STATUSES)[number]
