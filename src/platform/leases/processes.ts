import { sql, type Sql } from '../db/tenant.ts'

/** Seconds without a sign of life after which a process is gone: a killed one holds its leases no longer. */
const SILENT_SECONDS = 15

/** Notes that a process is alive, and what it says of itself. */
export const insertSignOfLife = (id: string, state: object | null): Sql =>
  sql`insert into worker_processes (id, state) values (${id}, ${state && JSON.stringify(state)}::jsonb)
    on conflict (id) do update set seen_at = moment_of(excluded.id), state = excluded.state`

/** Selects the processes that are gone. */
export const selectSilentProcesses = (): Sql =>
  sql`select id from worker_processes where seen_at < moment() - make_interval(secs => ${SILENT_SECONDS}) limit 100`

export const deleteProcesses = (ids: readonly string[]): Sql =>
  sql`delete from worker_processes where id = any(${[...ids]}::uuid[])`
