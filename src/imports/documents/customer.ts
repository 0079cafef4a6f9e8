import type { Caller } from '../../identity/credentials/caller.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { customersNamed } from '../../records/customers/index.ts'
import { invalidField, quoteText } from '../../platform/errors/refusal.ts'
import type { RefusalDetail } from '../../platform/errors/refusal_text.ts'
import { parsePhoneQuery } from '../../platform/validation/formats/phone.ts'
import type { ImportSource } from '../formats/source_format.ts'
import { foldName } from '../rows/links.ts'
import { splitName } from '../reading/names.ts'
import type { CustomerReference } from './source_document.ts'
import { refusals } from './refusals.ts'

export type DocumentCustomer = { id: string; name: string; tax_exempt: boolean }

/**
 * Finds the customer of a document by source id, email, phone and exact name. If one matches several customers, the
 * next ones narrow them down. Throws if no customer or several remain.
 */
export async function findDocumentCustomer(
  db: Db,
  { tenant }: Caller,
  source: ImportSource,
  reference: CustomerReference,
): Promise<DocumentCustomer> {
  const { id, email, phone, name } = reference
  const lookups: [field: string, text: string | undefined, find: (text: string) => Promise<string[]>][] = [
    ['customer_id', id, (text) => findByLink(db, source, text)],
    ['customer_email', email?.toLowerCase(), (text) => findByContact(db, 'email', text)],
    ['customer_phone', phone && parsePhoneQuery(phone, tenant.country), (text) => findByContact(db, 'phone', text)],
    ['customer_name', name, (text) => findByName(db, text)],
  ]
  let candidateIds: string[] | undefined
  for (const [, text, find] of lookups) {
    if (text === undefined || candidateIds?.length === 1) continue
    const ids = await find(text)
    const narrowed = candidateIds === undefined ? ids : candidateIds.filter((one) => ids.includes(one))
    if (narrowed.length > 0) candidateIds = narrowed
  }
  const [field = 'customer_name'] = lookups.findLast(([, text]) => text !== undefined) ?? []
  if (candidateIds === undefined) throw invalidField(field, missingCustomerRule(reference))
  const [only] = candidateIds
  if (only === undefined) throw invalidField(field, missingCustomerRule(reference))
  if (candidateIds.length > 1) throw invalidField(field, refusals.severalCustomers({ count: candidateIds.length }))
  return db.one<DocumentCustomer>(sql`select id, display_name as name, tax_exempt from customers
    where tenant_id = ${db.tenant} and id = ${only}`)
}

const missingCustomerRule = ({ id, name, email, phone }: CustomerReference): RefusalDetail => {
  const reference = name ?? email ?? phone ?? id
  return reference === undefined
    ? refusals.noCustomer()
    : refusals.unknownCustomer({ value: quoteText(reference.slice(0, 60)) })
}

/** Finds our customer by its linked source id, following merges, or by its external id. */
const findByLink = async (db: Db, source: ImportSource, id: string): Promise<string[]> =>
  ids(
    await db.all<{ id: string }>(sql`
      select coalesce(c.merged_into, c.id) as id from import_links l
      join customers c on c.tenant_id = l.tenant_id and c.id = l.record_id
      where l.tenant_id = ${db.tenant} and l.kind = 'customers' and l.source = ${source}
        and l.source_id = ${id.slice(0, 200)}
        and (c.archived_at is null or c.merged_into is not null)
      union select c.id from customers c
      where c.tenant_id = ${db.tenant} and c.external_id = ${id} and c.archived_at is null`),
  )

/** Finds customers by name: ours, the name in an imported customer file, or else with first and last name swapped. */
async function findByName(db: Db, name: string): Promise<string[]> {
  const [ours, theirs] = await Promise.all([customersNamed(db, name, MAX_FOUND), findByImportedName(db, name)])
  const ids = [...new Set([...ours.map(({ id }) => id), ...theirs])]
  if (ids.length > 0) return ids
  const { first_name, last_name, isSwapped } = splitName(name)
  return isSwapped ? (await customersNamed(db, `${first_name} ${last_name}`, MAX_FOUND)).map(({ id }) => id) : []
}

/** Finds customers by the name written in their imported file, following merges. */
const findByImportedName = async (db: Db, name: string): Promise<string[]> =>
  ids(
    await db.all<{ id: string }>(sql`
      select distinct coalesce(c.merged_into, c.id) as id from import_links l
      join customers c on c.tenant_id = l.tenant_id and c.id = l.record_id
      where l.tenant_id = ${db.tenant} and l.kind = 'customers' and l.name_folded = ${foldName(name)}
        and (c.archived_at is null or c.merged_into is not null) limit ${MAX_FOUND}`),
  )

/** Maximum number of customers of one name to consider. */
const MAX_FOUND = 20

const findByContact = async (db: Db, by: 'email' | 'phone', text: string): Promise<string[]> =>
  ids(
    await db.all<{ id: string }>(sql`select distinct k.customer_id as id from contacts k
      join customers c on c.tenant_id = k.tenant_id and c.id = k.customer_id and c.archived_at is null
      where k.tenant_id = ${db.tenant} and k.archived_at is null
        and ${by === 'email' ? sql`k.email` : sql`k.phone`} = ${text}
      limit 20`),
  )

const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)
