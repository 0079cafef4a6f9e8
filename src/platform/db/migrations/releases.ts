import type { Client } from 'pg'
import { VERSION } from '../../version.ts'

/** Release that ran on a database, and its first start. */
export type ReleaseRun = { version: string; started_at: Date }

const hasList = async (client: Client): Promise<boolean> =>
  (await client.query<{ there: boolean }>(`select to_regclass('public.releases') is not null as there`)).rows[0]
    ?.there === true

/** Records that this release uses the database, unless it was the last one recorded. */
export async function recordRelease(client: Client): Promise<void> {
  if (!(await hasList(client))) return
  await client.query(
    `insert into releases (version) select $1 where $1 is distinct from (
      select version from releases order by started_at desc limit 1)
    on conflict do nothing`,
    [VERSION],
  )
}

/** Returns the latest releases that ran on a database, newest first. */
export async function findReleases(client: Client): Promise<ReleaseRun[]> {
  if (!(await hasList(client))) return []
  return (await client.query<ReleaseRun>('select version, started_at from releases order by started_at desc limit 20'))
    .rows
}
