import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type QueryResultRow } from 'pg'
import { startEmbedded, type Embedded } from '../../../src/platform/db/embedded/embedded.ts'

const EMBEDDED = new URL('../../../src/platform/db/embedded/embedded.ts', import.meta.url).href

export const QUICK = { fsync: 'off' }

/** Makes folders with clusters and starts embedded servers there, for one test file, which stops and removes them. */
export function openEmbeddedClusters() {
  const folders: string[] = []
  let made: string | undefined
  const servers: Embedded[] = []

  /** Makes a folder that others may pass through, so that nothing of root's needs to move unless a test wants it to. */
  async function makeFolder(): Promise<string> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'callout-')))
    await chmod(folder, 0o755)
    folders.push(folder)
    return folder
  }

  return {
    folders,
    makeFolder,
    /** Returns a folder with a cluster that tests share which need no new one; none is running there. */
    async clusterFolder(): Promise<string> {
      if (made) return made
      made = await makeFolder()
      await (await startEmbedded({ dataDir: made, settings: QUICK })).stop()
      return made
    },
    async start(options: Parameters<typeof startEmbedded>[0]): Promise<Embedded> {
      const server = await startEmbedded({ settings: QUICK, ...options })
      servers.push(server)
      return server
    },
    async stopServers(): Promise<void> {
      for (const server of servers.splice(0)) await server.stop()
    },
    async removeFolders(): Promise<void> {
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts the server in another process and keeps it running. */
export async function startForeignServer(
  dataDir: string,
  account?: { uid: number; gid: number },
): Promise<ChildProcess> {
  const script = `import { startEmbedded } from ${JSON.stringify(EMBEDDED)}
    await startEmbedded(${JSON.stringify({ dataDir, settings: QUICK })})
    console.log('started')
    setInterval(() => {}, 1000)`
  const as = account ? { uid: account.uid, gid: account.gid } : {}
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    ...as,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => assert.fail('it ended'))])
  return child
}

export async function queryServer<T extends QueryResultRow>(server: Embedded, query: string): Promise<T[]> {
  const client = new Client({ ...server.connection, ssl: false })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<T>(query).finally(() => client.end())
  return rows
}

export async function processOf(server: Embedded): Promise<number> {
  const [row] = await queryServer<{ pid: number }>(
    server,
    "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid",
  )
  return row!.pid
}
