import type { Config } from '../config.ts'
import { sql, type Db } from '../db/tenant.ts'
import type { Channel } from './kinds.ts'

/** Says where links begin, and what messages can go out by. */
export type SendingMeans = Pick<Config, 'baseUrl' | 'mailServer' | 'smsAccount' | 'smsFrom'>

/** Tells whether a company has a sender: of texts, an account of the installation and a number of its own or the installation's. */
export async function hasSender(
  db: Db,
  { mailServer, smsAccount, smsFrom }: SendingMeans,
  channel: Channel,
): Promise<boolean> {
  if (channel === 'email') return mailServer !== null
  if (smsAccount === null) return false
  return smsFrom !== null || (await hasNumber(db))
}

const hasNumber = async (db: Db): Promise<boolean> =>
  (await db.maybe(sql`select 1 from managed_numbers where tenant_id = ${db.tenant} limit 1`)) !== undefined
