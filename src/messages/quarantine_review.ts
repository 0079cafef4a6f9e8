import type { Actor } from '../access/audit.ts'
import { findTenant } from '../access/tenants.ts'
import { sql, writeTenant } from '../db/tenant.ts'
import type { Database, Db } from '../db/tenant.ts'
import { conflict, notFound } from '../refusal.ts'
import { receive } from './communication.ts'
import type { Inbound } from './communication.ts'
import { tenantOfNumber, tenantsOfAddresses } from './directory.ts'
import { readEmail } from './inbound_email.ts'
import { readSms } from './inbound_sms.ts'
import type { InboundSms } from './inbound_sms.ts'
import { endWait, findQuarantined, lockQuarantined } from './quarantine.ts'
import type { Quarantined } from './quarantine.ts'
import { reviewed } from './review.ts'
import type { Act } from './review.ts'

/** Gives a message that waits to a company, as if it had been sent there; under a taken id it is stored beside the other one. */
export async function assignQuarantined(database: Database, by: Actor, id: string, tenant: string): Promise<Quarantined> {
  const company = await findTenant(database, tenant)
  return settle(database, by, 'quarantine.assign', id, [company.id])
}

/** Delivers a message that waits by the numbers and addresses there are now. */
export async function replayQuarantined(database: Database, by: Actor, id: string): Promise<Quarantined> {
  const { channel, recipients, reason } = await findQuarantined(database, id)
  if (reason === 'other_content') throw conflict('its company has another message under this id; assign it there, or discard it')
  const tenants = channel === 'email' ? await tenantsOfAddresses(database, recipients) : [await tenantOfNumber(database, recipients[0] ?? '') ?? []].flat()
  if (tenants.length === 0) throw conflict(`no company has ${recipients.slice(0, 3).join(', ') || 'its recipient'}; add it with number add or mailbox add, or assign the message`)
  return settle(database, by, 'quarantine.replay', id, tenants)
}

/** Puts a message away for good. */
export async function discardQuarantined(database: Database, by: Actor, id: string): Promise<Quarantined> {
  const { raw: _, ...waiting } = await findQuarantined(database, id)
  await database.hold(async (send) => {
    const [, ended] = await send([sql`begin`, endWait(id, 'discarded', [])])
    await send(ended!.count === 0 ? [sql`rollback`] : [reviewed(by, 'quarantine.discard', id, facts(waiting, [])), sql`commit`])
    if (ended!.count === 0) throw notFound('quarantined message')
  })
  return waiting
}

/** A transaction for each company; in the last of them the wait ends, so that what breaks off before can be done again. */
async function settle(database: Database, by: Actor, act: Act, id: string, tenants: readonly string[]): Promise<Quarantined> {
  const { raw, ...waiting } = await findQuarantined(database, id)
  const message = waiting.channel === 'email' ? await readEmail(raw) : readSms(JSON.parse(raw.toString()) as InboundSms)
  if (message === undefined) throw conflict('this message can no longer be read; discard it')
  for (const [i, tenant] of tenants.entries()) {
    await writeTenant(database, { tenant }, async (db) => {
      await db.present(lockQuarantined(id), 'quarantined message')
      await receiveBeside(db, message, id)
      if (i === tenants.length - 1) await Promise.all([db.run(endWait(id, 'assigned', tenants)), db.run(reviewed(by, act, id, facts(waiting, tenants)))])
    })
  }
  return waiting
}

async function receiveBeside(db: Db, message: Inbound, quarantined: string): Promise<void> {
  if (await receive(db, message) !== 'collided') return
  await receive(db, { ...message, provider_message_id: `${message.provider_message_id}#${quarantined}` })
}

const facts = ({ reason, channel, provider_message_id }: Quarantined, tenants: readonly string[]) => ({ reason, channel, message: provider_message_id, tenants })
