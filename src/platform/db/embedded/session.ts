import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { errorCode, errorMessage } from '../../errors/error_code.ts'
import { EmbeddedError } from './error.ts'
import { removeSocketLink, socketHost, type Home } from './home.ts'
import { mayServe, readLock, shutDown } from './server.ts'
import { onlyRow } from '../sql.ts'

/** Fields of `pg.ClientConfig`. */
export type ServerAddress = { host: string; port: number; user: string; password: string; database: 'postgres' }

/**
 * Session that we keep open while we need the server (process `pid`). Each process that started or reused the server
 * has one.
 */
type EmbeddedSession = { client: Client; socket: Socket; pid: number }

export type EmbeddedConnection = { session: EmbeddedSession; connection: ServerAddress }

/** Advisory lock: shared by every process that uses the server, exclusive for the one that stops it. */
const presenceLock = '7283, 1'
const presenceName = 'callout presence'

/**
 * Connects to the server and registers as a user of it. `silent` if nothing listens, `busy` while the server starts or
 * stops.
 */
export async function connect(home: Home): Promise<EmbeddedConnection | 'silent' | 'busy'> {
  const connection = await addressOf(home)
  if (connection === undefined) return 'silent'
  const socket = new Socket()
  const client = new Client({
    ...connection,
    ssl: false,
    application_name: presenceName,
    connectionTimeoutMillis: 10_000,
    stream: () => socket,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { pid } = onlyRow(
      await client.query<{ pid: number }>(`select pg_advisory_lock_shared(${presenceLock}),
        split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`),
    )
    // Lets a process exit even if it never stops the server.
    socket.unref()
    return { session: { client, socket, pid }, connection }
  } catch (error) {
    void client.end()
    const code = errorCode(error)
    if (code === undefined || ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code)) return 'silent'
    if (['57P01', '57P02', '57P03'].includes(code)) return 'busy'
    throw new EmbeddedError(`The embedded database in ${home.folder} refused the connection: ${errorMessage(error)}`, {
      cause: error,
    })
  }
}

/** Stops the server unless others use it or it has died meanwhile. */
export async function disconnect(
  home: Home,
  { client, socket, pid }: EmbeddedSession,
  { force, log }: { force: boolean; log: (line: string) => void },
): Promise<void> {
  socket.ref()
  try {
    if (!force && !(await isLast(client).catch(() => false))) return
    if (!(await mayServe(home, pid)))
      return log(`The database was left running: its process ${pid} isn't visible from here.`)
    await removeSocketLink(home.folder)
    await shutDown(home, pid)
  } finally {
    await client.end()
  }
}

/**
 * Checks whether this process is the last to disconnect. If several disconnect at the same time, exactly one gets the
 * lock.
 */
async function isLast(client: Client): Promise<boolean> {
  const { alone } = onlyRow(
    await client.query<{ alone: boolean }>(`select pg_advisory_unlock_shared(${presenceLock}),
      pg_try_advisory_lock(${presenceLock}) as alone`),
  )
  return alone && !(await hasClients(client))
}

/** Checks whether other clients are connected. Waits briefly for one that is just closing its session. */
async function hasClients(client: Client): Promise<boolean> {
  for (let attempts = 20; attempts > 0; attempts -= 1) {
    const { rows } = await client.query(`select from pg_stat_activity where backend_type = 'client backend'
      and pid <> pg_backend_pid() and application_name <> '${presenceName}' limit 1`)
    if (rows.length === 0) return false
    await sleep(20)
  }
  return true
}

async function addressOf(home: Home): Promise<ServerAddress | undefined> {
  const common = { user: 'postgres', password: home.password, database: 'postgres' } as const
  if (process.platform !== 'win32') return { host: await socketHost(home.folder), port: 5432, ...common }
  const lock = await readLock(home)
  return lock && lock.port > 0 ? { host: '127.0.0.1', port: lock.port, ...common } : undefined
}
