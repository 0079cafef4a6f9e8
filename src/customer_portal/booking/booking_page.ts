import { randomBytes } from 'node:crypto'
import { auditChange } from '../../identity/audit.ts'
import { requireOffice } from '../../identity/permissions/rights.ts'
import { rowsOf, sql, type Database, type Db } from '../../platform/db/tenant.ts'
import { conflictField } from '../../platform/errors/refusal.ts'
import type { BookableService, StoredService } from './bookable_service.ts'
import { refusals } from './refusals.ts'

/** Rules of a company's booking page, and of changes by customers. */
export type BookingRules = {
  /** Last segment of the page's URL; null before a name was chosen. */
  name: string | null
  is_on: boolean
  /** Whether the office must approve each booking. */
  needs_approval: boolean
  /** Minimum hours between a booking and its visit. */
  notice_hours: number
  days_ahead: number
  window_minutes: number
  /** Origins of sites that may embed the page in a frame. */
  frame_origins: string[]
  /** Minimum hours before a visit for its customer to move or cancel it; null: never. */
  move_hours: number | null
  cancel_hours: number | null
  changes_bookable_only: boolean
}

/** Stored booking page. The secret signs its steps. */
export type BookingPage = BookingRules & { services: StoredService[]; secret: Buffer }

export const DEFAULT_RULES: BookingRules = {
  name: null,
  is_on: false,
  needs_approval: false,
  notice_hours: 4,
  days_ahead: 14,
  window_minutes: 120,
  frame_origins: [],
  move_hours: null,
  cancel_hours: null,
  changes_bookable_only: false,
}

/** Returns the tenant whose booking page has this name, on or off. */
export async function findTenantByPage(database: Database, name: string): Promise<string | undefined> {
  if (!NAME.test(name)) return undefined
  const [row] = await rowsOf(
    database.send,
    sql<{ tenant_id: string }>`select tenant_id from booking_names where name = ${name}`,
  )
  return row?.tenant_id
}

export const NAME = /^[a-z0-9](?:[a-z0-9-]{1,38}[a-z0-9])$/

/** Returns a company's booking page; undefined if none was ever saved. */
export const findBookingPage = (db: Db): Promise<BookingPage | undefined> =>
  db.maybe<BookingPage>(sql`select name, is_on, needs_approval, notice_hours, days_ahead, window_minutes, services,
      frame_origins, move_hours, cancel_hours, changes_bookable_only, secret
    from booking_pages where tenant_id = ${db.tenant}`)

/** Saves the rules, for owners and the office. Throws if another company has the name. */
export async function saveBookingRules(db: Db, rules: BookingRules, by: { user: string }): Promise<void> {
  await requireOffice(db, by)
  const before = await lockPage(db)
  if (rules.is_on && rules.name === null) throw conflictField('name', refusals.nameMissing())
  if (rules.name !== before.name) await claimName(db, rules.name)
  await db.run(sql`update booking_pages set name = ${rules.name}, is_on = ${rules.is_on},
      needs_approval = ${rules.needs_approval}, notice_hours = ${rules.notice_hours},
      days_ahead = ${rules.days_ahead}, window_minutes = ${rules.window_minutes},
      frame_origins = ${rules.frame_origins}::text[], move_hours = ${rules.move_hours},
      cancel_hours = ${rules.cancel_hours}, changes_bookable_only = ${rules.changes_bookable_only},
      updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant}`)
  await auditRules(db, by, before, rules)
}

/** Replaces the bookable services, for owners and the office. */
export async function saveServices(
  db: Db,
  by: { user: string },
  change: (before: readonly StoredService[]) => StoredService[],
): Promise<void> {
  await requireOffice(db, by)
  const before = await lockPage(db)
  const services = change(before.services)
  await db.run(sql`update booking_pages set services = ${JSON.stringify(services)}::jsonb,
      updated_at = later_than(updated_at) where tenant_id = ${db.tenant}`)
  await db.run(
    auditChange(db.tenant, by, 'companies.set_booking', db.tenant, {
      bookable_services: [before.services.length, services.length],
    }),
  )
}

/** Locks the row of the page and returns the page. Creates it if there is none. */
async function lockPage(db: Db): Promise<BookingPage> {
  await db.run(sql`insert into booking_pages (tenant_id, secret) values (${db.tenant}, ${randomBytes(32)})
    on conflict (tenant_id) do nothing`)
  await db.run(sql`select tenant_id from booking_pages where tenant_id = ${db.tenant} for no key update`)
  const page = await findBookingPage(db)
  if (page === undefined) throw new Error('The booking page that was just made is gone')
  return page
}

async function claimName(db: Db, name: string | null): Promise<void> {
  await db.run(sql`delete from booking_names where tenant_id = ${db.tenant}`)
  if (name === null) return
  const claimed = await db.run(
    sql`insert into booking_names (name, tenant_id) values (${name}, ${db.tenant}) on conflict do nothing`,
  )
  if (claimed === 0) throw conflictField('name', refusals.nameTaken())
}

async function auditRules(db: Db, by: { user: string }, before: BookingRules, after: BookingRules): Promise<void> {
  const names = Object.keys(DEFAULT_RULES).filter((name): name is keyof BookingRules => name in DEFAULT_RULES)
  const changes = Object.fromEntries(
    names
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, [before[name], after[name]] as const]),
  )
  if (Object.keys(changes).length === 0) return
  await db.run(auditChange(db.tenant, by, 'companies.set_booking', db.tenant, changes))
}

/** Checks whether the public can book: the page is on and offers a service. */
export const isOpen = (page: BookingPage | undefined, services: readonly BookableService[]): page is BookingPage =>
  page !== undefined && page.is_on && services.length > 0
