import { sql, type Sql } from '../db/tenant.ts'

/** Seconds without a heartbeat after which a process counts as dead and loses its leases. */
const SILENT_SECONDS = 15

/** Records the heartbeat of a process, with the state it reports. */
export const upsertHeartbeat = (id: string, state: object | null): Sql =>
  sql`insert into worker_processes (id, state) values (${id}, ${state && JSON.stringify(state)}::jsonb)
    on conflict (id) do update set seen_at = moment_of(excluded.id), state = excluded.state`

/** Selects dead processes, 100 at most. */
export const selectDeadProcesses = (): Sql =>
  sql`select id from worker_processes where seen_at < moment() - make_interval(secs => ${SILENT_SECONDS}) limit 100`

export const deleteProcesses = (ids: readonly string[]): Sql =>
  sql`delete from worker_processes where id = any(${[...ids]}::uuid[])`
