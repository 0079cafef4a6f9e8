import pg from 'pg'
import { findCaller, type Caller } from '../src/identity/credentials/caller.ts'
import { createKey } from '../src/identity/credentials/keys.ts'
import { hashOf } from '../src/identity/credentials/secret_hash.ts'
import { SCOPES } from '../src/identity/permissions/scopes.ts'
import { callerOf } from '../test/harness/harness.ts'
import { createCompany, startSite } from '../test/harness/web_client.ts'
import { authorizeClient } from './access_token.ts'

/** Settings that every server under test receives as JSON. */
export type Setup = {
  owner: pg.ClientConfig
  /** Database login of the service. */
  login: pg.ClientConfig
  /** Base of the token's issuer. */
  baseUrl: string
  tenant: string
  /** The person's API key. `token` is the access token of a client that they approved. */
  key: string
  token: string
  customer: string
  caller: Omit<Caller, 'scopes'> & { scopes: string[] }
}

/** Returns the caller, for servers that don't look it up. */
export const callerIn = ({ caller }: Setup): Caller => ({
  ...caller,
  scopes: new Set(caller.scopes) as Caller['scopes'],
  approval: null,
})

/** Returns a database with a company of some customers, each with contacts, a location and a tag. */
export async function setUp(customers: number): Promise<{ setup: Setup; drop(): Promise<void> }> {
  const service = await startSite()
  const company = await createCompany(service, 'Bench')
  const { key } = await createKey(
    service.database,
    { tenant: company.id },
    { user: company.owner.user_id, name: 'Bench', scopes: SCOPES, expires_at: null },
  )
  const { call } = callerOf(service.url, key)
  const tag = await call('tags_create', { name: 'Maintenance plan' })
  const add = (i: number) =>
    call('customers_create', {
      customer_type: 'individual',
      first_name: `First${i % 97}`,
      last_name: `Last${i}`,
      phone: `512555${String(i).padStart(4, '0')}`,
      email: `person${i}@example.com`,
      contacts: [{ first_name: 'Second', phone: '(512) 555-0199' }],
      locations: [{ address_line1: `${i} Main St`, city: 'Austin', region: 'TX', postal_code: '78701' }],
      tag_ids: [tag['id']],
    })
  let made: Record<string, unknown> = {}
  for (let i = 0; i < customers; i += 20)
    [made] = (await Promise.all(Array.from({ length: 20 }, (_, j) => add(i + j)))) as [Record<string, unknown>]
  const { tokens } = await authorizeClient(service, company.owner.email)
  const admin = new pg.Client(service.owner)
  await admin.connect()
  await admin.query('vacuum analyze')
  await admin.end()
  const caller = (await findCaller(service.database, hashOf(key))) as Caller
  const setup = {
    owner: service.owner,
    login: service.login,
    baseUrl: service.config.baseUrl,
    tenant: company.id,
    key,
    token: tokens.access_token,
    customer: made['id'] as string,
    caller: { ...caller, scopes: [...caller.scopes] },
  }
  return { setup, drop: service.stop }
}
