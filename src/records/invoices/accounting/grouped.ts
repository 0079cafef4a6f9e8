import type { Caller } from '../../../identity/credentials/caller.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'
import { invalidField } from '../../../platform/errors/refusal.ts'
import { requireAlsoReads } from '../../../tools/declare/also_reads.ts'
import { MAX_COUNTED } from '../../../tools/call/outcome.ts'
import { hasStatus, listConditions, withSearch, type InvoiceFilters } from '../listing.ts'
import { refusals } from '../refusals.ts'
import type { InvoiceStatus } from '../status.ts'
import { isByTime, sumByGroup } from './sales.ts'

/** Groupings of invoices_list. */
export const GROUPS = ['customer', 'month', 'technician', 'service'] as const
type GroupBy = (typeof GROUPS)[number]

/** Totals in cents of a group of invoices: a customer, month, technician or catalog item. */
type InvoiceGroup = {
  id?: string
  name: string
  invoices: number
  sales_cents: number
  tax_cents: number
  total_cents: number
  balance_due_cents?: number
  oldest_due_date?: string
}

/** The groups of a page, their total count, and whether more follow. */
type Grouping = { found: InvoiceGroups; count: number; hasMore: boolean }

type InvoiceGroups = {
  groups: InvoiceGroup[]
  sums: Omit<InvoiceGroup, 'id' | 'name' | 'invoices' | 'oldest_due_date'>
}

/** Names of the rest that belongs to no group. */
const UNGROUPED_NAMES: Readonly<Record<GroupBy, string>> = {
  customer: '',
  month: '',
  technician: 'nobody assigned',
  service: 'not in the catalog',
}

type GroupListing = InvoiceFilters & { group_by: GroupBy; page: number; limit: number; brief?: boolean | undefined }

/**
 * Sums the invoices that match the filters, issued ones unless a status is given: sales, tax and totals as in reports,
 * and by customer and month the balance due (docs/spec/money.md#reports).
 */
export async function groupInvoices(
  db: Db,
  caller: Caller,
  today: string,
  { group_by, page, limit, brief, ...listing }: GroupListing,
): Promise<Grouping> {
  if (listing.include_removed === true) throw invalidField('group_by', refusals.groupedRemoved())
  if (group_by === 'technician') requireAlsoReads(caller, 'invoices.list by technician', 'read:jobs')
  const filters = await withSearch(db, listing)
  const isIncluded =
    filters.status === undefined ? sql`and i.status not in ('draft', 'void')` : hasStatus({ status: filters.status })
  const where = sql`${listConditions(db, caller.tenant.timezone, today, filters)} ${isIncluded}`
  const skip = (page - 1) * limit
  const isOwed = group_by === 'customer' || isByTime(group_by)
  const isByBalance = isOwed && (filters.overdue === true || filters.status?.every(isOpen) === true)
  const invoices = sql`invoices i where ${where}`
  const { rows, sums, groups } = await sumByGroup(db, group_by, invoices, { limit, skip, isOwed, isByBalance })
  const grouping = {
    groups: rows.map(({ key, name, invoices, sales_cents, tax_cents, total_cents, ...owed }) => ({
      ...(key !== null && !isByTime(group_by) && brief !== true && { id: key }),
      name: name ?? UNGROUPED_NAMES[group_by],
      invoices,
      sales_cents,
      tax_cents,
      total_cents,
      ...(owed.balance_due_cents !== undefined && { balance_due_cents: owed.balance_due_cents }),
      ...(owed.oldest_due_date != null && { oldest_due_date: owed.oldest_due_date }),
    })),
    sums: {
      sales_cents: sums.sales_cents,
      tax_cents: sums.tax_cents,
      total_cents: sums.total_cents,
      ...(sums.balance_due_cents !== undefined && { balance_due_cents: sums.balance_due_cents }),
    },
  }
  return { found: grouping, count: Math.min(groups, MAX_COUNTED + 1), hasMore: groups > skip + rows.length }
}

const isOpen = (status: InvoiceStatus): boolean => status === 'sent' || status === 'partially_paid'
