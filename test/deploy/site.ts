import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import { startProcess } from '../../bench/restart.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { startProvider } from '../assistant/provider.ts'
import { addressOf } from '../harness/address.ts'
import { WEBHOOK_ENV } from '../harness/clients/webhook_calls.ts'
import { makeDatabase, TEST_DATA_KEY, type TestService } from '../harness/harness.ts'
import { fetchThrough, ORIGIN, startSite, type ForwardedRequest } from '../harness/processes/nginx.ts'
import { freePort } from '../harness/web_client.ts'

type Started = Awaited<ReturnType<typeof startProcess>>

const MAIN = new URL('../../src/start/main.ts', import.meta.url).pathname

/** Starts two services on one database behind nginx. Until closed, `fetch` reaches them at their public address. */
export async function openSite(env: Record<string, string> = {}) {
  const { database, owner, login, drop } = await makeDatabase()
  const provider = await startProvider()
  const folder = await mkdtemp(join(tmpdir(), 'callout-site-'))
  const settings: Record<string, string> = {
    ...WEBHOOK_ENV,
    ...provider.settings('anthropic'),
    BASE_URL: ORIGIN,
    DATABASE_URL: addressOf(owner),
    DATA_DIR: folder,
    DATA_KEY: TEST_DATA_KEY,
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    TRUSTED_PROXIES: '127.0.0.1',
    ...env,
  }
  const ports = [await freePort(), await freePort()] as const
  const start = (i: 0 | 1) => startProcess(MAIN, [], { ...settings, PORT: String(ports[i]) })
  const services = [await start(0), await start(1)] as [Started, Started]
  const nginx = await startSite(ports)
  mock.method(globalThis, 'fetch', fetchThrough(nginx.port))
  const service: Pick<TestService, 'database' | 'owner' | 'login' | 'config' | 'url' | 'origin'> = {
    database,
    owner,
    login,
    config: readConfig(settings),
    url: `${ORIGIN}/api/mcp`,
    origin: ORIGIN,
  }
  let marks = 0
  /** Returns all requests that nginx has answered so far. A marker request, which isn't included, ends the list. */
  async function listRequests(): Promise<ForwardedRequest[]> {
    const path = `/health/live?${++marks}`
    await (await fetch(ORIGIN + path)).text()
    for (;;) {
      const all = await nginx.passed()
      const end = all.findIndex((one) => one.path === path)
      if (end >= 0) return all.slice(0, end)
    }
  }
  return {
    service: service as TestService,
    provider,
    ports,
    nginx,
    listRequests,
    services,
    start: async (i: 0 | 1): Promise<void> => {
      services[i] = await start(i)
    },
    close: async (): Promise<void> => {
      mock.restoreAll()
      await nginx.stop()
      await Promise.all(services.map(({ stop }) => stop()))
      await provider.stop()
      await drop()
      await rm(folder, { recursive: true })
    },
  }
}
