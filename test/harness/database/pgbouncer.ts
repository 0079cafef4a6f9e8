import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe } from 'node:test'
import type { ClientConfig } from 'pg'
import { freePort } from '../web_client.ts'

const EXECUTABLE = [
  '/usr/sbin/pgbouncer',
  '/usr/bin/pgbouncer',
  '/usr/local/bin/pgbouncer',
  '/opt/homebrew/bin/pgbouncer',
].find((path) => existsSync(path))

/** Registers tests that need PgBouncer. Without it they are skipped with a warning, or fail if CI=true. */
export function describeWithPgBouncer(name: string, tests: () => void): void {
  // oxlint-disable-next-line node/no-process-env -- only CI requires PgBouncer
  if (EXECUTABLE !== undefined || process.env['CI'] === 'true') return void describe(name, tests)
  process.stderr.write(`NOT TESTED: ${name}. There is no PgBouncer on this machine; install pgbouncer\n`)
}

export type PgBouncer = {
  /** Returns a connection through PgBouncer. `to` is another PgBouncer name for the same database. */
  through(connection: ClientConfig, to?: string): ClientConfig
  /** Its own folder, deleted when it stops. */
  folder: string
  stop(): Promise<void>
}

type Choice = {
  mode: 'transaction' | 'session'
  /** Maximum server sessions that a user's clients share. */
  sessions?: number
  /** Databases in which every client connects as this server user. */
  forced?: Readonly<Record<string, ClientConfig>>
}

/**
 * Starts PgBouncer on a loopback port in front of the server of these connections, with their users. It runs as the
 * server's operating system user.
 */
export async function startPgBouncer(
  users: readonly [ClientConfig, ...ClientConfig[]],
  { mode, sessions = 3, forced = {} }: Choice,
): Promise<PgBouncer> {
  assert.ok(EXECUTABLE !== undefined, 'PgBouncer is needed: install pgbouncer')
  const [folder, port, { host = '', port: at, database }] = [
    await mkdtemp(join(tmpdir(), 'callout-pgbouncer-')),
    await freePort(),
    users[0],
  ]
  const { uid, gid } = await stat(host)
  const place = `host=${host} port=${at} dbname=${database}`
  await writeFile(
    join(folder, 'users.txt'),
    users.map(({ user, password }) => `"${user}" "${String(password)}"\n`).join(''),
  )
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${database} = ${place}
${Object.entries(forced)
  .map(([name, { user, password }]) => `${name} = ${place} user=${user} password=${String(password)}`)
  .join('\n')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${mode}
default_pool_size = ${sessions}
max_client_conn = 200
`,
  )
  for (const path of [folder, join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')]) {
    await chmod(path, 0o700)
    await chown(path, uid, gid)
  }
  const child = spawn(EXECUTABLE, ['-q', join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
    ...(process.geteuid?.() === 0 ? { uid, gid } : {}),
  })
  const ended = once(child, 'exit')
  await answering(port)
  return {
    through: (connection, to = connection.database!) => ({ ...connection, host: '127.0.0.1', port, database: to }),
    folder,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

async function answering(port: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    assert.ok(tries < 600, 'PgBouncer does not listen')
    await setTimeout(50)
  }
}
