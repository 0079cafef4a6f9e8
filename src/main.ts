import { tmpdir } from 'node:os'
import pino from 'pino'
import { makeDemo } from './cli/demo_company.ts'
import { welcome } from './cli/welcome.ts'
import { ConfigError, readConfig, type Config } from './config.ts'
import { isEmpty, openConfigured, type OpenedDatabase } from './db/open.ts'
import { startService, type Service } from './service.ts'
import { openLog } from './telemetry/log.ts'

/** Is in milliseconds: one signal may come twice, to the whole group of processes and from the one above that passes it on. */
const SAME_SIGNAL_MS = 500

await serve().catch((error: unknown) => {
  process.stderr.write(`callout: ${sentenceOf(error)}\n`)
  process.exitCode = error instanceof ConfigError ? 2 : 1
})

/**
 * Starts the service; SIGTERM or SIGINT stops it when no new request comes, those under way are answered and a demo company
 * that was begun is made, whose password is shown once; a second one at once.
 */
async function serve(): Promise<void> {
  const config = readConfig()
  const lines = pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 250 })
  const log = openLog(config.logLevel, lines)
  const opened = await openConfigured(config, { migrates: true, alone: true, log: say })
  const service = await startService(config, opened.database, log).catch(async (error: unknown) => {
    await opened.close()
    throw listenFault(error, config)
  })
  let first = Promise.resolve()
  const isStopping = stopOnSignal(service, async (hurried) => {
    await Promise.race([first.catch(() => {}), hurried])
    await opened.close()
    lines.flushSync()
  })
  say(`Callout answers at ${config.baseUrl} (${opened.kind} database)`)
  first = sayFirst(opened, config)
  await first.catch(async (error: unknown) => {
    if (isStopping()) return
    await service.stop(0)
    await opened.close()
    throw error
  })
}

/** Says on an empty database what to do, or outside production what was made to look at. */
async function sayFirst({ owner, database }: OpenedDatabase, config: Config): Promise<void> {
  if (!(await isEmpty(owner))) return
  say(
    config.production
      ? `There is no company yet. Make the first one, which shows its owner's password once:
  npx callout tenant create --name "Your Company" --owner-email you@example.com
Then sign in at ${config.baseUrl}: Today lists the first steps. To look at made-up data first: npx callout demo. To check this installation: npx callout doctor`
      : welcome(await makeDemo(database, config), config.baseUrl),
  )
}

/** Stops the service by signal and closes what it stood on, which is told when a second signal comes; says whether it has begun. */
function stopOnSignal(service: Service, close: (hurried: Promise<void>) => Promise<void>): () => boolean {
  let first: number | undefined
  const { promise: hurried, resolve: hurry } = Promise.withResolvers<void>()
  const stop = async (): Promise<void> => {
    first = performance.now()
    await service
      .stop()
      .then(() => close(hurried))
      .then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`callout: ${String(error)}\n`)
          process.exit(1)
        },
      )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (first === undefined) return void stop()
      if (performance.now() - first <= SAME_SIGNAL_MS) return
      hurry()
      void service.stop(0)
    })
  }
  return () => first !== undefined
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Says what the machine refuses, and what to set. */
function sentenceOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error)
  const { code, path } = (error instanceof Error && error.cause !== undefined ? error.cause : error) as {
    code?: string
    path?: string
  }
  const elsewhere =
    path?.startsWith(tmpdir()) === true ? 'set TMPDIR to another folder' : 'set DATA_DIR to another folder'
  switch (said.includes('insufficient file descriptors') ? 'EMFILE' : code) {
    case 'EMFILE':
    case 'ENFILE':
      return 'No more files can be opened: raise the limit of open files to 1024 or more (ulimit -n, or LimitNOFILE= under systemd)'
    case 'ENOSPC':
    case 'EDQUOT':
      return `There is no room left${path === undefined ? '' : ` for ${path}`}: make room, or ${elsewhere}`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      if (path !== undefined) return `${path} can't be written: let the service's user write there, or ${elsewhere}`
  }
  return said
}

function listenFault(error: unknown, { host, telemetry }: Config): unknown {
  const { code, port } = error as { code?: string; port?: number }
  const name = port === telemetry.metricsPort ? 'METRICS_PORT' : 'PORT'
  return code === 'EADDRINUSE' ? new Error(`Port ${port} on ${host} is in use; set ${name} to another one`) : error
}
