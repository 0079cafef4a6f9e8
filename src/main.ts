import pino from 'pino'
import { ConfigError, readConfig } from './config.ts'
import type { Config } from './config.ts'
import { openConfigured } from './db/open.ts'
import { startService } from './service.ts'

await serve().catch((error: unknown) => {
  process.stderr.write(`callout: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = error instanceof ConfigError ? 2 : 1
})

/** Starts the service and stops it on SIGTERM or SIGINT. */
async function serve(): Promise<void> {
  const config = readConfig()
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: false }))
  const opened = await openConfigured(config, { migrates: true, log: say })
  const service = await startService(config, opened.database, log).catch(async (error: unknown) => {
    await opened.close()
    throw listenFault(error, config)
  })
  say(`Callout answers at ${config.baseUrl} (${opened.kind} database)`)

  let stopping = false
  const stop = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    await service.stop()
    await opened.close()
    log.flush()
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

function listenFault(error: unknown, { host, port }: Config): unknown {
  const { code } = error as { code?: string }
  return code === 'EADDRINUSE' ? new Error(`Port ${port} on ${host} is in use; set PORT to another one`) : error
}
