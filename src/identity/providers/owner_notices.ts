import { onlyRow, sql, type Database, type Db, type Sql } from '../../platform/db/tenant.ts'
import { selectOtherOwners } from '../apps/requests.ts'
import type { Actor } from '../audit.ts'
import { notify } from '../security/notices/notices.ts'
import type { ProvidedIdentity } from './provider.ts'

/** Change of a company's own provider. */
export type ProviderChange = 'on' | 'off' | 'required' | 'optional' | 'replaced' | 'removed'

/**
 * Notifies the company's other owners of a change to its provider, which decides who users are; null is the operator.
 */
export async function notifyOwners(db: Db, change: ProviderChange, name: string, by: Actor): Promise<void> {
  const [owners, person] = await Promise.all([
    db.all<{ user_id: string }>(selectOtherOwners(db.tenant, by?.user ?? null)),
    by === null ? undefined : db.maybe<{ name: string }>(sql`select name from users where id = ${by.user}`),
  ])
  const about = { change, name, ...(person !== undefined && { person: person.name }) }
  await Promise.all(
    owners.map(({ user_id: user }) => db.run(notify({ user, kind: 'company_provider', about, tenant: db.tenant }))),
  )
}

type Send = Database['send']

/**
 * Notifies a member and the company's owners that another account at its provider signs in as the member: the provider
 * may have reassigned an address.
 */
export async function notifySecondAccount(db: Db, user: string, { address }: ProvidedIdentity): Promise<void> {
  const [owners, { name }] = await Promise.all([
    db.all<{ user_id: string }>(selectOtherOwners(db.tenant, user)),
    db.one<{ name: string }>(sql`select name from users where id = ${user}`),
  ])
  await Promise.all(
    noticesOf(
      user,
      owners.map(({ user_id }) => user_id),
      { name, address, tenant: db.tenant },
    ).map((notice) => db.run(notice)),
  )
}

/** Does the same for an account at the installation's provider, with the owners of each of the user's companies. */
export async function notifySecondAccountEverywhere(
  send: Send,
  user: string,
  { address }: ProvidedIdentity,
): Promise<void> {
  const [person, companies] = await send([
    sql<{ name: string }>`select name from users where id = ${user}`,
    sql<{ tenant_id: string }>`select tenant_id from user_tenants where user_id = ${user}`,
  ])
  const { name } = onlyRow(person)
  await send([notify({ user, kind: 'second_account', about: { address } })])
  for (const { tenant_id: tenant } of companies.rows) {
    const [, ownerRows] = await send([
      sql`select enter_tenant(${tenant}, null, 0)`,
      selectOtherPresentOwners(tenant, user),
    ])
    const owners = ownerRows.rows.map(({ user_id }) => user_id)
    await send(owners.map((owner) => ownerNotice(owner, { name, address, tenant })))
  }
  await send([sql`select leave_tenant()`])
}

/** Lists the other owners of a company that a user still belongs to. */
const selectOtherPresentOwners = (tenant: string, user: string): Sql<{ user_id: string }> => sql`
  select o.user_id from members o
  join members m on m.tenant_id = o.tenant_id and m.user_id = ${user} and m.deactivated_at is null
  where o.tenant_id = ${tenant} and o.role = 'owner' and o.deactivated_at is null and o.user_id <> ${user}`

type SecondAccount = { name: string; address: string | null; tenant: string }

const noticesOf = (user: string, owners: readonly string[], { name, address, tenant }: SecondAccount): Sql[] => [
  notify({ user, kind: 'second_account', about: { address }, tenant }),
  ...owners.map((owner) => ownerNotice(owner, { name, address, tenant })),
]

const ownerNotice = (owner: string, { name, address, tenant }: SecondAccount): Sql =>
  notify({ user: owner, kind: 'member_second_account', about: { person: name, address }, tenant })
