import type { Caller } from '../../../identity/credentials/caller.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { claim, keep } from '../../../tools/call/idempotency.ts'

type Once = { caller: Caller; act: string; id: string; key: string }

/** Does what a form asks for the first time that its key comes; a form that is sent again does nothing. */
export async function onceIn(db: Db, { caller, act, id, key }: Once, work: () => Promise<void>): Promise<void> {
  const keyed = { caller, listed: { canonical: act }, given: { id } }
  if ((await claim(db, keyed, key)) !== undefined) return
  await work()
  await db.run(keep(keyed, key, { id }))
}
