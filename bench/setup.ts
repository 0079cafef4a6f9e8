import pg from 'pg'
import { findCaller } from '../src/access/caller.ts'
import type { Caller } from '../src/access/caller.ts'
import { hashOf } from '../src/access/keys.ts'
import { makeCompany, startTestService } from '../test/harness.ts'

/** What every server under test is told, as JSON. */
export type Setup = { owner: pg.ClientConfig; tenant: string; key: string; customer: string; caller: Omit<Caller, 'scopes'> & { scopes: string[] } }

/** The caller, for those that look up none themselves. */
export const callerIn = ({ caller }: Setup): Caller => ({ ...caller, scopes: new Set(caller.scopes) as Caller['scopes'] })

/** A database with a company of some customers, each with contacts, a location and a tag. */
export async function setUp(customers: number): Promise<{ setup: Setup; drop(): Promise<void> }> {
  const service = await startTestService()
  const company = await makeCompany(service)
  const tag = await company.call('tags_create', { name: 'Maintenance plan' })
  const add = (i: number) => company.call('customers_create', {
    customer_type: 'individual', first_name: `First${i % 97}`, last_name: `Last${i}`, phone: `512555${String(i).padStart(4, '0')}`,
    email: `person${i}@example.com`, contacts: [{ first_name: 'Second', phone: '(512) 555-0199' }],
    locations: [{ address_line1: `${i} Main St`, city: 'Austin', region: 'TX', postal_code: '78701' }], tag_ids: [tag['id']],
  })
  let made: Record<string, unknown> = {}
  for (let i = 0; i < customers; i += 20) [made] = await Promise.all(Array.from({ length: 20 }, (_, j) => add(i + j))) as [Record<string, unknown>]
  const admin = new pg.Client(service.owner)
  await admin.connect()
  await admin.query('vacuum analyze')
  await admin.end()
  const caller = await findCaller(service.database, hashOf(company.owner.key)) as Caller
  const setup = {
    owner: service.owner, tenant: company.tenant, key: company.owner.key, customer: made['id'] as string, caller: { ...caller, scopes: [...caller.scopes] },
  }
  return { setup, drop: service.stop }
}
