import { findCaller, type Caller } from '../../identity/credentials/caller.ts'
import { createKey } from '../../identity/credentials/keys.ts'
import { hashOf } from '../../identity/credentials/secret_hash.ts'
import { addMember, listMembers } from '../../identity/people/people.ts'
import { findSignedInMember } from '../../identity/people/recovery/signed_in_member.ts'
import { countUsersByEmail } from '../../identity/people/users.ts'
import { SCOPES } from '../../identity/permissions/scopes.ts'
import { createTenant, type CompanySummary } from '../../identity/companies/tenants.ts'
import { requireValue } from '../../platform/errors/require_value.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { emptyDemo } from '../../privacy/erase/demo_company.ts'
import { withOptions, type Database } from '../../platform/db/tenant.ts'
import { makeCatalog } from '../demo/billing/catalog.ts'
import { makeCustomers } from '../demo/customers.ts'
import { backdateRecords } from '../demo/work/backdate.ts'
import { makeInvoices } from '../demo/billing/invoices.ts'
import { makeJobs } from '../demo/work/jobs.ts'
import { makeLetterhead } from '../demo/letterhead.ts'
import { makeMessages, makeOperator } from '../demo/messages.ts'
import { makeNotes } from '../demo/notes.ts'
import { makeOnSite } from '../demo/work/on_site.ts'
import { PEOPLE, emailOf, type PersonName } from '../demo/people.ts'
import { makePlans } from '../demo/billing/plans.ts'
import { makeQuotes } from '../demo/billing/quotes.ts'
import { makeSeries } from '../demo/work/series.ts'
import { openSite, type DemoSite } from '../demo/work/site.ts'
import { makeTaxRates } from '../demo/billing/tax_rates.ts'

export type Demo = {
  tenant: CompanySummary
  owner: { id: string; email: string; password: string }
  /** Owner's user key with all scopes, in plaintext. */
  key: string
}

/**
 * Creates a demo company: its people, then its records through the tools. The content is always the same, with dates
 * relative to today. A further demo in the same database gets other email addresses. Gives way to more urgent work.
 */
export async function makeDemo(baseDatabase: Database, { baseUrl }: { baseUrl: string }): Promise<Demo> {
  const database = withOptions(baseDatabase, { patient: true })
  // Each demo's owner has an email address of its own.
  const number = (await countUsersByEmail(database, emailOf('dana%', 1))) + 1
  const { owner, ...tenant } = await createTenant(database, {
    name: number === 1 ? NAME : `${NAME} ${number}`,
    timezone: 'America/Chicago',
    currency: 'USD',
    country: 'US',
    owner: { email: emailOf('dana', number), name: PEOPLE.dana.name, password: 'generated' },
  })
  if (owner.password === null) throw new Error(`${owner.email} already exists, so the demo has no sign-in`)
  const [key, colleagues] = await Promise.all([
    createKey(database, { tenant: tenant.id }, { user: owner.user_id, name: 'Demo', scopes: SCOPES, expires_at: null }),
    addColleagues(database, tenant.id, number),
    makeLetterhead(database, { tenant: tenant.id, owner: owner.user_id }),
  ])
  const people = { dana: owner.user_id, ...colleagues }
  const caller = await findCaller(database, hashOf(key.key))
  if (typeof caller === 'string') throw new Error(`The demo's key is refused: ${caller}`)
  await fillDemo(database, { caller, baseUrl, people, number })
  if (number === 1) await makeOperator(database, owner.email)
  return { tenant, owner: { id: owner.user_id, email: owner.email, password: owner.password }, key: key.key }
}

/**
 * Restores the records of a demo company to those of its first day. Keeps its people, their passwords and keys, and
 * adds removed colleagues again.
 */
export async function resetDemo(
  baseDatabase: Database,
  tenant: string,
  { baseUrl, storage }: ResetContext,
): Promise<void> {
  const database = withOptions(baseDatabase, { patient: true })
  await emptyDemo(database, tenant, storage)
  const members = await listMembers(database, { tenant })
  const owner = requireValue(
    members.find(({ email }) => DEMO_OWNER.test(email)),
    "The demo's owner",
  )
  const number = Number(DEMO_OWNER.exec(owner.email)?.[1] ?? 1)
  const present = new Map(
    members.filter(({ deactivated_at }) => deactivated_at === null).map(({ email, user_id }) => [email, user_id]),
  )
  const colleagues = await addColleagues(database, tenant, number, present)
  await makeLetterhead(database, { tenant, owner: owner.user_id })
  const signedIn = requireValue(await findSignedInMember(database, tenant, owner.user_id), "The demo's owner")
  const people = { dana: owner.user_id, ...colleagues }
  await fillDemo(database, { caller: signedIn.caller, baseUrl, people, number })
}

type ResetContext = { baseUrl: string; storage: Storage }

/** Email address of a demo's owner, with the company number if there are several. */
const DEMO_OWNER = /^dana(?:\+(\d+))?@/

type DemoContext = { caller: Caller; baseUrl: string; people: Record<PersonName, string>; number: number }

/** Creates a demo company's records, as its owner. */
async function fillDemo(database: Database, { caller, baseUrl, people, number }: DemoContext): Promise<void> {
  const { id, timezone } = caller.tenant
  await makeRecords(openSite(database, { caller, baseUrl, people }))
  await makeOnSite(database, { tenant: id, people })
  await makeMessages(database, { tenant: id, timezone, number })
  await backdateRecords(database, id)
}

/**
 * Creates independent kinds of records in parallel, but the records of a kind one by one, so that their numbers are
 * always the same.
 */
async function makeRecords(site: DemoSite): Promise<void> {
  const [rates, customers, catalog] = await Promise.all([makeTaxRates(site), makeCustomers(site), makeCatalog(site)])
  const [quotes] = await Promise.all([
    makeQuotes(site, { customers, catalog, rates }),
    makeSeries(site, { customers, catalog }),
    makePlans(site, { customers, catalog }),
    makeNotes(site, customers),
  ])
  const jobs = await makeJobs(site, { customers, catalog, quotes })
  await makeInvoices(site, { customers, catalog, jobs, quotes })
}

const NAME = 'Barton Ridge Plumbing & Air'

type Colleague = Exclude<PersonName, 'dana'>

/** Adds the owner's colleagues, except those already `present`. */
async function addColleagues(
  database: Database,
  tenant: string,
  number: number,
  present: ReadonlyMap<string, string> = new Map(),
): Promise<Record<Colleague, string>> {
  const add = async (person: Colleague): Promise<string> => {
    const { name, role } = PEOPLE[person]
    const existingId = present.get(emailOf(person, number))
    if (existingId !== undefined) return existingId
    return (await addMember(database, { tenant }, { email: emailOf(person, number), name, role, password: 'none' }))
      .user_id
  }
  const [priya, marcus, luis, tasha, cole] = await Promise.all([
    add('priya'),
    add('marcus'),
    add('luis'),
    add('tasha'),
    add('cole'),
  ])
  return { priya, marcus, luis, tasha, cole }
}
