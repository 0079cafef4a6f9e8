import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '../../errors/error_code.ts'
import { makeArchiveFolder } from './archiving.ts'
import { EmbeddedError } from './error.ts'
import { openHome, type Home } from './home.ts'
import { connect, disconnect, type ServerAddress, type EmbeddedConnection } from './session.ts'
import { chooseBinaries } from './major.ts'
import { launch, mayServe, readLock, removeEmptyLocks, type LaunchedServer } from './server.ts'

export { EmbeddedError } from './error.ts'

export type Embedded = {
  /** Superuser's connection: a private Unix socket where the platform has them, otherwise a loopback port. */
  connection: ServerAddress
  /** True if a running server of this data directory was reused. */
  isAdopted: boolean
  /**
   * Stops the server unless other clients are still connected; they stop it when they leave. `force` disconnects them.
   */
  stop(force?: boolean): Promise<void>
}

type Options = {
  dataDir: string
  settings?: Record<string, string>
  /** Milliseconds for the server to answer; longer for one that replays days of changes. */
  timeoutMs?: number
  log?: (line: string) => void
  /** Called once PostgreSQL's first program runs, while this process is idle. */
  whileWaiting?: () => void
  /** Returns the file of a packed cluster to start a new one from. The file may be missing. */
  prepared?: (() => Promise<string>) | undefined
  /** Directory of the previous release, or of a PostgreSQL, for files of a major version that ours can't open. */
  previous?: string | null
}

type Plan = Required<Omit<Options, 'dataDir' | 'prepared'>> & { home: Home; logFile: string }

/**
 * Starts the database server of `dataDir`, or adopts a running one, and restarts it if it dies. The server outlives a
 * killed process; the next one adopts it. `settings` are PostgreSQL settings for a server started here. @throws
 * EmbeddedError in one sentence, with the end of the server's log if it died.
 */
export async function startEmbedded(options: Options): Promise<Embedded> {
  const { dataDir, settings = {}, timeoutMs = 600_000, previous = null, prepared } = options
  const { log = () => {} } = options
  const whileWaiting = once(options.whileWaiting)
  const folder = resolve(dataDir)
  const homeOptions = { sync: settings['fsync'] !== 'off', log, whileWaiting, prepared }
  const home = await openHome(folder, homeOptions).catch((cause: unknown) => {
    if (cause instanceof EmbeddedError) throw cause
    throw new EmbeddedError(`The embedded database can't use ${folder}: ${errorMessage(cause)}`, { cause })
  })
  if (settings['archive_mode'] === 'on') await makeArchiveFolder(home)
  const plan = { home, logFile: join(folder, 'postgres.log'), settings, timeoutMs, log, whileWaiting, previous }
  const { session: presence, connection, adopted: isAdopted } = await connectOrLaunch(plan)
  let present = Promise.resolve(presence)
  let stopping: Promise<void> | undefined
  const watch = ({ client }: EmbeddedConnection['session']): void => {
    client.once('end', () => {
      if (stopping) return
      present = connectOrLaunch(plan).then(({ session: presence }) => presence)
      present.then(watch, (error: unknown) => log(`The embedded database is gone: ${errorMessage(error)}`))
    })
  }
  watch(presence)
  const stop = (force = false): Promise<void> =>
    (stopping ??= present.then(
      (presence) => disconnect(home, presence, { force, log }),
      () => undefined,
    ))
  return { connection, isAdopted, stop }
}

/** Returns a function that calls `work` only the first time. */
function once(work = (): void => {}): () => void {
  let next = work
  return () => {
    const now = next
    next = () => {}
    now()
  }
}

/** Connects once the server answers. Launches one if no other process has. */
async function connectOrLaunch(plan: Plan): Promise<EmbeddedConnection & { adopted: boolean }> {
  const { home, logFile, settings, timeoutMs, log, whileWaiting, previous } = plan
  const startedAt = performance.now()
  let lastAnswerAt = startedAt
  let launched: LaunchedServer | undefined
  let leftover: number | undefined
  for (;;) {
    const answer = await connect(home)
    if (typeof answer === 'object') return { ...answer, adopted: !isOurs(launched, answer.session.pid) }
    const now = performance.now()
    if (answer === 'busy') lastAnswerAt = now
    if (now - lastAnswerAt > 30_000 || now - startedAt > timeoutMs) {
      throw new EmbeddedError(`The embedded database does not respond; see ${logFile}.`)
    }
    if (launched?.ended) {
      const last = await launched.readLog()
      if (!LOCK_CONFLICT.test(last)) throw new EmbeddedError(`The embedded database did not start: ${tail(last)}`)
      if (now - lastAnswerAt > 1_000) leftover = await leftoverOf(home)
      launched = undefined
      await sleep(50)
    } else if (launched === undefined && answer === 'silent') {
      const binaries = await chooseBinaries(home, previous)
      if (leftover !== undefined) log(`Ignoring the database's lock: its process ${leftover} isn't a database.`)
      launched = await launch({ ...home, binaries }, logFile, settings, leftover)
      whileWaiting()
    }
    await sleep(10)
  }
}

/**
 * Matches a server's refusal to start beside another on the same data, or while its predecessor's sessions are ending.
 */
const LOCK_CONFLICT = /lock file ".*" (already exists|is empty)|pre-existing shared memory block/

const isOurs = (launched: LaunchedServer | undefined, pid: number): boolean =>
  launched !== undefined && (launched.pid ?? pid) === pid

/**
 * Returns the process ID in a dead server's lock file if an unrelated process has it now. A crash can leave the file
 * empty.
 */
async function leftoverOf(home: Home): Promise<number | undefined> {
  await removeEmptyLocks(home)
  const lock = await readLock(home)
  return lock && !(await mayServe(home, lock.pid)) ? lock.pid : undefined
}

const tail = (log: string): string => log.split('\n').slice(-4).join(' ')
