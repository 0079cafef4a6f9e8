import { addMember } from '../../src/identity/people/people.ts'
import { writeTenant } from '../../src/platform/db/tenant.ts'
import { issueLink, type LinkTargetKind } from '../../src/customer_portal/link.ts'
import { connectPaymentAccount } from '../../src/payments/accounts.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { makeRecords, type Records } from '../../test/harness/clients/every_tool.ts'
import { callerOf, makeCompany, type Result } from '../../test/harness/harness.ts'
import { givePassword } from '../../test/harness/web_client.ts'
import { sessionOf, type Office } from '../cost/office.ts'

/** The company's account at the payments provider. */
export const ACCOUNT = 'acct_bench'

/** Number of quotes sent to customers. A customer answers each only once. */
const QUOTES = 6

/** Records that customers and technicians use. */
export type MalformedCompany = {
  records: Records
  /** Records for calls that archive, cancel or merge, so that `records` stay usable. */
  spare: Records
  technician: Technician
  invoice: string
  /** Paths of customers' links, by their kind of target. */
  links: Readonly<Record<LinkTargetKind, readonly string[]>>
  /** Ids and cursors as JSON that don't belong where they are sent: of a neighbor, of another kind, archived. */
  misplaced: readonly string[]
}

export type Technician = { user: string; job: Result; cookie: string }

/** Adds a record of every kind, a technician, customers with links, and a neighbor to an office. */
export async function fillCompany(office: Office): Promise<MalformedCompany> {
  const { service, tenant } = office
  const { call } = callerOf(service.url, office.key)
  const email = `tech-${newId()}@example.com`
  const { user_id: user } = await addMember(
    service.database,
    { tenant },
    { email, name: 'Leo Park', role: 'tech', areas: { Invoices: 'edit' }, password: 'none' },
  )
  await givePassword(service.database, tenant, user)
  const records = await makeRecords({ call, owner: { id: user } }, 'Bench')
  const customer_id = records.customer
  const job = await call('jobs_create', { customer_id, title: 'Leak', assignees: [user], scheduled_start: today() })
  const line_items = [{ name: 'Boiler', unit_price_cents: 12_345 }]
  const sendDocument = async (name: string, args: object): Promise<string> => {
    const { id } = await call(`${name}_create`, { customer_id, line_items, ...args })
    await call(`${name}_update`, { id, status: 'sent' })
    return String(id)
  }
  const invoice = await sendDocument('invoices', {})
  await connectPaymentAccount(service.database, null, tenant, ACCOUNT)
  const link = async (kind: LinkTargetKind, id: string): Promise<string> =>
    (await writeTenant(service.database, { tenant }, (db) => issueLink(db, { kind, id, by: null }))).path
  return {
    records,
    spare: await makeRecords({ call, owner: { id: user } }, 'Spare'),
    invoice,
    technician: { user, job, cookie: await sessionOf(service, email) },
    links: {
      // One at a time, because a busy machine may refuse six at once.
      quotes: await Array.fromAsync({ length: QUOTES }, async () =>
        link('quotes', await sendDocument('quotes', { title: 'Boiler' })),
      ),
      invoices: [await link('invoices', invoice)],
      customers: [await link('customers', customer_id)],
    },
    misplaced: await makeMisplacedIds(office, records),
  }
}

const today = (): string => `${Temporal.Now.plainDateISO('America/New_York').toString()}T09:00`

async function makeMisplacedIds({ service, key }: Office, records: Records): Promise<string[]> {
  const { call } = callerOf(service.url, key)
  const neighbor = await makeCompany(service)
  const theirs = await makeRecords({ call: neighbor.call, owner: neighbor.owner }, 'Neighbor')
  const { id: archived } = await call('customers_create', { customer_type: 'individual', first_name: 'Gone' })
  await call('customers_archive', { id: archived })
  const { nextCursor: cursor } = await call('tags_list', { limit: 1 })
  const cursors = typeof cursor === 'string' ? [cursor, cursor.slice(0, -3), `${cursor}A`, cursor.toLowerCase()] : []
  return [...Object.values(records), ...Object.values(theirs), archived, ...cursors].map((value) =>
    JSON.stringify(value),
  )
}
