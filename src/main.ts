import pino from 'pino'
import { makeDemo } from './cli/demo_company.ts'
import { welcome } from './cli/welcome.ts'
import { ConfigError, readConfig } from './config.ts'
import type { Config } from './config.ts'
import { isEmpty, openConfigured } from './db/open.ts'
import { startService } from './service.ts'
import { openLog } from './telemetry/log.ts'

await serve().catch((error: unknown) => {
  process.stderr.write(`callout: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = error instanceof ConfigError ? 2 : 1
})

/** Starts the service; SIGTERM or SIGINT stops it when the requests under way are answered. */
async function serve(): Promise<void> {
  const config = readConfig()
  const lines = pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 250 })
  const log = openLog(config.logLevel, lines)
  const opened = await openConfigured(config, { migrates: true, alone: true, log: say })
  try {
    const service = await startService(config, opened.database, log).catch((error: unknown) => { throw listenFault(error, config) })
    stopOnSignal(async () => {
      await service.stop()
      await opened.close()
      lines.flushSync()
    })
    say(`Callout answers at ${config.baseUrl} (${opened.kind} database)`)
    if (!config.production && await isEmpty(opened.owner)) say(welcome(await makeDemo(opened.database, config), config.baseUrl))
  } catch (error) {
    await opened.close()
    throw error
  }
}

function stopOnSignal(stop: () => Promise<void>): void {
  let stopping: Promise<void> | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stopping ??= stop().then(() => process.exit(0), (error: unknown) => {
        process.stderr.write(`callout: ${String(error)}\n`)
        process.exit(1)
      })
    })
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function listenFault(error: unknown, { host, telemetry }: Config): unknown {
  const { code, port } = error as { code?: string; port?: number }
  const name = port === telemetry.metricsPort ? 'METRICS_PORT' : 'PORT'
  return code === 'EADDRINUSE' ? new Error(`Port ${port} on ${host} is in use; set ${name} to another one`) : error
}
