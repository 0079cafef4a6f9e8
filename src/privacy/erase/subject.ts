import { sql, type Db } from '../../platform/db/tenant.ts'
import { notFound } from '../../platform/errors/refusal.ts'

/** Ids of everything that belongs to one customer, and the addresses that only this customer has. */
export type ErasureSubject = {
  customer: string
  name: string
  /** Ids of the customer and of the customers merged into it. */
  customers: string[]
  contacts: string[]
  locations: string[]
  jobs: string[]
  series: string[]
  quotes: string[]
  invoices: string[]
  plans: string[]
  notes: string[]
  messages: string[]
  conversations: string[]
  correspondents: string[]
  links: string[]
  /** Email addresses and phone numbers that no other live customer has. */
  addresses: string[]
  /** Providers' ids of messages, events and payments. */
  providerIds: string[]
  /** Messages sent to them, by the provider's id. */
  sent: { channel: string; provider_id: string }[]
}

type Ids = { id: string }[]
type SubjectRows = { customer: { id: string; display_name: string; merged_into: string | null } } & Pick<
  ErasureSubject,
  'customers' | 'contacts'
>

/** Returns everything that belongs to a customer, live or archived. `hold` locks the customer row. */
export async function findErasureSubject(db: Db, id: string, { hold = false } = {}): Promise<ErasureSubject> {
  const lock = hold ? sql`for update` : sql``
  const customer = await db.present<SubjectRows['customer']>(
    sql`select id, display_name, merged_into from customers where tenant_id = ${db.tenant} and id = ${id} ${lock}`,
    'customer',
  )
  if (customer.merged_into !== null) throw notFound('customer')
  const customers = idsOf(
    await db.all<{ id: string }>(sql`
      with recursive family (id) as (
        select ${id}::uuid
        union select c.id from customers c join family f on c.merged_into = f.id where c.tenant_id = ${db.tenant})
      select id from family`),
  )
  const listIds = (table: 'contacts' | 'locations' | 'jobs' | 'job_series' | 'quotes' | 'invoices' | 'plans') =>
    db.all<{ id: string }>(TABLES[table](db.tenant, customers)).then(idsOf)
  const [contacts, locations, jobs, series, quotes, invoices, plans, addresses] = await Promise.all([
    listIds('contacts'),
    listIds('locations'),
    listIds('jobs'),
    listIds('job_series'),
    listIds('quotes'),
    listIds('invoices'),
    listIds('plans'),
    addressesOf(db, customers),
  ])
  const records = [...customers, ...contacts, ...locations, ...jobs, ...series, ...quotes, ...invoices, ...plans]
  const documents = { customers, quotes, invoices }
  const [notes, written, links, providerIds] = await Promise.all([
    db
      .all<{ id: string }>(
        sql`select id from notes where tenant_id = ${db.tenant} and subject_id = any(${records}::uuid[])`,
      )
      .then(idsOf),
    findCorrespondence(db, { customers, addresses, records }),
    linksTo(db, documents),
    providerIdsOf(db, invoices, customers),
  ])
  const sent = await findSentMessages(db, { messages: written.messages, invoices })
  return {
    customer: customer.id,
    name: customer.display_name,
    customers,
    contacts,
    locations,
    jobs,
    series,
    quotes,
    invoices,
    plans,
    notes,
    links,
    addresses,
    providerIds,
    sent,
    ...written,
  }
}

/** Returns the ids of all of a customer's records that the audit log references. */
export const subjectRecordIds = (subject: ErasureSubject): string[] => [
  ...subject.customers,
  ...subject.contacts,
  ...subject.locations,
  ...subject.jobs,
  ...subject.series,
  ...subject.quotes,
  ...subject.invoices,
  ...subject.plans,
  ...subject.notes,
  ...subject.messages,
  ...subject.conversations,
  ...subject.correspondents,
]

const idsOf = (rows: Ids): string[] => rows.map(({ id }) => id)

const TABLES = {
  contacts: (tenant: string, customers: string[]) =>
    sql`select id from contacts where tenant_id = ${tenant} and customer_id = any(${customers}::uuid[])`,
  locations: (tenant: string, customers: string[]) =>
    sql`select id from locations where tenant_id = ${tenant} and customer_id = any(${customers}::uuid[])`,
  jobs: (tenant: string, customers: string[]) =>
    sql`select id from jobs where tenant_id = ${tenant} and customer_id = any(${customers}::uuid[])`,
  job_series: (tenant: string, customers: string[]) =>
    sql`select id from job_series where tenant_id = ${tenant} and customer_id = any(${customers}::uuid[])`,
  quotes: (tenant: string, customers: string[]) =>
    sql`select id from quotes where tenant_id = ${tenant} and customer_id = any(${customers}::uuid[])`,
  invoices: (tenant: string, customers: string[]) =>
    sql`select id from invoices where tenant_id = ${tenant} and customer_id = any(${customers}::uuid[])`,
  plans: (tenant: string, customers: string[]) =>
    sql`select id from plans where tenant_id = ${tenant} and customer_id = any(${customers}::uuid[])`,
}

