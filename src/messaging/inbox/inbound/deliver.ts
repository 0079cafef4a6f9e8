import { writeTenant, type Database } from '../../../platform/db/tenant.ts'
import { receive, type InboundMessage } from '../communication.ts'
import { runWithBytes } from '../../../files/incoming_pieces.ts'
import { quarantined } from '../quarantine/quarantine.ts'

/** Stores a message in each company it is for, in a transaction each; for none, and under a taken id, it goes to quarantine. */
export async function deliver(
  database: Database,
  tenants: readonly string[],
  message: InboundMessage,
  raw: Buffer,
): Promise<void> {
  if (tenants.length === 0) return void (await database.send([quarantined(message, raw, null)]))
  for (const tenant of tenants) {
    await writeTenant(database, { tenant }, async (db) => {
      if ((await receive(db, message)) === 'collided')
        await runWithBytes(db, raw, (bytes) => quarantined(message, bytes, tenant))
    })
  }
}
