import cluster from 'node:cluster'
import { tmpdir } from 'node:os'
import { welcomeText } from '../cli/welcome.ts'
import { ConfigError, readConfig, type Config } from '../platform/config/config.ts'
import { programCommand } from '../platform/config/program_command.ts'
import { isEmpty, openConfiguredDatabase, type OpenedDatabase } from '../platform/db/open.ts'
import { errorMessage } from '../platform/errors/error_code.ts'
import { StartError, startProcesses, reportListening } from './processes.ts'
import { listen } from '../platform/http/server.ts'
import type { Service } from './service.ts'

/** Imports the code that serves requests, most of the program: about as slow as creating an embedded database. */
const importService = () => import('./service.ts')

/**
 * Time in milliseconds within which the same signal counts once. It can arrive twice: for the process group, and from
 * the parent process, which forwards it.
 */
const SAME_SIGNAL_MS = 500

await serve().catch((error: unknown) => {
  if (error instanceof StartError) process.exitCode = error.code
  else {
    process.stderr.write(`callout: ${startErrorText(error)}\n`)
    process.exitCode = error instanceof ConfigError ? 2 : 1
  }
  // The IPC channel to the parent would keep this process alive.
  if (cluster.isWorker) process.exit()
})

/**
 * Starts the service, as one process or several. SIGTERM or SIGINT stops it once no new request comes, running requests
 * are answered, and a demo company in progress is finished, because its password is shown only once. A second signal
 * stops it at once.
 */
async function serve(): Promise<void> {
  const config = readConfig()
  if (cluster.isWorker) return serveAsOneOfSeveral(config)
  if (config.postgresPrevious !== null)
    await (await import('../cli/upgrade/next_major.ts')).upgradeMajorVersion(config, print)
  const whileWaiting = (): void => {
    if (config.processes === 1) importService().catch(() => {})
  }
  const opened = await openConfiguredDatabase(config, { migrates: true, isExclusive: true, log: print, whileWaiting })
  const starting = config.processes > 1 ? startSeveral(config, opened) : startOne(config, opened)
  const service = await starting.catch(async (error: unknown) => {
    await opened.close()
    throw error
  })
  let firstSteps = Promise.resolve()
  const isStopping = stopOnSignal(service, async (secondSignal) => {
    await Promise.race([firstSteps.catch(() => {}), secondSignal])
    await opened.close()
  })
  const processesText = config.processes > 1 ? `, ${config.processes} processes` : ''
  print(`Callout is running at ${config.baseUrl} (${opened.kind} database${processesText})`)
  firstSteps = printFirstSteps(opened, config)
  await firstSteps.catch(async (error: unknown) => {
    if (isStopping()) return
    await service.stop(0)
    await opened.close()
    throw error
  })
}

type Stoppable = Pick<Service, 'stop'>

/** Starts the service in this process; flushes its log when it has stopped. */
async function startOne(config: Config, { database, owner }: OpenedDatabase): Promise<Stoppable> {
  const [{ startService, listTasks }, { openLog, openLogLines }] = await Promise.all([
    importService(),
    import('../platform/telemetry/log.ts'),
  ])
  const lines = openLogLines(2, config.processes === 1)
  const tasks = listTasks(config, owner)
  const log = openLog(config.logLevel, lines)
  const service = await startService(config, database, log, tasks).catch((error: unknown) => {
    throw listenError(error, config)
  })
  return {
    stop: async (graceMs) => {
      await service.stop(graceMs)
      lines.flushSync()
    },
  }
}

/** Starts the processes, and serves their combined metrics. */
async function startSeveral(config: Config, opened: OpenedDatabase): Promise<Stoppable> {
  const { metricsPort } = config.telemetry
  const metrics = metricsPort === null ? null : await listenForMetrics(opened, config, metricsPort)
  const processes = await startProcesses({
    count: config.processes,
    address: config,
    print,
    onLost: (code) => process.exit(code),
  }).catch(async (error: unknown) => {
    await metrics?.stop(0)
    throw listenError(error, config)
  })
  return {
    stop: async () => {
      await processes.stop()
      await metrics?.stop(0)
    },
  }
}

