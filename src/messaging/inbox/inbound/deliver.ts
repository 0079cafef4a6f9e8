import { requestPreparation } from '../../../identity/companies/preparation.ts'
import { writeTenant, type Database } from '../../../platform/db/tenant.ts'
import { receiveMessage, type InboundMessage } from '../communication.ts'
import { runWithBytes } from '../../../files/incoming_pieces.ts'
import { quarantineMessage } from '../quarantine/quarantine.ts'

/**
 * Stores a message in each of its companies, in one transaction each. Without a company, or under an id already taken,
 * it goes to quarantine.
 */
export async function deliverMessage(
  database: Database,
  tenants: readonly string[],
  message: InboundMessage,
  raw: Buffer,
): Promise<void> {
  if (tenants.length === 0) return void (await database.send([quarantineMessage(message, raw, null)]))
  for (const tenant of tenants) {
    await writeTenant(database, { tenant }, async (db) => {
      if ((await receiveMessage(db, message)) === 'collided')
        await runWithBytes(db, raw, (bytes) => quarantineMessage(message, bytes, tenant))
      else await db.run(requestPreparation(db))
    })
  }
}
