import { createKey } from '../../identity/credentials/keys.ts'
import { addMember } from '../../identity/people/people.ts'
import { countUsersByEmail } from '../../identity/people/users.ts'
import { SCOPES } from '../../identity/permissions/scopes.ts'
import { createTenant, type CompanySummary } from '../../identity/companies/tenants.ts'
import { onErrand, type Database } from '../../platform/db/tenant.ts'
import { makeCatalog } from '../demo/billing/catalog.ts'
import { makeCustomers } from '../demo/customers.ts'
import { backdateRecords } from '../demo/work/backdate.ts'
import { makeInvoices } from '../demo/billing/invoices.ts'
import { makeJobs } from '../demo/work/jobs.ts'
import { makeLetterhead } from '../demo/letterhead.ts'
import { makeMessages } from '../demo/messages.ts'
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
  /** The owner's user key with every scope, in plain text. */
  key: string
}

/**
 * Makes a demo company: its people, then its records through the tools. The content is the same each time, with dates
 * around today. A database that has one gets another, with other e-mails. Nobody waits for it, so it waits for others.
 */
export async function makeDemo(on: Database, { baseUrl }: { baseUrl: string }): Promise<Demo> {
  const database = onErrand(on, { patient: true })
  // Each demo's owner has an e-mail of their own.
  const number = (await countUsersByEmail(database, emailOf('dana%', 1))) + 1
  const { owner, ...tenant } = await createTenant(database, {
    name: number === 1 ? NAME : `${NAME} ${number}`,
    timezone: 'America/Chicago',
    currency: 'USD',
    country: 'US',
    owner: { email: emailOf('dana', number), name: PEOPLE.dana.name, password: 'generated' },
  })
  if (owner.password === null) throw new Error(`${owner.email} exists already, so the demo has no sign-in`)
  const [key, colleagues] = await Promise.all([
    createKey(database, { tenant: tenant.id }, { user: owner.user_id, name: 'Demo', scopes: SCOPES, expires_at: null }),
    addColleagues(database, tenant.id, number),
    makeLetterhead(database, { tenant: tenant.id, owner: owner.user_id }),
  ])
  const people = { dana: owner.user_id, ...colleagues }
  await makeRecords(await openSite(database, { key: key.key, baseUrl, people }))
  await makeOnSite(database, { tenant: tenant.id, people })
  await makeMessages(database, { tenant: tenant.id, timezone: tenant.timezone, number, owner: owner.email })
  await backdateRecords(database, tenant.id)
  return { tenant, owner: { id: owner.user_id, email: owner.email, password: owner.password }, key: key.key }
}

/**
 * Makes kinds that don't need each other at the same time; within a kind one by one, so that its numbers are the same
 * each time.
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

async function addColleagues(database: Database, tenant: string, number: number): Promise<Record<Colleague, string>> {
  const add = async (person: Colleague): Promise<string> => {
    const { name, role } = PEOPLE[person]
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
