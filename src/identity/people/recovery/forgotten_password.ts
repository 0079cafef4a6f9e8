import { transact } from '../../../platform/db/transaction.ts'
import { rowsOf, sql, asTenant, writeTenant, type Database, type Sql } from '../../../platform/db/tenant.ts'
import { conflict, notFound } from '../../../platform/errors/refusal.ts'
import { auditChange } from '../../audit.ts'
import { requireActiveMember, requireOwner } from '../../permissions/rights.ts'
import { factorsOf, unlinkIdentities } from '../../factors/factors.ts'
import { logAccountEvent, type Origin } from '../../security/account_events.ts'
import { findAccountLink, newAccountLink, spendAccountLink, type AccountLink } from '../../security/account_links.ts'
import { isTrustedAddress, queueMail } from '../../security/notices/account_mail.ts'
import { notify } from '../../security/notices/notices.ts'
import { hashChosenPassword } from '../../sign_in/passwords/chosen_password.ts'
import { emitAccessChange } from '../../sign_in/access_changes.ts'
import { normalizeAddress } from '../../sign_in/sign_in.ts'
import { isSoleCompany } from '../sole_company.ts'
import { claimAccount, isUnclaimed } from './claim_account.ts'
import { personalWordsOf, endPasswordAccess } from './own_password.ts'
import { endActiveAccess, countActiveAccess, type ActiveAccess } from '../active_access.ts'
import { refusals } from './refusals.ts'

/**
 * Requests a link that sets a new password. It does the same for every address, so that neither the response nor its
 * timing reveals whether an account exists: the recipient is looked up when the mail is written
 * (docs/spec/accounts.md#forgotten-password).
 */
export async function requestReset(database: Database, address: string): Promise<void> {
  await database.send([queueMail({ user: null, to: normalizeAddress(address), kind: 'reset' })])
}

/**
 * Creates a link that sets a new password, for a member who belongs only to the owner's company and is no operator.
 * Returns its secret in clear text, once.
 */
export async function createResetLinkAsOwner(
  database: Database,
  tenant: string,
  user: string,
  by: { user: string },
): Promise<string> {
  const { secret, insert } = newAccountLink({ user, kind: 'reset', givenBy: { user: by.user, tenant } })
  await writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      if (user === by.user) throw conflict(refusals.ownPassword())
      await requireActiveMember(db, user)
      if (
        (await db.maybe(sql`select from users u where u.id = ${user} and ${isSoleCompany(user, tenant)}`)) === undefined
      )
        throw conflict(refusals.notAlone())
      await db.run(
        sql`delete from account_links where user_id = ${user} and kind = 'reset' and given_through = ${tenant}`,
      )
      await Promise.all([
        db.run(insert),
        db.run(notify({ user, kind: 'reset_link', about: { by: 'owner' }, tenant })),
        db.run(logAccountEvent({ user, kind: 'reset_asked', about: { by: 'owner' } })),
      ])
    },
    () => [auditChange(tenant, by, 'members.reset_link', user, {})],
  )
  return secret
}

/** Creates such a link for an operator, who hands it to a user they know. Returns its secret in clear text, once. */
export async function createResetLinkAsOperator(database: Database, user: string): Promise<string> {
  const { secret, insert } = newAccountLink({ user, kind: 'reset', givenBy: null })
  await database.send([
    insert,
    notify({ user, kind: 'reset_link', about: { by: 'operator' } }),
    logAccountEvent({ user, kind: 'reset_asked', about: { by: 'operator' } }),
  ])
  return secret
}

/** Link that sets a password, as its page shows it. */
export type ResetLinkView = {
  email: string
  activeAccess: ActiveAccess
  linked: number
  passkeys: number
  /** True if using it claims the account, which ends every other way to sign in. */
  claims: boolean
}

/**
 * Returns the account of a link. Throws `not_found` if it was used, has expired, or its creator lost the right to it.
 */
export async function findResetLink(database: Database, secret: string): Promise<ResetLinkView> {
  const { link, email } = await requireResetLink(database.send, findAccountLink(secret))
  const { linked, passkeys } = await factorsOf(database.send, link.user_id)
  const claims = await isClaimNeeded(database.send, link.user_id)
  return { email, activeAccess: await countActiveAccess(database.send, link.user_id), linked, passkeys, claims }
}

