import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findCaller } from '../../../src/identity/credentials/caller.ts'
import { hashOf } from '../../../src/identity/credentials/secret_hash.ts'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { startEmbedded } from '../../../src/platform/db/embedded/embedded.ts'
import { loginOf } from '../../../src/platform/db/connections/login.ts'
import type { Result } from '../harness.ts'

const program = fileURLToPath(new URL('../../../bin/callout', import.meta.url))

/** Makes the current Node look too old, so that the command switches to the project's own. */
export const asOlderNode = ['--import', 'data:text/javascript,delete globalThis.Temporal; process.execPath = "/"']

type Surroundings = { env?: Record<string, string>; input?: string; node?: readonly string[] }

export type CommandLine = Awaited<ReturnType<typeof openCommandLine>>

/** Opens the command line on its own data directory. Each command is a process. */
export async function openCommandLine() {
  const dataDir = await mkdtemp(join(tmpdir(), 'callout-cli-'))

  const startCommand = (typed: readonly string[], { env = {}, node = [] }: Surroundings = {}): ChildProcess =>
    spawn(process.execPath, [...node, program, ...typed], {
      env: { PATH: process.env['PATH'], CALLOUT_ENV_FILE: '', DATA_DIR: dataDir, ...env },
    })

  async function callout(typed: readonly string[], surroundings: Surroundings = {}) {
    const child = startCommand(typed, surroundings)
    child.stdin!.end(surroundings.input ?? '')
    const [out, err, [code]] = await Promise.all([
      textOf(child, 'stdout'),
      textOf(child, 'stderr'),
      once(child, 'exit'),
    ])
    return { code: Number(code), out, err }
  }

  /** Runs a command with `--json`. Returns its answer. */
  async function runCommand<Answer = Result>(...typed: string[]): Promise<Answer> {
    const { code, out, err } = await callout([...typed, '--json'])
    assert.deepEqual([code, err, out.split('\n').length], [0, '', 2], `${typed.join(' ')}: ${err}`)
    const answer: Answer = JSON.parse(out)
    return answer
  }

  /** Runs a command that must be refused. Returns its one-line message. */
  async function refusal(...typed: string[]): Promise<string> {
    const { code, out, err } = await callout([...typed, '--json'])
    assert.deepEqual([code, out], [1, ''], `${typed.join(' ')}: ${out}${err}`)
    assert.match(err, /^callout: [^\n]+\n$/)
    return err.slice('callout: '.length, -1)
  }

  /** Removes the data and backup folders. */
  async function close(): Promise<void> {
    for (const folder of [dataDir, `${dataDir}-backups`]) await rm(folder, { recursive: true, force: true })
  }

  return { dataDir, startCommand, callout, runCommand, refusal, close }
}

const OWNER = ['--owner-email', 'Dana@Acme.Example', '--owner-name', 'Dana Whitfield']

export type RunningService = Awaited<ReturnType<typeof serve>>

/** Starts the database of a command line, and makes the company Acme Air with commands. */
export async function serve({ dataDir, runCommand }: CommandLine) {
  const server = await startEmbedded({ dataDir, settings: { fsync: 'off' } })
  const database = openDatabase(await loginOf(server.connection), { maxConnections: 2 })
  const acme = await runCommand('tenant', 'create', '--name', 'Acme Air', ...OWNER)
  return {
    database,
    acme,
    /** Returns the rights of a key, or the reason that it has none. */
    async admitted(key: string) {
      const caller = await findCaller(database, hashOf(key))
      return typeof caller === 'string' ? caller : [...caller.scopes].sort()
    },
    async stop() {
      await database.close()
      await server.stop()
    },
  }
}

async function textOf(child: ChildProcess, stream: 'stdout' | 'stderr'): Promise<string> {
  let text = ''
  for await (const piece of child[stream]!) text += String(piece)
  return text
}
