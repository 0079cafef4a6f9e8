import type { Caller } from '../../../identity/credentials/caller.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { claimKey, saveAnswer } from '../../../tools/call/idempotency.ts'

type OnceKey = { caller: Caller; action: string; id: string; key: string }

/** Runs work once per idempotency key. A form that is sent again does nothing. */
export async function runOnce(db: Db, { caller, action, id, key }: OnceKey, work: () => Promise<void>): Promise<void> {
  const keyed = { caller, listed: { canonical: action }, input: { id } }
  if ((await claimKey(db, keyed, key)) !== undefined) return
  await work()
  await db.run(saveAnswer(keyed, key, { id }))
}
