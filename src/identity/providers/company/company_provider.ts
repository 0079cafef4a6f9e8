import { readTenant, sql, writeTenant, type Database, type Db } from '../../../platform/db/tenant.ts'
import { conflict, invalidField } from '../../../platform/errors/refusal.ts'
import { newId } from '../../../platform/validation/id.ts'
import { auditChange, type Actor } from '../../audit.ts'
import type { DataKeys } from '../../data_keys.ts'
import { hasOwnSecondFactor } from '../../factors/rule.ts'
import { readName } from '../../inputs.ts'
import { requireOwner } from '../../permissions/rights.ts'
import { emitAccessChange } from '../../sign_in/access_changes.ts'
import { sealClientSecret } from './company_secret.ts'
import type { ProvidedIdentity } from '../provider.ts'
import { readIssuer as parseIssuer, readTrustedDomains } from './provider_inputs.ts'
import { notifyOwners, type ProviderChange } from '../owner_notices.ts'
import { refusals } from './refusals.ts'

/** Company's own provider as its owners see it, never with the secret. */
export type CompanyProvider = {
  issuer: string
  client_id: string
  has_secret: boolean
  trusted_domains: string[]
  name: string
  version: string
  tried: ProviderTrial | null
  on_since: string | null
  required_since: string | null
}

/** Provider's report about the owner who tried it. */
export type ProviderTrial = {
  user: string
  subject: string
  email: string | null
  is_verified: boolean
  methods: readonly string[]
  at: string
}

/** Provider as an owner enters it. `trustedDomains` are the company's own, separated by commas or spaces. */
type NewCompanyProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  name: string
  trustedDomains?: string
}

/** Counts of what ends when a provider is removed or turned off. */
export type ProviderRemovalImpact = { sessions: number; people: number; linked: number }

const columns = sql`issuer, client_id, client_secret is not null as has_secret, trusted_domains, name, version, tried,
  on_since, required_since`

const findOwnProvider = (db: Db): Promise<CompanyProvider | undefined> =>
  db.maybe<CompanyProvider>(sql`select ${columns} from company_providers where tenant_id = ${db.tenant}`)

export const companyProvider = async (database: Database, tenant: string): Promise<CompanyProvider | null> =>
  (await readTenant(database, { tenant }, findOwnProvider)) ?? null

/**
 * Saves a company's provider. Another issuer or client is a new provider: it must be tried before it is turned on, and
 * users signed in by the old one are signed out. An empty secret keeps the stored one.
 */
export async function saveCompanyProvider(
  database: Database,
  keys: DataKeys,
  tenant: string,
  input: NewCompanyProvider,
  by: { user: string },
): Promise<void> {
  const next = {
    issuer: parseIssuer(input.issuer),
    client_id: readName(input.clientId, 'client_id', 255),
    name: readName(input.name, 'name', 40),
    domains: readTrustedDomains(input.trustedDomains ?? ''),
  }
  const clientSecret = input.clientSecret.trim()
  if (clientSecret.length > MAX_SECRET) throw invalidField('client_secret', refusals.secretTooLong({ max: MAX_SECRET }))
  const secret = clientSecret === '' ? null : sealClientSecret(keys, tenant, clientSecret)
  const { ended } = await writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      const before = await findOwnProvider(db)
      const isSame = before?.issuer === next.issuer && before.client_id === next.client_id
      const ended = before === undefined || isSame ? [] : await resetProvider(db)
      await db.run(sql`
        insert into company_providers (tenant_id, issuer, client_id, client_secret, name, version, trusted_domains)
        values (${tenant}, ${next.issuer}, ${next.client_id}, ${secret}, ${next.name}, ${newId()}, ${next.domains})
        on conflict (tenant_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
          name = excluded.name, version = excluded.version, trusted_domains = excluded.trusted_domains,
          client_secret = case when ${isSame} then coalesce(excluded.client_secret, company_providers.client_secret)
            else excluded.client_secret end`)
      if (before?.on_since != null && !isSame) await notifyOwners(db, 'replaced', next.name, by)
      return { before, ended }
    },
    ({ before }) => [
      auditChange(tenant, by, 'members.set_provider', tenant, {
        issuer: [before?.issuer ?? null, next.issuer],
        client_id: [before?.client_id ?? null, next.client_id],
        name: [before?.name ?? null, next.name],
        trusted_domains: [before?.trusted_domains ?? [], next.domains],
        ...(secret === null ? {} : { client_secret: [before?.has_secret === true ? 'set' : null, 'changed'] }),
      }),
    ],
  )
  ended.forEach(emitAccessChange)
}

/** Resets the provider after a change of issuer or client. Nothing that the old one reported counts. */
async function resetProvider(db: Db): Promise<string[]> {
  await Promise.all([
    db.run(
      sql`update company_providers set on_since = null, required_since = null, tried = null
        where tenant_id = ${db.tenant}`,
    ),
    db.run(sql`delete from company_identities where tenant_id = ${db.tenant}`),
  ])
  return endBoundSessions(db)
}

