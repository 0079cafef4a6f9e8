import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import pino from 'pino'
import { readConfig } from '../src/platform/config/config.ts'
import { loginOf } from '../src/platform/db/connections/login.ts'
import { openConfiguredDatabase } from '../src/platform/db/open.ts'
import type { Database, Sql, TransactionOptions } from '../src/platform/db/database.ts'
import { startService } from '../src/start/service.ts'
import { freePort } from '../test/harness/web_client.ts'
import type { DemoService } from './demo_service.ts'

type Statement = { strings: readonly string[]; values: unknown[] }

/** A recorded page load: its statements by round trip, and its bytes. */
export type RecordedPage = {
  login: pg.ClientConfig
  trips: Statement[][][]
  headers: Record<string, string>
  body: string
}

/** Loads a page of the demo company from a second service on its database, and records its statements. */
async function recordPage({ dataDir, cookie }: DemoService, path: string): Promise<RecordedPage> {
  const port = await freePort()
  const config = readConfig({ DATA_DIR: dataDir, PORT: String(port), BASE_URL: `http://localhost:${port}` })
  const opened = await openConfiguredDatabase(config, { migrates: false })
  const trips: Statement[][][] = []
  let running = 0
  const record = (statements: readonly Sql[]): void => {
    if (running++ === 0) trips.push([])
    trips.at(-1)?.push(statements.map(({ strings, values }) => ({ strings: [...strings], values })))
  }
  const send = (statements: readonly Sql[], options?: TransactionOptions) => {
    record(statements)
    return opened.database.send(statements, options).finally(() => running--)
  }
  const database: Database = { ...opened.database, send: send as Database['send'] }
  const service = await startService(config, database, pino({ level: 'silent' }), null, {})
  try {
    const ask = () =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        redirect: 'manual',
        headers: { cookie, accept: 'text/html', 'accept-encoding': 'identity' },
      })
    await (await ask()).arrayBuffer()
    trips.length = 0
    const answer = await ask()
    const bytes = await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status} while it is recorded`)
    return {
      login: await loginOf(opened.owner),
      trips: [...trips],
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' },
      body: Buffer.from(bytes).toString('base64'),
    }
  } finally {
    await service.stop(0)
    await opened.close()
  }
}

/** Starts a bare server that answers a page with the same statements and bytes. */
export async function startBarePage(
  demo: DemoService,
  path: string,
): Promise<{ pid: number; port: number; trips: number; stop(): void }> {
  const page = await recordPage(demo, path)
  const server = spawn(process.execPath, [fileURLToPath(new URL('servers/bare_page.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  server.stdin.end(JSON.stringify(page))
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  return { pid: server.pid ?? 0, port: Number(line), trips: page.trips.length, stop: () => void server.kill() }
}