/**
 * Sets a new password by a link, ends every session and every other such link, unlinks accounts at the provider, and on
 * request revokes keys and apps. It signs nobody in, and second factors stay: the next sign-in asks for them. If
 * somebody else may have access, it claims the account instead, which ends all earlier access.
 */
export async function resetByLink(
  database: Database,
  secret: string,
  { password, endsActiveAccess }: { password: string; endsActiveAccess: boolean },
  origin: Origin,
): Promise<ActiveAccess> {
  const resetTarget = await requireResetLink(database.send, findAccountLink(secret))
  const user = resetTarget.link.user_id
  const hash = await hashChosenPassword(password, await personalWordsOf(database, user))
  await transact(database, async (send) => {
    await send([sql`select id from users where id = ${user} for no key update`])
    const { link, company } = await requireResetLink(send, spendAccountLink(secret))
    const by = giverOf(link)
    const claims = await isClaimNeeded(send, user)
    if (claims) await claimAccount(send, user, { next: { hash }, origin })
    await send([
      notify({ user, kind: 'password_reset', about: { by, company } }),
      updateWithTrust(link, sql`update users set password_hash = ${hash}`),
      ...endPasswordAccess(user),
      ...unlinkIdentities(user, origin),
      logAccountEvent({ user, kind: 'password_reset', origin, about: { by } }),
    ])
    if (endsActiveAccess && !claims) await endActiveAccess(send, user, { user })
  })
  emitAccessChange(user)
  return countActiveAccess(database.send, user)
}

async function isClaimNeeded(send: Database['send'], user: string): Promise<boolean> {
  const [row] = await rowsOf(send, sql`select ${isUnclaimed} as claims from users u where u.id = ${user}`)
  return row?.['claims'] === true
}

/**
 * Sets whether the address is trusted, and whether somebody else may have used the link. A mailed link verifies the
 * address; the operator knows the person. An owner may have used the link themselves, so the account belongs to their
 * company again until its user confirms the address.
 */
function updateWithTrust(link: AccountLink, set: Sql): Sql {
  const { user_id: user, given_through: tenant } = link
  const by = giverOf(link)
  if (by === 'mail') return sql`${set}, proved_at = coalesce(proved_at, moment_of(id)) where id = ${user}`
  if (by === 'operator') return sql`${set}, vouched_at = moment(), unclaimed_since = moment() where id = ${user}`
  return sql`${set}, proved_at = null, vouched_at = null, made_through = ${tenant}, unclaimed_since = moment()
    where id = ${user}`
}

const giverOf = ({ address, given_by }: AccountLink): 'mail' | 'owner' | 'operator' =>
  address !== null ? 'mail' : given_by !== null ? 'owner' : 'operator'

type ResetTarget = { email: string; company?: string }
type ValidResetLink = { link: AccountLink; email: string; company: string | null }

/** Validates a link by current rights: its creator's, and what may be done to its account. */
async function requireResetLink(send: Database['send'], query: Sql<AccountLink>): Promise<ValidResetLink> {
  const [link] = await rowsOf(send, query)
  if (link === undefined || link.kind !== 'reset') throw notFound('link')
  const { user_id: user, address, given_by: owner, given_through: tenant } = link
  if (tenant !== null) {
    const [, result] = await send(
      asTenant(
        tenant,
        sql<ResetTarget>`select u.email, t.name as company from users u
            join members m on m.tenant_id = ${tenant} and m.user_id = u.id and m.deactivated_at is null
            join tenants t on t.id = m.tenant_id
          where u.id = ${user} and ${isSoleCompany(user, tenant)} and exists (select 1 from members o
            where o.tenant_id = ${tenant} and o.user_id = ${owner} and o.role = 'owner' and o.deactivated_at is null)`,
      ),
    )
    return toResetLink(link, result.rows[0])
  }
  const [result] = await send([
    sql<ResetTarget>`select u.email from users u
      where u.id = ${user} and (${address}::text is null or (u.email = ${address} and ${isTrustedAddress}))`,
  ])
  return toResetLink(link, result.rows[0])
}

function toResetLink(link: AccountLink, row: ResetTarget | undefined): ValidResetLink {
  if (row === undefined) throw notFound('link')
  const { email, company = null } = row
  return { link, email, company }
}
