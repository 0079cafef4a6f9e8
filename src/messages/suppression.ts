import { createHash } from 'node:crypto'
import { sql, type Db } from '../db/tenant.ts'

/** Describes an address or a number to which a company sends nothing (docs/spec/outbox.md#suppression). */
export type Suppression = {
  channel: 'email' | 'sms'
  address: string
  reason: 'bounced' | 'complained' | 'stopped'
  /** Is what the provider said. */
  detail: string | null
  at: string
}

/** Returns why nothing is sent there; undefined when it may be. */
export const suppressionOf = (
  db: Db,
  channel: Suppression['channel'],
  address: string,
): Promise<Suppression | undefined> =>
  db.maybe<Suppression>(sql`select channel, address, reason, detail, at from suppressions
    where tenant_id = ${db.tenant} and channel = ${channel} and address in (${address}, ${hashedAddress(db.tenant, address)}) limit 1`)

/** Lists the newest. */
export const listSuppressions = (db: Db, limit: number): Promise<Suppression[]> =>
  db.all<Suppression>(sql`select channel, address, reason, detail, at from suppressions
    where tenant_id = ${db.tenant} order by at desc, address limit ${limit}`)

/** Allows an address again, unless its person asked for no more; returns whether it was suppressed. */
export const liftSuppression = async (db: Db, channel: Suppression['channel'], address: string): Promise<boolean> =>
  (await db.run(sql`delete from suppressions
    where tenant_id = ${db.tenant} and channel = ${channel} and address = ${address} and reason <> 'stopped'`)) > 0

/** Keeps a number from being texted, or allows it again, as somebody there asked. */
export const stopNumber = (db: Db, phone: string, stopped: boolean): Promise<number> =>
  stopped
    ? db.run(sql`select suppress(${db.tenant}, 'sms', array[${phone}]::text[], 'stopped', null)`)
    : db.run(sql`delete from suppressions
        where tenant_id = ${db.tenant} and channel = 'sms' and address in (${phone}, ${hashedAddress(db.tenant, phone)}) and reason = 'stopped'`)

/**
 * Returns what stands for the address of somebody who was erased (docs/spec/erasure.md#stop-stays-respected). Of a phone
 * number it can be found by trying all, so it says no more than that: a pseudonym.
 */
export const hashedAddress = (tenant: string, address: string): string =>
  `${DIGEST}${createHash('sha256').update(`${tenant} ${address}`).digest('hex')}`

const DIGEST = 'sha256:'

/** Tells whether an address stands for somebody who was erased. */
export const isHashed = (address: string): boolean => address.startsWith(DIGEST)
