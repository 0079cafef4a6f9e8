import type { Client } from 'pg'
import { copyIn } from '../../platform/db/copy.ts'
import { list, quoted } from '../backup/tables.ts'
import { Damaged } from '../backup/tar.ts'
import type { RowSum } from './digests.ts'
import { renamed, wholeRows } from './rows.ts'
import type { CarriedTable } from './tables.ts'

/** Names the table, gone with the transaction, in which rows wait until all of the file was read. */
export const stagedName = (table: string): string => quoted(`staged_${table}`)

/** Makes room for the rows of each table; nothing is checked there, and no policy stands in COPY's way. */
export async function makeRoom(client: Client, tables: readonly CarriedTable[]): Promise<void> {
  for (const { name, columns } of tables)
    await client.query(
      `create temp table ${stagedName(name)} on commit drop as select ${columns.map(quoted).join(', ')} from ${quoted(name)} with no data`,
    )
}

/** Says what is added up as rows come: as the file has them, and with the ids that people have here. */
export type StagedSums = { given: RowSum; kept: RowSum }

/** Takes a part of a table's rows. */
export async function stage(
  client: Client,
  { name, columns }: CarriedTable,
  bytes: AsyncIterable<Buffer>,
  { ids, naming, sums }: { ids: ReadonlyMap<string, string>; naming: readonly boolean[]; sums: StagedSums },
): Promise<void> {
  async function* rows(): AsyncGenerator<Buffer> {
    for await (const part of wholeRows(bytes)) {
      const kept = renamed(part, ids, naming)
      sums.given.add(part)
      sums.kept.add(kept)
      yield kept
    }
  }
  const before = sums.kept.told().rows
  const count = await copyIn(client, `copy ${stagedName(name)} ${list(columns)} from stdin`, rows())
  if (count !== sums.kept.told().rows - before) throw new Damaged(`it has rows of ${name} that end too early`)
}

/** Moves the rows to their tables, each of which must be the company's. */
export async function moveIn(client: Client, tables: readonly CarriedTable[], tenant: string): Promise<void> {
  for (const { name, columns } of tables) {
    await requireOwn(client, name, columns, tenant)
    // Accounts are matched by themselves.
    if (name === 'users') continue
    await client.query(
      `insert into ${quoted(name)} ${list(columns)} select ${columns.map(quoted).join(', ')} from ${stagedName(name)}`,
    )
  }
}

async function requireOwn(client: Client, name: string, columns: readonly string[], tenant: string): Promise<void> {
  const whose = name === 'tenants' ? 'id' : columns.includes('tenant_id') ? 'tenant_id' : undefined
  const strays =
    whose !== undefined
      ? `${whose} <> $1::uuid`
      : columns.includes('tenants')
        ? 'tenants <> array[$1::uuid]'
        : '$1::uuid is null'
  const { rowCount } = await client.query(`select from ${stagedName(name)} where ${strays} limit 1`, [tenant])
  if (rowCount !== 0) throw new Damaged(`it has rows of ${name} of another company`)
}
