import type { Client } from 'pg'
import { quoteIdentifier, listTables, type BackupTable } from '../../backup/archive/tables.ts'
import { EXPORT_RULES, type ExportRule } from './export_rules.ts'

/** Table with rows in a company's file: its columns that are not generated, and its export rule. */
export type ExportTable = Pick<BackupTable, 'name' | 'columns'> & ExportRule

/** Lists the tables of a company's file in the order of EXPORT_RULES: accounts and the company itself first. */
export async function listExportTables(client: Client): Promise<ExportTable[]> {
  const existing = new Map((await listTables(client)).map((table) => [table.name, table]))
  return Object.entries(EXPORT_RULES).map(([name, rule]) => {
    const table = existing.get(name)
    if (table === undefined) throw new Error(`The schema has no table ${name}`)
    return { ...rule, name, columns: table.columns }
  })
}

/** Returns SQL that selects a company's rows as exported. */
export function selectRows({ name, columns, replacements, condition }: ExportTable, tenant: string): string {
  const values = columns.map((column) =>
    replacements[column] === undefined
      ? quoteIdentifier(column)
      : `${replacements[column]} as ${quoteIdentifier(column)}`,
  )
  return `select ${values.join(', ')} from ${quoteIdentifier(name)} where ${condition(`'${tenant}'::uuid`)}`
}
