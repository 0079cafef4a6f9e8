import { sql, type Db } from '../../db/tenant.ts'
import { ownersBut } from '../apps/requests.ts'
import type { Actor } from '../audit.ts'
import { notify } from '../security/notices.ts'

/** Names what was done to a company's own provider of sign-ins. */
export type ProviderChange = 'on' | 'off' | 'required' | 'optional' | 'replaced' | 'removed'

/** Tells the company's other owners what somebody did to its provider, which may say who anybody is; null is the operator. */
export async function tellOwners(db: Db, change: ProviderChange, name: string, by: Actor): Promise<void> {
  const [owners, person] = await Promise.all([
    db.all<{ user_id: string }>(ownersBut(db.tenant, by?.user ?? null)),
    by === null ? undefined : db.maybe<{ name: string }>(sql`select name from users where id = ${by.user}`),
  ])
  const about = { change, name, ...(person !== undefined && { person: person.name }) }
  await Promise.all(
    owners.map(({ user_id: user }) => db.run(notify({ user, kind: 'company_provider', about, tenant: db.tenant }))),
  )
}
