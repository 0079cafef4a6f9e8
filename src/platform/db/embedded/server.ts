import { execFile, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { open, readFile, readlink, rm, stat, type FileHandle } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { errorCode, ignoreCodes } from '../../errors/error_code.ts'
import { environment } from './binaries.ts'
import { EmbeddedError } from './error.ts'
import type { Home } from './home.ts'
import { idsOf } from './user.ts'

/**
 * Server that we launched: its process ID (undefined on Windows, where it is the launcher's), whether it ended, and its
 * log.
 */
export type LaunchedServer = { pid: number | undefined; ended: boolean; readLog: () => Promise<string> }

/** Content of a PostgreSQL lock file: the process, and on platforms without sockets the port. */
type ServerLock = { pid: number; port: number }

/** Maximum log size in bytes. A longer log is emptied at the next launch. */
const MAX_LOG_BYTES = 1_000_000

const DEFAULT_SETTINGS: Record<string, string> = {
  shared_buffers: '64MB',
  max_connections: '100',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  cluster_name: 'callout',
  // Below this level a refused statement is logged with its values, which are customers' data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  // Relative to the data folder, so that the path is always short.
  ...(process.platform === 'win32'
    ? { listen_addresses: '127.0.0.1' }
    : { listen_addresses: '', unix_socket_directories: '..' }),
}

/**
 * Launches a server in its own session, so that it outlives us and a Ctrl-C in our terminal. `leftover` is a process id
 * in stale lock files that isn't a server.
 */
export async function launch(
  home: Home,
  logFile: string,
  settings: Record<string, string>,
  leftover?: number,
): Promise<LaunchedServer> {
  const log = await openLog(logFile, home)
  const { size } = await log.stat()
  const options = Object.entries({ ...DEFAULT_SETTINGS, ...settings }).map(([name, value]) => `--${name}=${value}`)
  // PostgreSQL ignores a lock of its grandparent, yet still checks whether the shared memory it names is in use.
  const env = leftover === undefined ? environment : { ...environment, PG_GRANDPARENT_PID: String(leftover) }
  const onWindows = process.platform === 'win32'
  // Only pg_ctl can drop an administrator's rights there, without which postgres refuses to run.
  const [program, args] = onWindows
    ? [
        home.binaries.pg_ctl,
        ['start', '-W', '-D', home.data, '-o', `${options.join(' ')} --port=${await findFreePort()}`],
      ]
    : [home.binaries.postgres, ['-D', home.data, ...options]]
  const child = spawn(program, args, {
    ...idsOf(home.account),
    cwd: home.folder,
    env,
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
    windowsHide: true,
  })
  const launched: LaunchedServer = {
    pid: onWindows ? undefined : child.pid,
    ended: false,
    readLog: () => readFrom(logFile, size),
  }
  child.once('exit', (code) => {
    launched.ended = !onWindows || code !== 0
  })
  child.once('error', (error) => Object.assign(launched, { ended: true, readLog: async () => error.message }))
  child.unref()
  await log.close()
  return launched
}

/**
 * Stops the server with PostgreSQL's "fast" shutdown: clients are disconnected, and committed data is kept. Waits until
 * the server has ended.
 */
export async function shutDown(home: Home, pid: number): Promise<void> {
  if (process.platform === 'win32') await promisify(execFile)(home.binaries.pg_ctl, ['kill', 'INT', String(pid)])
  else process.kill(pid, 'SIGINT')
  const deadline = performance.now() + 120_000
  while ((await readLock(home))?.pid === pid && (await mayServe(home, pid))) {
    if (performance.now() > deadline)
      throw new EmbeddedError(`The database (process ${pid}) did not stop within two minutes.`)
    await sleep(10)
  }
}

/** Reads the server's lock file. It proves nothing by itself: the process may be gone and its ID reused. */
export async function readLock(home: Pick<Home, 'data'>): Promise<ServerLock | undefined> {
  const text = await readFile(join(home.data, 'postmaster.pid'), 'utf8').catch(ignoreCodes('ENOENT'))
  const [pid, , , port] = text?.split('\n') ?? []
  return pid ? { pid: Math.abs(Number(pid)), port: Number(port ?? 0) } : undefined
}

/** Removes lock files that stay empty: PostgreSQL fills one at once, so these are from a power failure. */
export async function removeEmptyLocks(home: Home): Promise<void> {
  for (const path of [join(home.data, 'postmaster.pid'), join(home.folder, '.s.PGSQL.5432.lock')]) {
    const stats = await stat(path).catch(ignoreCodes('ENOENT'))
    if (stats?.size === 0 && Date.now() - stats.mtimeMs > 1_000) await rm(path, { force: true })
  }
}

/** Checks whether a process may be a server of this data: a server's working directory is its data folder. */
export async function mayServe(home: Pick<Home, 'data'>, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform === 'linux') {
    const unseen = (error: unknown) => (['EACCES', 'EPERM'].includes(errorCode(error) ?? '') ? home.data : '')
    return (await readlink(`/proc/${pid}/cwd`).catch(unseen)) === home.data
  }
  if (process.platform === 'win32') return true
  const { stdout } = await promisify(execFile)('ps', ['-o', 'comm=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.includes('postgres')
}

/** Checks whether a process runs, under any user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

async function openLog(path: string, home: Home): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants
  const log = await open(path, O_WRONLY | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0), 0o600)
  if (home.account) await log.chown(home.account.uid, home.account.gid)
  if ((await log.stat()).size > MAX_LOG_BYTES) await log.truncate()
  return log
}

async function readFrom(path: string, offset: number): Promise<string> {
  return (await readFile(path)).subarray(offset).toString('utf8').trim()
}

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 5432
}
