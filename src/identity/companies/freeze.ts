import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ClientConfig } from 'pg'
import { onlyRow } from '../../platform/db/sql.ts'
import { withClient } from '../../platform/db/transaction.ts'

/**
 * Bounds the wait for those who were writing; each of them ends within its own deadline, unless it is somebody's by
 * hand.
 */
const MAX_WAIT_MS = 60_000
const PAUSE_MS = 5

/**
 * Makes a company read-only, and returns since when; whoever was writing is done when this resolves, so that what is
 * read from then on stays as it is (docs/spec/tenant_file.md#freezing). Asks as the schema's owner.
 */
export const freezeCompany = (owner: ClientConfig, tenant: string): Promise<string> =>
  withClient(owner, async (client) => {
    const frozen = await client.query<{ since: Date }>(
      `insert into frozen_companies (tenant_id) values ($1)
       on conflict (tenant_id) do update set since = frozen_companies.since returning since`,
      [tenant],
    )
    // By itself and later: a cluster tells it of no change. Whoever wrote before has a lower one.
    const after = await client.query<{ change: string }>('select pg_current_xact_id()::text as change')
    await waitForWriters(client, tenant, onlyRow(after).change)
    return onlyRow(frozen).since.toISOString()
  })

/** Lets a company write again; tells whether it couldn't. */
export const thawCompany = (owner: ClientConfig, tenant: string): Promise<boolean> =>
  withClient(
    owner,
    async (client) =>
      (await client.query('delete from frozen_companies where tenant_id = $1', [tenant])).rowCount === 1,
  )

/** Waits until nobody is left who came to write before, and no transaction that had written anything. */
async function waitForWriters(client: Client, tenant: string, change: string): Promise<void> {
  const until = performance.now() + MAX_WAIT_MS
  const { rows: writing } = await client.query<{ key: string }>(WRITING, [tenant])
  const before = new Set(writing.map(({ key }) => key))
  for (;;) {
    const { rows } = await client.query<{ key: string }>(WRITING, [tenant])
    const { done } = onlyRow(
      await client.query<{ done: boolean }>(
        `select pg_snapshot_xmin(pg_current_snapshot())::text::numeric > $1::numeric as done`,
        [change],
      ),
    )
    if (done && !rows.some(({ key }) => before.has(key))) return
    if (performance.now() > until)
      throw new Error(
        'Somebody has been writing for a minute, so the company is frozen and not yet still; try again, or thaw it',
      )
    await sleep(PAUSE_MS)
  }
}

/** Names the locks that `enter_to_write` holds for a tenant, each with whose it is. */
const WRITING = `select pid || ' ' || objid as key from pg_locks
  where locktype = 'advisory' and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())
    and classid = (hashtext($1)::bigint & 4294967295)::oid`
