import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/platform/config/config.ts'
import { makeDatabase, type TestService } from '../../test/harness/harness.ts'
import { freePort } from '../../test/harness/web_client.ts'
import { openNetwork } from './network.ts'

/** Starts the service as a separate process behind a network. Both can fail; its database and files persist. */
export async function openService() {
  const { database, owner, login, drop } = await makeDatabase()
  const [port, dataDir] = [await freePort(), await mkdtemp(join(tmpdir(), 'callout-field-day-'))]
  const network = await openNetwork(port)
  const env = {
    BASE_URL: `http://localhost:${network.port}`,
    PORT: String(port),
    DATA_DIR: dataDir,
    DATA_KEY: randomBytes(32).toString('base64'),
    RATE_LIMIT_PER_CREDENTIAL: '0',
    RATE_LIMIT_PER_TENANT: '0',
  }
  let child: ChildProcess | null = null

  async function start(): Promise<void> {
    child = spawn(
      process.execPath,
      [new URL('service.process.ts', import.meta.url).pathname, JSON.stringify({ login, env })],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    )
    await Promise.race([
      once(child.stdout!, 'data'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`The service exited with ${String(code)}`)
      }),
    ])
  }

  /** Kills it, whatever it is doing. */
  async function kill(): Promise<void> {
    const exited = once(child!, 'exit')
    child!.kill('SIGKILL')
    await exited
  }

  await start()
  const testService = {
    database,
    owner,
    login,
    config: readConfig(env),
    origin: `http://127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/api/mcp`,
    stop: async (): Promise<void> => {
      await kill()
      network.close()
      await drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  } satisfies TestService
  return { ...testService, network, start, kill }
}

export type FieldService = Awaited<ReturnType<typeof openService>>
