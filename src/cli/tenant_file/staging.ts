import type { Client } from 'pg'
import { copyIn } from '../../platform/db/copy.ts'
import { columnList, quoteIdentifier } from '../../backup/archive/tables.ts'
import { DamagedArchive } from '../../backup/archive/tar.ts'
import type { RowSum } from './digests.ts'
import { replaceIds, readWholeRows } from './rows.ts'
import type { ExportTable } from './tables.ts'

/** Returns the name of a staging table, a temporary table for rows until the whole file has been read. */
export const stagingTable = (table: string): string => quoteIdentifier(`staged_${table}`)

/** Creates a staging table for each table, without constraints and without a policy that would block COPY. */
export async function createStagingTables(client: Client, tables: readonly ExportTable[]): Promise<void> {
  for (const { name, columns } of tables)
    await client.query(
      `create temp table ${stagingTable(name)} on commit drop as
      select ${columns.map(quoteIdentifier).join(', ')} from ${quoteIdentifier(name)} with no data`,
    )
}

/** Checksums of staged rows: with the file's ids, and with people's ids here. */
export type StagedSums = { original: RowSum; mapped: RowSum }

/** Stages a part of a table's rows. */
export async function stageRows(
  client: Client,
  { name, columns }: ExportTable,
  bytes: AsyncIterable<Buffer>,
  { ids, idColumns, sums }: { ids: ReadonlyMap<string, string>; idColumns: readonly boolean[]; sums: StagedSums },
): Promise<void> {
  async function* rows(): AsyncGenerator<Buffer> {
    for await (const part of readWholeRows(bytes)) {
      const replaced = replaceIds(part, ids, idColumns)
      sums.original.add(part)
      sums.mapped.add(replaced)
      yield replaced
    }
  }
  const before = sums.mapped.total().rows
  const count = await copyIn(client, `copy ${stagingTable(name)} ${columnList(columns)} from stdin`, rows())
  if (count !== sums.mapped.total().rows - before) throw new DamagedArchive(`it has truncated rows of ${name}`)
}

/** Moves the rows to their tables. Throws for a row of another company. */
export async function moveRows(client: Client, tables: readonly ExportTable[], tenant: string): Promise<void> {
  for (const { name, columns } of tables) {
    await requireOwnRows(client, name, columns, tenant)
    // Accounts were already matched.
    if (name === 'users') continue
    await client.query(
      `insert into ${quoteIdentifier(name)} ${columnList(columns)}
      select ${columns.map(quoteIdentifier).join(', ')} from ${stagingTable(name)}`,
    )
  }
}

async function requireOwnRows(client: Client, name: string, columns: readonly string[], tenant: string): Promise<void> {
  const tenantColumn = name === 'tenants' ? 'id' : columns.includes('tenant_id') ? 'tenant_id' : undefined
  const strayCondition =
    tenantColumn !== undefined
      ? `${tenantColumn} <> $1::uuid`
      : columns.includes('tenants')
        ? 'tenants <> array[$1::uuid]'
        : '$1::uuid is null'
  const { rowCount } = await client.query(`select from ${stagingTable(name)} where ${strayCondition} limit 1`, [tenant])
  if (rowCount !== 0) throw new DamagedArchive(`it has another company's rows of ${name}`)
}
