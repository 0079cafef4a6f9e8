import type pg from 'pg'
import { SAMPLED } from './clones.ts'

/** Size of a table: a company's rows and bytes, and the gigabytes of a hundred thousand companies. */
export type Size = { rows: number; kB: number; 'index kB': number; 'GB of 100,000': number }

/** Returns the tables' sizes, largest first. A table that was cloned in part counts in full. */
export async function sizesOf(
  client: pg.Client,
  companies: number,
): Promise<{ tables: Record<string, Size>; all: Size }> {
  const { rows } = await client.query<{ name: string; rows: string; heap: string; indexes: string }>(
    `select relname as name, reltuples::bigint as rows, pg_table_size(oid) as heap, pg_indexes_size(oid) as indexes
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 0
     order by pg_total_relation_size(oid) desc`,
  )
  const sizes = rows.map(({ name, ...of }): [string, Size] => {
    const times = SAMPLED.includes(name) ? 10 : 1
    const [count, heap, indexes] = [of.rows, of.heap, of.indexes].map((value) => (Number(value) * times) / companies)
    return [
      name,
      {
        rows: round(count!, 1),
        kB: round(heap! / 1000, 1),
        'index kB': round(indexes! / 1000, 1),
        'GB of 100,000': round(((heap! + indexes!) * 100_000) / 1e9, 1),
      },
    ]
  })
  const sum = (of: keyof Size): number =>
    round(
      sizes.reduce((total, [, size]) => total + size[of], 0),
      0,
    )
  return {
    tables: Object.fromEntries(sizes.slice(0, 25)),
    all: { rows: sum('rows'), kB: sum('kB'), 'index kB': sum('index kB'), 'GB of 100,000': sum('GB of 100,000') },
  }
}

const round = (value: number, places: number): number => Math.round(value * 10 ** places) / 10 ** places
