import type { Actor } from '../../identity/audit.ts'
import { isOperator } from '../../identity/people/operators.ts'
import { ownerCheck } from '../../identity/permissions/rights.ts'
import { rowsOf, sendIn, sql, entryStatements, type Database, type Sql } from '../../platform/db/tenant.ts'
import { refusalOf } from '../../platform/db/refusals.ts'
import { invalidField, notFound } from '../../platform/errors/refusal.ts'
import { readPhone } from '../../platform/validation/formats/phone.ts'
import { parseAddressList, addressVariants } from './addresses.ts'
import { refusals } from './refusals.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** Number or address at which a company receives messages. */
export type InboundChannel = { tenant_id: string; address: string; created_at: string }

type Kind = { table: Sql; column: Sql; what: string }

export const NUMBERS: Kind = { table: sql`managed_numbers`, column: sql`number`, what: 'number' }
export const MAILBOXES: Kind = { table: sql`mailboxes`, column: sql`address`, what: 'mailbox' }

/** Assigns a channel to a company; throws `conflict` if a company already has it. */
export async function addChannel(
  database: Database,
  { table, column }: Kind,
  tenant: string,
  address: string,
  by: Actor = null,
): Promise<InboundChannel> {
  const answers = await database
    .send([
      ...entryStatements(tenant),
      ...ownerCheck(tenant, by),
      sql`insert into ${table} (tenant_id, ${column}) values (${tenant}, ${address})
    returning tenant_id, ${column} as address, created_at`,
    ])
    .catch((error: unknown) => {
      throw refusalOf(error) ?? error
    })
  return requireValue(answers.at(-1)?.rows[0] as InboundChannel | undefined, 'The new channel')
}

/**
 * Adds a channel for an operator; throws `not_found` for others, since the owner of a channel receives everything sent
 * to it.
 */
export async function addChannelAsOperator(
  database: Database,
  kind: Kind,
  tenant: string,
  address: string,
  by: { user: string },
): Promise<InboundChannel> {
  if (!(await isOperator(database, by.user))) throw notFound('operator')
  return addChannel(database, kind, tenant, address, by)
}

/** Lists all channels, or those of one company, in order of number or address. */
export async function listChannels(
  database: Database,
  { table, column }: Kind,
  tenant: string | null = null,
): Promise<InboundChannel[]> {
  const { rows } = await sendIn(
    database.send,
    tenant,
    sql<InboundChannel>`select tenant_id, ${column} as address, created_at from ${table}
    where ${tenant}::uuid is null or tenant_id = ${tenant} order by ${column}`,
  )
  return rows
}

/** Removes a channel; later messages to it go to quarantine. With a tenant, removes only that tenant's channel. */
export async function removeChannel(
  database: Database,
  { table, column, what }: Kind,
  address: string,
  by: Actor = null,
  tenant: string | null = null,
): Promise<InboundChannel> {
  const checks =
    by === null
      ? []
      : [sql`select still_in(tenant_id, ${by.user}, '{owner}') from ${table} where ${column} = ${address}`]
  const answers = await database.send([
    ...entryStatements(tenant),
    ...checks,
    sql`delete from ${table} where ${column} = ${address} returning tenant_id, ${column} as address, created_at`,
  ])
  const removed = answers.at(-1)?.rows[0] as InboundChannel | undefined
  if (removed === undefined) throw notFound(what)
  return removed
}

/** Returns the company that owns a number. */
export async function findTenantByNumber(database: Database, number: string): Promise<string | undefined> {
  const [row] = await rowsOf(
    database.send,
    sql<{ tenant_id: string }>`select tenant_id from managed_numbers where number = ${number}`,
  )
  return row?.tenant_id
}

/**
 * Returns the companies that own these addresses; an address with a plus-tag belongs to its base mailbox unless the
 * tagged address has an owner.
 */
export async function findTenantsByAddress(database: Database, addresses: readonly string[]): Promise<string[]> {
  const [answer] = await database.send([
    sql<{
      address: string
      tenant_id: string
    }>`select address, tenant_id from mailboxes where address = any(${addresses.flatMap(addressVariants)})`,
  ])
  const owners = new Map(answer.rows.map(({ address, tenant_id }) => [address, tenant_id]))
  const tenants = addresses.flatMap(
    (address) =>
      addressVariants(address)
        .map((spelling) => owners.get(spelling))
        .find((tenant) => tenant !== undefined) ?? [],
  )
  return [...new Set(tenants)].sort()
}

/** Parses a managed number into the stored form, E.164. */
export const parseNumber = (text: string, country: string): string => readPhone(text, country, 'number').phone

/** Parses an inbound address into the stored form. */
export function parseMailbox(text: string): string {
  const [address, ...more] = parseAddressList(text)
  if (address === undefined || more.length > 0)
    throw invalidField('address', refusals.mailbox({ value: text.slice(0, 100) }))
  return address
}
