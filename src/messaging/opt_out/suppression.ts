import { createHash } from 'node:crypto'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { clearSmsOptOut } from '../../records/contacts/index.ts'

/** Address or number to which a company sends nothing (docs/spec/outbox.md#suppression). */
export type Suppression = {
  channel: 'email' | 'sms'
  address: string
  reason: 'bounced' | 'complained' | 'stopped' | 'unclear'
  /** Provider's reply, or the text that awaits a decision. */
  detail: string | null
  at: string
}

/** Returns the suppression of an address; undefined if there is none. */
export const findSuppression = (
  db: Db,
  channel: Suppression['channel'],
  address: string,
): Promise<Suppression | undefined> =>
  db.maybe<Suppression>(sql`select channel, address, reason, detail, at from suppressions
    where tenant_id = ${db.tenant} and channel = ${channel}
      and address in (${address}, ${hashAddress(db.tenant, address)})
    limit 1`)

/** Lists the newest suppressions. */
export const listSuppressions = (db: Db, limit: number): Promise<Suppression[]> =>
  db.all<Suppression>(sql`select channel, address, reason, detail, at from suppressions
    where tenant_id = ${db.tenant} order by at desc, address limit ${limit}`)

/**
 * Returns the bounced addresses and numbers of a customer's contacts; `id` is of the customer or one of their records.
 */
export const findBouncedAddresses = (
  db: Db,
  records: BounceSubject,
  id: string,
): Promise<Pick<Suppression, 'address' | 'detail'>[]> =>
  db.all(sql`select distinct s.address, s.detail from contacts c
    join suppressions s on s.tenant_id = c.tenant_id and s.reason = 'bounced' and s.address in (c.email, c.phone)
    where c.tenant_id = ${db.tenant} and c.archived_at is null
      and c.customer_id = ${CUSTOMER_OF[records](id, db.tenant)}
    order by s.address limit 5`)

export type BounceSubject = 'customers' | 'invoices' | 'quotes' | 'jobs'

const CUSTOMER_OF: Readonly<Record<BounceSubject, (id: string, tenant: string) => Sql>> = {
  customers: (id) => sql`${id}`,
  invoices: (id, tenant) => sql`(select customer_id from invoices where tenant_id = ${tenant} and id = ${id})`,
  quotes: (id, tenant) => sql`(select customer_id from quotes where tenant_id = ${tenant} and id = ${id})`,
  jobs: (id, tenant) => sql`(select customer_id from jobs where tenant_id = ${tenant} and id = ${id})`,
}

/** Lifts a suppression, unless the recipient opted out; returns whether there was one. */
export const liftSuppression = async (db: Db, channel: Suppression['channel'], address: string): Promise<boolean> =>
  (await db.run(sql`delete from suppressions
    where tenant_id = ${db.tenant} and channel = ${channel} and address = ${address} and reason <> 'stopped'`)) > 0

/** Opts out a number and every contact who has it, at the request of its user or the provider. */
export const stopNumber = (db: Db, phone: string): Promise<number> =>
  db.run(sql`select suppress(${db.tenant}, 'sms', array[${phone}]::text[], 'stopped', null)`)

/** Holds texts to a number until a person decides whether its answer meant STOP; `detail` is that answer. */
export const holdNumber = (db: Db, phone: string, detail: string): Promise<number> =>
  db.run(sql`select suppress(${db.tenant}, 'sms', array[${phone}]::text[], 'unclear', ${detail.toWellFormed()})`)

/** Opts a number and its contacts in again, at the request of its user. */
export const allowNumber = (db: Db, phone: string): Promise<unknown> =>
  Promise.all([
    clearSmsOptOut(db, phone),
    db.run(sql`delete from suppressions where tenant_id = ${db.tenant} and channel = 'sms'
      and address in (${phone}, ${hashAddress(db.tenant, phone)}) and reason in ('stopped', 'unclear')`),
  ])

/** Confirms an unclear answer as an opt-out; returns whether one awaited a decision. */
export async function confirmStop(db: Db, phone: string): Promise<boolean> {
  const waiting = await db.maybe(sql`select from suppressions
    where tenant_id = ${db.tenant} and channel = 'sms' and address = ${phone} and reason = 'unclear' for update`)
  if (waiting !== undefined) await stopNumber(db, phone)
  return waiting !== undefined
}

/** Returns a correspondent's numbers with an unclear answer that awaits a decision. */
export const listUnclearNumbers = (
  db: Db,
  { customer, stranger }: { customer: string | null; stranger: string | null },
): Promise<{ address: string; detail: string | null }[]> =>
  db.all(sql`select s.address, s.detail from suppressions s
    where s.tenant_id = ${db.tenant} and s.channel = 'sms' and s.reason = 'unclear' and ${
      customer === null
        ? sql`s.address = ${stranger}`
        : sql`exists (select 1 from communications m
        where m.tenant_id = ${db.tenant} and m.customer_id = ${customer} and m.direction = 'inbound'
          and m.sender_address = s.address)`
    } order by s.at`)

/**
 * Returns the pseudonym of an erased person's address (docs/spec/erasure.md#opt-outs-stay-respected). The hash of a
 * phone number can be reversed by trying every number.
 */
export const hashAddress = (tenant: string, address: string): string =>
  `${DIGEST}${createHash('sha256').update(`${tenant} ${address}`).digest('hex')}`

const DIGEST = 'sha256:'

/** Checks whether an address is the pseudonym of an erased person. */
export const isHashed = (address: string): boolean => address.startsWith(DIGEST)
