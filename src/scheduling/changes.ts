import { onAccessChange } from '../identity/sign_in/access_changes.ts'
import { rightsIn } from '../identity/people/memberships.ts'
import { validSessions } from '../identity/sign_in/sessions.ts'
import { HEARTBEAT_MS } from '../platform/http/event_stream.ts'
import { readClock } from '../platform/db/server.ts'
import { readTenant, sql, type Database, type Db } from '../platform/db/tenant.ts'

/** New or changed job with its current time. */
export type ChangedJob = {
  id: string
  status: string
  scheduled_start: string | null
  scheduled_end: string | null
  updated_at: string
}

/** Changes of a company's schedule up to `at`; `isMore` if other jobs changed or were deleted, too. */
export type Change = { jobs: readonly ChangedJob[]; isMore: boolean; at: string }

/** Subscriber with the secret of their session. */
type Watcher = { user: string; session: string; send(change: Change): void; end(): void }

/** Milliseconds between two polls of changes and access rights, and between two heartbeats. */
export type WatchIntervals = { poll: number; heartbeat: number }

export type ScheduleChanges = {
  readonly intervals: WatchIntervals
  /** Checks whether a person may open another connection. */
  canConnect(user: string): boolean
  /** Calls `send` for every change after `ready` resolves, until `leave` is called. */
  watch(tenant: string, watcher: Watcher): { ready: Promise<void>; leave(): void }
  /** Returns the changes since an instant, in UTC. */
  since(tenant: string, at: string): Promise<Change>
  /** Ends the connections of people who may no longer see a company's jobs. */
  checkAccess(tenant: string): Promise<void>
  /** Aborts when the service stops; other streams of pages use it, too. */
  readonly closed: AbortSignal
  /** Ends all connections. */
  close(): void
}

const DEFAULT_INTERVALS: WatchIntervals = { poll: 2_000, heartbeat: HEARTBEAT_MS }
/** Maximum connections per person: as many as browsers open to a host at once (HTTP/1.1). */
const MAX_PER_USER = 6
const MAX_JOBS = 500

/**
 * Sends the changes of each company's schedule to its subscribers, if they still have the rights at that moment. Polls
 * a company with a few queries for any number of subscribers, and not at all without any. Checks rights at once when
 * this process ends a session, a membership or rights.
 */
export function openChanges(database: Database, intervals: WatchIntervals = DEFAULT_INTERVALS): ScheduleChanges {
  const companies = new Map<string, Company>()
  const counts = new Map<string, number>()
  const closing = new AbortController()

  const stopListening = onAccessChange((user) => {
    for (const { watchers, checkAccess } of companies.values())
      if ([...watchers].some((one) => one.user === user)) void checkAccess()
  })

  const watch: ScheduleChanges['watch'] = (tenant, watcher) => {
    const { user } = watcher
    const company = companies.get(tenant) ?? openCompany(database, tenant, intervals.poll)
    companies.set(tenant, company)
    company.watchers.add(watcher)
    counts.set(user, (counts.get(user) ?? 0) + 1)
    const leave = (): void => {
      if (!company.watchers.delete(watcher)) return
      const remaining = (counts.get(user) ?? 1) - 1
      if (remaining > 0) counts.set(user, remaining)
      else counts.delete(user)
      if (company.watchers.size > 0) return
      company.close()
      companies.delete(tenant)
    }
    return { ready: company.ready, leave }
  }

  return {
    intervals,
    closed: closing.signal,
    watch,
    canConnect: (user) => (counts.get(user) ?? 0) < MAX_PER_USER,
    since: async (tenant, at) => changeOf(await readTenant(database, { tenant }, (db) => listChangesSince(db, at))),
    checkAccess: async (tenant) => companies.get(tenant)?.checkAccess(),
    close: () => {
      closing.abort()
      stopListening()
      for (const { watchers } of companies.values()) endAll(watchers)
    },
  }
}

/** Polling of a company. `ready` resolves after the first poll, which sets the baseline; later polls report changes. */
type Company = { watchers: Set<Watcher>; ready: Promise<void>; checkAccess(): Promise<void>; close(): void }

function openCompany(database: Database, tenant: string, interval: number): Company {
  const watchers = new Set<Watcher>()
  let at: string | null = null
  let sent = new Map<string, string>()
  const { promise: ready, resolve: markReady } = Promise.withResolvers<void>()

  /** Ends the connections of people who may no longer watch; all of them if their rights can't be read. */
  async function checkAccess(): Promise<void> {
    const current = [...watchers]
    const isAllowed = await readActiveAccess(database, tenant, current).catch(() => () => false)
    for (const one of current) if (!isAllowed(one)) one.end()
  }

  async function poll(): Promise<void> {
    try {
      const changes = await readTenant(database, { tenant }, (db) => listChangesSince(db, at))
      const newRows = at === null ? [] : changes.rows.filter(({ id, updated_at }) => sent.get(id) !== updated_at)
      sent = new Map(changes.rows.map(({ id, updated_at }) => [id, updated_at]))
      at = changes.at
      await checkAccess()
      if (newRows.length > 0) for (const { send } of watchers) send(changeOf({ ...changes, rows: newRows }))
    } catch {
      endAll(watchers)
    }
    markReady()
    if (watchers.size > 0) timer = setTimeout(() => void poll(), interval).unref()
  }

  let timer = setTimeout(() => void poll()).unref()
  return { watchers, ready, checkAccess, close: () => clearTimeout(timer) }
}

/** Returns a check that a watcher is signed in, is a member and may see jobs. Must run after the data was read. */
async function readActiveAccess(
  database: Database,
  tenant: string,
  watchers: readonly Watcher[],
): Promise<(watcher: Watcher) => boolean> {
  const [sessions, rights] = await Promise.all([
    validSessions(
      database,
      watchers.map(({ session }) => session),
    ),
    rightsIn(
      database,
      tenant,
      watchers.map(({ user }) => user),
    ),
  ])
  return ({ user, session }) => sessions.has(session) && (rights.get(user)?.has('read:jobs') ?? false)
}

const endAll = (watchers: ReadonlySet<Watcher>): void => watchers.forEach(({ end }) => end())

const SERIES_STATUS = 'series'

type ChangeRows = { rows: readonly ChangedJob[]; at: string }

/**
 * Returns jobs and series changed since `from` or now, newest first. Looks back further for transactions that were open
 * then, by a statement and its wait for a lock. Jobs are deleted only by their series.
 */
async function listChangesSince(db: Db, from: string | null): Promise<ChangeRows> {
  const since = sql`coalesce(${from}::timestamptz, now()) - interval '20 seconds'`
  const [at, rows] = await Promise.all([
    readClock(db),
    db.all<ChangedJob>(sql`
    select id, status, scheduled_start, scheduled_end, updated_at from jobs
      where tenant_id = ${db.tenant} and updated_at >= ${since}
    union all
    select id, ${SERIES_STATUS}, null, null, updated_at from job_series
      where tenant_id = ${db.tenant} and updated_at >= ${since}
    order by updated_at desc, id limit ${MAX_JOBS + 1}`),
  ])
  return { rows, at }
}

const changeOf = ({ rows, at }: ChangeRows): Change => ({
  jobs: rows.slice(0, MAX_JOBS).filter(({ status }) => status !== SERIES_STATUS),
  at,
  isMore: rows.length > MAX_JOBS || rows.some(({ status }) => status === SERIES_STATUS),
})