/** Returns the addresses of their contacts and messages, except those that another live customer has. */
const addressesOf = async (db: Db, customers: string[]): Promise<string[]> =>
  (
    await db.all<{ address: string }>(sql`
      with theirs as (
        select email as address from contacts
        where tenant_id = ${db.tenant} and customer_id = any(${customers}::uuid[]) and email is not null
        union
        select phone from contacts
        where tenant_id = ${db.tenant} and customer_id = any(${customers}::uuid[]) and phone is not null
        union select counterpart_of(direction, sender_address, recipients) from communications
          where tenant_id = ${db.tenant} and customer_id = any(${customers}::uuid[]))
      select address from theirs t where address is not null and not exists (
        select 1 from contacts o where o.tenant_id = ${db.tenant} and o.archived_at is null
          and o.customer_id <> all(${customers}::uuid[]) and (o.email = t.address or o.phone = t.address))`)
  ).map(({ address }) => address)

/**
 * Returns their messages: assigned to them, unassigned but from or to an address only they have, or about their
 * records.
 */
async function findCorrespondence(
  db: Db,
  { customers, addresses, records }: Pick<ErasureSubject, 'customers' | 'addresses'> & { records: string[] },
): Promise<Pick<ErasureSubject, 'messages' | 'conversations' | 'correspondents'>> {
  const [messages, conversations, correspondents] = await Promise.all([
    db.all<{
      id: string
    }>(sql`select id from communications where tenant_id = ${db.tenant} and (customer_id = any(${customers}::uuid[])
      or (customer_id is null and counterpart_of(direction, sender_address, recipients) = any(${addresses}::text[]))
      or id in (select id from outbox where tenant_id = ${db.tenant} and about_id = any(${records}::uuid[])))`),
    db.all<{
      id: string
    }>(sql`select id from conversations where tenant_id = ${db.tenant} and (customer_id = any(${customers}::uuid[])
      or (customer_id is null and (counterpart = any(${addresses}::text[]) or id in (
        select conversation_id from communications where tenant_id = ${db.tenant} and customer_id is null
          and counterpart_of(direction, sender_address, recipients) = any(${addresses}::text[])))))`),
    db.all<{ id: string }>(sql`select id from correspondents where tenant_id = ${db.tenant}
      and (customer_id = any(${customers}::uuid[]) or address = any(${addresses}::text[]))`),
  ])
  return { messages: idsOf(messages), conversations: idsOf(conversations), correspondents: idsOf(correspondents) }
}

const linksTo = async (
  db: Db,
  { customers, quotes, invoices }: Pick<ErasureSubject, 'customers' | 'quotes' | 'invoices'>,
): Promise<string[]> =>
  idsOf(
    await db.all<{ id: string }>(sql`select id from customer_links where tenant_id = ${db.tenant}
      and (customer_id = any(${customers}::uuid[]) or quote_id = any(${quotes}::uuid[])
        or invoice_id = any(${invoices}::uuid[]))`),
  )

/** Returns the payment provider's ids for the payments of invoices and for their customers' saved methods. */
const providerIdsOf = async (db: Db, invoices: string[], customers: string[]): Promise<string[]> =>
  (
    await db.all<{ name: string }>(sql`
      select name from payment_names where tenant_id = ${db.tenant} and invoice_id = any(${invoices}::uuid[])
      union
      select charge from payments
      where tenant_id = ${db.tenant} and invoice_id = any(${invoices}::uuid[]) and charge is not null
      union
      select session from checkout_sessions
      where tenant_id = ${db.tenant} and invoice_id = any(${invoices}::uuid[]) and session is not null
      union
      select payment from pending_payments
      where tenant_id = ${db.tenant} and invoice_id = any(${invoices}::uuid[])
      union
      select intent from saved_charges
      where tenant_id = ${db.tenant} and invoice_id = any(${invoices}::uuid[]) and intent is not null
      union
      select unnest(array_remove(array[session, provider_customer, method], null)) from payment_methods
      where tenant_id = ${db.tenant} and customer_id = any(${customers}::uuid[])
      union
      select dispute from payment_disputes
      where tenant_id = ${db.tenant} and invoice_id = any(${invoices}::uuid[])`)
  ).map(({ name }) => name)

const findSentMessages = (
  db: Db,
  { messages, invoices }: Pick<ErasureSubject, 'messages' | 'invoices'>,
): Promise<ErasureSubject['sent']> =>
  db.all<ErasureSubject['sent'][number]>(sql`
    select channel, provider_message_id as provider_id from communications
      where tenant_id = ${db.tenant} and id = any(${messages}::uuid[]) and provider_message_id is not null
    union select channel, provider_id from invoice_deliveries
      where tenant_id = ${db.tenant} and invoice_id = any(${invoices}::uuid[]) and provider_id is not null`)