/** Serves the metrics of all processes on the metrics port. */
async function listenForMetrics({ database }: OpenedDatabase, config: Config, port: number): Promise<Stoppable> {
  const [{ withHealth }, { clusterMetrics }] = await Promise.all([
    import('./metrics_port.ts'),
    import('../platform/telemetry/metrics/cluster_metrics.ts'),
  ])
  return listen(withHealth(database, clusterMetrics()), { host: config.host, port }).catch((error: unknown) => {
    throw listenError(error, config)
  })
}

/** Serves as one of several processes. The parent has migrated the database and manages the embedded one. */
async function serveAsOneOfSeveral(config: Config): Promise<void> {
  const opened = await openConfiguredDatabase(config, { migrates: false })
  try {
    stopOnSignal(await startOne(config, opened), () => opened.close())
    reportListening()
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Prints the first steps if the database is empty; outside production, announces the demo company. */
async function printFirstSteps({ owner, database }: OpenedDatabase, config: Config): Promise<void> {
  if (!(await isEmpty(owner))) return
  if (!config.production) print('Creating a demo company. Its sign-in follows in a few seconds.')
  const demo = await import('../cli/installation/demo_company.ts')
  const command = programCommand()
  print(
    config.production
      ? `There is no company yet. Create the first one; its owner's password is shown only once:
  ${command} tenant create --name "Your Company" --owner-email you@example.com
Then sign in at ${config.baseUrl}: Today lists the first steps. To try sample data first: ${command} demo. To check this installation: ${command} doctor`
      : welcomeText(await demo.makeDemo(database, config), config.baseUrl),
  )
}

/**
 * Stops the service on a signal, then calls `close`, whose promise resolves on a second signal. Returns a function that
 * checks whether the stop has begun.
 */
function stopOnSignal(service: Stoppable, close: (secondSignal: Promise<void>) => Promise<void>): () => boolean {
  let firstSignalAt: number | undefined
  const { promise: secondSignal, resolve: resolveSecondSignal } = Promise.withResolvers<void>()
  const stop = async (): Promise<void> => {
    firstSignalAt = performance.now()
    await service
      .stop()
      .then(() => close(secondSignal))
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
      if (firstSignalAt === undefined) return void stop()
      if (performance.now() - firstSignalAt <= SAME_SIGNAL_MS) return
      resolveSecondSignal()
      void service.stop(0)
    })
  }
  return () => firstSignalAt !== undefined
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Returns the error that prevented the start, with a fix for known system errors. */
function startErrorText(error: unknown): string {
  const message = errorMessage(error)
  const { code, path } = (error instanceof Error && error.cause !== undefined ? error.cause : error) as {
    code?: string
    path?: string
  }
  const otherFolderFix =
    path?.startsWith(tmpdir()) === true ? 'set TMPDIR to another folder' : 'set DATA_DIR to another folder'
  switch (message.includes('insufficient file descriptors') ? 'EMFILE' : code) {
    case 'EMFILE':
    case 'ENFILE':
      return (
        'Too many open files: raise the limit of open files to 1024 or more (ulimit -n, ' +
        'or LimitNOFILE= under systemd)'
      )
    case 'ENOSPC':
    case 'EDQUOT':
      return `No disk space left${path === undefined ? '' : ` for ${path}`}: free some space, or ${otherFolderFix}`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      if (path !== undefined)
        return `${path} can't be written: let the service's user write there, or ${otherFolderFix}`
  }
  return message
}

function listenError(error: unknown, { host, telemetry }: Config): unknown {
  const { code, port } = error as { code?: string; port?: number }
  const name = port === telemetry.metricsPort ? 'METRICS_PORT' : 'PORT'
  return code === 'EADDRINUSE' ? new Error(`Port ${port} on ${host} is in use; set ${name} to another one`) : error
}