/** Saves what the provider reported about an owner who tried it, if the provider hasn't changed since. */
export const saveTrial = (
  database: Database,
  tenant: string,
  { subject, address, email, methods }: ProvidedIdentity,
  { version, by }: { version: string; by: { user: string } },
): Promise<unknown> =>
  writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      const tried = { user: by.user, subject, email: address, is_verified: email !== null, methods }
      return db.run(sql`update company_providers
        set tried = ${JSON.stringify(tried)}::jsonb || jsonb_build_object('at', moment())
        where tenant_id = ${db.tenant} and version = ${version}`)
    },
    () => [],
  )

/** Turns sign-in by the provider on, once it was tried, or off, which ends every session from it. */
export const setCompanyProviderOn = (
  database: Database,
  tenant: string,
  isOn: boolean,
  by: Actor,
): Promise<CompanyProvider> =>
  changeProvider(database, tenant, by, async (db, before) => {
    if (isOn && before.tried === null) throw conflict(refusals.untried())
    if (isOn === (before.on_since !== null)) return { changed: {} }
    await db.run(sql`update company_providers
      set on_since = case when ${isOn} then moment_of(tenant_id) end, required_since = null
      where tenant_id = ${db.tenant}`)
    const ended = isOn ? [] : await endBoundSessions(db)
    return { changed: { provider_on: [!isOn, isOn] }, announced: isOn ? 'on' : 'off', ended }
  })

/**
 * Makes the provider the only way into the company, or an optional one. Refuses an owner without a second factor, since
 * only such an owner can sign in if the provider fails.
 */
export const setCompanyProviderRequired = (
  database: Database,
  tenant: string,
  isRequired: boolean,
  by: { user: string } | null,
): Promise<CompanyProvider> =>
  changeProvider(database, tenant, by, async (db, before) => {
    if (isRequired && before.on_since === null) throw conflict(refusals.off())
    if (isRequired && by !== null && !(await hasOwnSecondFactor(db, by.user))) throw conflict(refusals.noFactorOfOwn())
    if (isRequired === (before.required_since !== null)) return { changed: {} }
    await db.run(
      sql`update company_providers set required_since = case when ${isRequired} then moment_of(tenant_id) end
        where tenant_id = ${db.tenant}`,
    )
    return {
      changed: { provider_required: [!isRequired, isRequired] },
      announced: isRequired ? 'required' : 'optional',
    }
  })

/** Removes the provider with its linked accounts, and signs out everyone who signed in by it. */
export const removeCompanyProvider = (
  database: Database,
  tenant: string,
  by: { user: string },
): Promise<CompanyProvider> =>
  changeProvider(database, tenant, by, async (db, before) => {
    const ended = await endBoundSessions(db)
    await db.run(sql`delete from company_providers where tenant_id = ${db.tenant}`)
    return { changed: { provider: [before.issuer, null] }, announced: 'removed', ended }
  })

/** Counts the provider's sessions, their users, and its linked accounts. */
export const countProviderRemovalImpact = (database: Database, tenant: string): Promise<ProviderRemovalImpact> =>
  readTenant(database, { tenant }, (db) =>
    db.one<ProviderRemovalImpact>(sql`
      select (select count(*)::int from sessions where bound_to = ${db.tenant}) as sessions,
        (select count(distinct user_id)::int from sessions where bound_to = ${db.tenant}) as people,
        (select count(*)::int from company_identities where tenant_id = ${db.tenant}) as linked`),
  )

/** Audit changes, what to tell the other owners, and the users whose sessions ended. */
type Change = { changed: Record<string, readonly [unknown, unknown]>; announced?: ProviderChange; ended?: string[] }

async function changeProvider(
  database: Database,
  tenant: string,
  by: Actor,
  change: (db: Db, before: CompanyProvider) => Promise<Change>,
): Promise<CompanyProvider> {
  const { before, ended = [] } = await writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      const before = await db.present<CompanyProvider>(
        sql`select ${columns} from company_providers where tenant_id = ${db.tenant} for update`,
        'provider',
      )
      const result = await change(db, before)
      if (result.announced !== undefined) await notifyOwners(db, result.announced, before.name, by)
      return { before, ...result }
    },
    ({ changed }) =>
      Object.keys(changed).length === 0 ? [] : [auditChange(tenant, by, 'members.set_provider', tenant, changed)],
  )
  ended.forEach(emitAccessChange)
  return before
}

/** Ends a company provider's sessions and pending sign-ins. Returns the users whose sessions ended. */
async function endBoundSessions(db: Db): Promise<string[]> {
  const [ended] = await Promise.all([
    db.all<{ user_id: string }>(sql`delete from sessions where bound_to = ${db.tenant} returning user_id`),
    db.run(sql`delete from pending_sign_ins where bound_to = ${db.tenant}`),
    db.run(sql`delete from provider_requests where bound_to = ${db.tenant}`),
  ])
  return [...new Set(ended.map(({ user_id }) => user_id))]
}

const MAX_SECRET = 1_000
