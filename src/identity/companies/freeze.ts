import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ClientConfig } from 'pg'
import { onlyRow } from '../../platform/db/sql.ts'
import { withClient } from '../../platform/db/transaction.ts'

/** Maximum milliseconds to wait for active writers. Each ends within its own deadline, except a manual session. */
const MAX_WAIT_MS = 60_000
const PAUSE_MS = 5

/**
 * Makes a company read-only and returns the time of the freeze. Resolves once every writer has finished, so that later
 * reads see unchanging data (docs/spec/tenant_file.md#freezing). Connects as the schema's owner.
 */
export const freezeCompany = (owner: ClientConfig, tenant: string): Promise<string> =>
  withClient(owner, async (client) => {
    const frozen = await client.query<{ since: Date }>(
      `insert into frozen_companies (tenant_id) values ($1)
       on conflict (tenant_id) do update set since = frozen_companies.since returning since`,
      [tenant],
    )
    // Separate and later, because a cluster returns no change ID for the insert. Every earlier writer has a lower one.
    const after = await client.query<{ change: string }>('select pg_current_xact_id()::text as change')
    await waitForWriters(client, tenant, onlyRow(after).change)
    return onlyRow(frozen).since.toISOString()
  })

/** Unfreezes a company. Returns false if it wasn't frozen. */
export const thawCompany = (owner: ClientConfig, tenant: string): Promise<boolean> =>
  withClient(
    owner,
    async (client) =>
      (await client.query('delete from frozen_companies where tenant_id = $1', [tenant])).rowCount === 1,
  )

/** Waits for every earlier writer to leave and for every transaction that had already written to end. */
async function waitForWriters(client: Client, tenant: string, change: string): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS
  const { rows: writers } = await client.query<{ key: string }>(WRITER_LOCKS, [tenant])
  const earlierKeys = new Set(writers.map(({ key }) => key))
  for (;;) {
    const { rows } = await client.query<{ key: string }>(WRITER_LOCKS, [tenant])
    const { done } = onlyRow(
      await client.query<{ done: boolean }>(
        `select pg_snapshot_xmin(pg_current_snapshot())::text::numeric > $1::numeric as done`,
        [change],
      ),
    )
    if (done && !rows.some(({ key }) => earlierKeys.has(key))) return
    if (performance.now() > deadline)
      throw new Error('The company is frozen, but a write has been running for a minute; try again, or thaw it')
    await sleep(PAUSE_MS)
  }
}

/** Query for a tenant's locks from `enter_to_write`, each with its holder. */
const WRITER_LOCKS = `select pid || ' ' || objid as key from pg_locks
  where locktype = 'advisory' and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())
    and classid = (hashtext($1)::bigint & 4294967295)::oid`
