import type { Client } from 'pg'
import { quoted, tablesOf, type BackupTable } from '../backup/tables.ts'
import { CARRIED, type Carried } from './holdings.ts'

/** Describes a table of which a company's file has rows: its columns that are not generated, and how they go into it. */
export type CarriedTable = Pick<BackupTable, 'name' | 'columns'> & Carried

/** Lists the tables of a company's file: accounts and the company itself first, then all others by name. */
export async function carriedTables(client: Client): Promise<CarriedTable[]> {
  const there = new Map((await tablesOf(client)).map((table) => [table.name, table]))
  return Object.entries(CARRIED).map(([name, carried]) => {
    const table = there.get(name)
    if (table === undefined) throw new Error(`The schema has no table ${name}`)
    return { ...carried, name, columns: table.columns }
  })
}

/** Selects the rows of a company as its file has them. */
export function selectionOf({ name, columns, becomes, rows }: CarriedTable, tenant: string): string {
  const values = columns.map((column) =>
    becomes[column] === undefined ? quoted(column) : `${becomes[column]} as ${quoted(column)}`,
  )
  return `select ${values.join(', ')} from ${quoted(name)} where ${rows(`'${tenant}'::uuid`)}`
}
