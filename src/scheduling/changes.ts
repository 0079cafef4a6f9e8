import { onAccessChange } from '../identity/sign_in/access_changes.ts'
import { rightsIn } from '../identity/people/memberships.ts'
import { validSessions } from '../identity/sign_in/sessions.ts'
import { EVENT_BEAT } from '../platform/http/event_stream.ts'
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
type Watcher = { user: string; session: string; tell(change: Change): void; end(): void }

/** Milliseconds between two polls of changes and access rights, and between two heartbeats. */
export type WatchPace = { look: number; beat: number }

export type ScheduleChanges = {
  readonly pace: WatchPace
  /** Checks whether a person may open another connection. */
  hasRoom(user: string): boolean
  /** Calls `tell` for every change after `begun` resolves, until `leave` is called. */
  watch(tenant: string, watcher: Watcher): { begun: Promise<void>; leave(): void }
  /** Returns the changes since an instant, in UTC. */
  since(tenant: string, at: string): Promise<Change>
  /** Ends the connections of people who may no longer see a company's jobs. */
  judge(tenant: string): Promise<void>
  /** Aborts when the service stops; other streams of pages use it, too. */
  readonly closed: AbortSignal
  /** Ends all connections. */
  close(): void
}

const DEFAULT_PACE: WatchPace = { look: 2_000, beat: EVENT_BEAT }
/** Maximum connections per person: as many as browsers open to a host at once (HTTP/1.1). */
const MAX_OF_USER = 6
const MAX_JOBS = 500

/**
 * Sends the changes of each company's schedule to its subscribers, if they still have the rights at that moment. Polls
 * a company with a few queries for any number of subscribers, and not at all without any. Checks rights at once when
 * this process ends a session, a membership or rights.
 */
export function openChanges(database: Database, pace: WatchPace = DEFAULT_PACE): ScheduleChanges {
  const companies = new Map<string, Company>()
  const counts = new Map<string, number>()
  const closing = new AbortController()

  const forget = onAccessChange((user) => {
    for (const { watchers, judge } of companies.values())
      if ([...watchers].some((one) => one.user === user)) void judge()
  })

  const watch: ScheduleChanges['watch'] = (tenant, watcher) => {
    const { user } = watcher
    const company = companies.get(tenant) ?? openCompany(database, tenant, pace.look)
    companies.set(tenant, company)
    company.watchers.add(watcher)
    counts.set(user, (counts.get(user) ?? 0) + 1)
    const leave = (): void => {
      if (!company.watchers.delete(watcher)) return
      const others = (counts.get(user) ?? 1) - 1
      if (others > 0) counts.set(user, others)
      else counts.delete(user)
      if (company.watchers.size > 0) return
      company.close()
      companies.delete(tenant)
    }
    return { begun: company.begun, leave }
  }

  return {
    pace,
    closed: closing.signal,
    watch,
    hasRoom: (user) => (counts.get(user) ?? 0) < MAX_OF_USER,
    since: async (tenant, at) => changeOf(await readTenant(database, { tenant }, (db) => listChangesSince(db, at))),
    judge: async (tenant) => companies.get(tenant)?.judge(),
    close: () => {
      closing.abort()
      forget()
      for (const { watchers } of companies.values()) endAll(watchers)
    },
  }
}

/** Polling of a company. `begun` resolves after the first poll, which sets the baseline; later polls report changes. */
type Company = { watchers: Set<Watcher>; begun: Promise<void>; judge(): Promise<void>; close(): void }

function openCompany(database: Database, tenant: string, pause: number): Company {
  const watchers = new Set<Watcher>()
  let at: string | null = null
  let sent = new Map<string, string>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()

  /** Ends the connections of people who may no longer watch; all of them if their rights can't be read. */
  async function judge(): Promise<void> {
    const judged = [...watchers]
    const may = await readActiveAccess(database, tenant, judged).catch(() => () => false)
    for (const one of judged) if (!may(one)) one.end()
  }

  async function look(): Promise<void> {
    try {
      const changes = await readTenant(database, { tenant }, (db) => listChangesSince(db, at))
      const news = at === null ? [] : changes.rows.filter(({ id, updated_at }) => sent.get(id) !== updated_at)
      sent = new Map(changes.rows.map(({ id, updated_at }) => [id, updated_at]))
      at = changes.at
      await judge()
      if (news.length > 0) for (const { tell } of watchers) tell(changeOf({ ...changes, rows: news }))
    } catch {
      endAll(watchers)
    }
    begin()
    if (watchers.size > 0) timer = setTimeout(() => void look(), pause).unref()
  }

  let timer = setTimeout(() => void look()).unref()
  return { watchers, begun, judge, close: () => clearTimeout(timer) }
}

/** Returns a check that a watcher is signed in, is a member and may see jobs. Must run after the data was read. */
async function readActiveAccess(
  database: Database,
  tenant: string,
  judged: readonly Watcher[],
): Promise<(watcher: Watcher) => boolean> {
  const [sessions, rights] = await Promise.all([
    validSessions(
      database,
      judged.map(({ session }) => session),
    ),
    rightsIn(
      database,
      tenant,
      judged.map(({ user }) => user),
    ),
  ])
  return ({ user, session }) => sessions.has(session) && (rights.get(user)?.has('read:jobs') ?? false)
}

const endAll = (watchers: ReadonlySet<Watcher>): void => watchers.forEach(({ end }) => end())

const SERIES = 'series'

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
    select id, status, scheduled_start, scheduled_end, updated_at from jobs where tenant_id = ${db.tenant} and updated_at >= ${since}
    union all
    select id, ${SERIES}, null, null, updated_at from job_series where tenant_id = ${db.tenant} and updated_at >= ${since}
    order by updated_at desc, id limit ${MAX_JOBS + 1}`),
  ])
  return { rows, at }
}

const changeOf = ({ rows, at }: ChangeRows): Change => ({
  jobs: rows.slice(0, MAX_JOBS).filter(({ status }) => status !== SERIES),
  at,
  isMore: rows.length > MAX_JOBS || rows.some(({ status }) => status === SERIES),
})
