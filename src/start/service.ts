import { tmpdir } from 'node:os'
import type pg from 'pg'
import type { Logger } from 'pino'
import { openRequestAuthenticator } from '../identity/credentials/authenticate.ts'
import { ownKeys, remoteKeys } from '../identity/credentials/tokens/jwks.ts'
import { openLastUsed } from '../identity/credentials/last_used.ts'
import { openToolUses } from '../identity/credentials/tool_uses.ts'
import { RateLimiter } from '../identity/credentials/rate_limits.ts'
import { openKeyring } from '../identity/credentials/tokens/signing_keys.ts'
import { tokenVerifier } from '../identity/credentials/tokens/tokens.ts'
import { internet, type Network } from '../identity/public_request.ts'
import { openDataKeys } from '../identity/data_keys.ts'
import { newDemoReset } from '../cli/installation/demo_reset.ts'
import { routes } from './app.ts'
import { openInstallationReader } from './installation_numbers.ts'
import { withHealth } from './metrics_port.ts'
import type { Caller } from '../identity/credentials/caller.ts'
import type { Config } from '../platform/config/config.ts'
import { withOptions, sql, observeRoundTrips, type Database } from '../platform/db/database.ts'
import { entities } from '../records/index.ts'
import { isMethod } from '../mcp/methods.ts'
import { isPrompt } from '../mcp/prompts.ts'
import { toolServer } from '../mcp/tool_server.ts'
import type { ToolServer } from '../mcp/protocol/types.ts'
import { answerPreparationTask } from '../worker/tasks/outside/prepared_answers.ts'
import { openAssistant, type Assistant } from '../assistant/assistant.ts'
import type { AnswerLimits } from '../assistant/answer_limits.ts'
import { modelReader } from '../assistant/company_models.ts'
import { openAuthorizationServer } from '../identity/oauth/server.ts'
import type { AuthorizationServerOptions } from '../identity/oauth/options.ts'
import { issuerPathOf } from '../identity/oauth/well_known.ts'
import { listen } from '../platform/http/server.ts'
import { onSignIn } from '../identity/sign_in/outcomes.ts'
import { openTelemetry } from '../platform/telemetry/telemetry.ts'
import { toolCatalogOf } from '../tools/declare/catalog.ts'
import { propose, explainProposed } from '../approvals/propose.ts'
import { openSite } from '../web/site.ts'
import { openWebhooks } from '../webhooks/endpoints.ts'
import type { PeriodicTask } from '../worker/periodic_task.ts'
import { PERIODIC_TASKS } from '../worker/periodic_tasks.ts'
import { backupTasks } from '../worker/tasks/installation/backup.ts'
import { configurableTasks } from '../worker/configurable_tasks.ts'
import { startWorker } from '../worker/worker.ts'
import type { ProcessState } from '../health/checks/processes.ts'
import { VERSION } from '../platform/version.ts'
import { requireValue } from '../platform/errors/require_value.ts'

export type Service = {
  port: number
  /** Port of /metrics, or null. */
  metricsPort: number | null
  /**
   * Answers new requests until none comes for a while, then finishes running ones. With 0, even in a second call, stops
   * at once.
   */
  stop(graceMs?: number): Promise<void>
}

/** Timeout of a readiness check in milliseconds. A probe must be answered within 2 s. */
const READY_TIMEOUT_MS = 1_500

/** Maximum tool calls per connection, including those that wait for one. With more, none would be answered in time. */
const MAX_REQUESTS_PER_CONNECTION = 60

/** Test replacements for the network, and a wrapper around the tools. */
export type TestOverrides = Pick<AuthorizationServerOptions, 'fetchDocument' | 'limits'> & {
  aroundTools?: (tools: ToolServer<Caller>) => ToolServer<Caller>
  network?: Network
  assistantPace?: Partial<AnswerLimits>
}

/** Returns the periodic tasks of an installation, including backups. `owner` connects as the schema's owner. */
export const listTasks = (config: Config, owner: pg.ClientConfig): PeriodicTask[] => [
  ...PERIODIC_TASKS,
  ...backupTasks(config, owner),
]

/**
 * Starts the service on an open database, with one object of each kind. With `tasks` it also runs the periodic tasks.
 */
export async function startService(
  config: Config,
  openedDatabase: Database,
  log: Logger,
  tasks: readonly PeriodicTask[] | null = PERIODIC_TASKS,
  overrides: TestOverrides = {},
): Promise<Service> {
  let stopping = false
  const catalog = toolCatalogOf(entities)
  const isTool = (name: string): boolean => catalog.tools.has(name) || isPrompt(name)
  const disks = { data: config.dataDir, temporary: tmpdir() }
  const sources = { ...openedDatabase, disks, readInstallation: openInstallationReader(openedDatabase) }
  const telemetry = await openTelemetry({ ...sources, config: config.telemetry, log, names: { isMethod, isTool } })
  const database =
    telemetry.startRoundTrip === undefined
      ? openedDatabase
      : observeRoundTrips(openedDatabase, telemetry.startRoundTrip)
  const limits = { credential: config.rateLimitPerCredential, tenant: config.rateLimitPerTenant }
  const dataKeys = openDataKeys(config.dataKey)
  const keyring = openKeyring(database, dataKeys)
  const authorization =
    issuerPathOf(config) === null
      ? undefined
      : openAuthorizationServer({ config, database, keyring, log, ...overrides })
  const verify = tokenVerifier({
    issuer: config.authUrl,
    audience: `${config.baseUrl}/api/mcp`,
    keys: authorization !== undefined ? ownKeys(keyring) : remoteKeys(`${config.authUrl}/.well-known/jwks.json`),
  })
  const lastUsed = openLastUsed(database)
  const uses = openToolUses(database)
  const authenticator = openRequestAuthenticator(database, new RateLimiter(database, limits), config, verify, lastUsed)
  const report = (reference: string, error: unknown): void => log.error({ reference, err: error }, 'fault')
  const toolContext = {
    database,
    confirm: authenticator.confirm,
    baseUrl: config.baseUrl,
    report,
    propose,
    explainProposed,
  }
  const tools = toolServer(toolContext, config.serviceName, catalog, { uses })
  const assistant = openAssistant({
    database,
    config: config.assistant,
    port: tools.narrow({ toolsets: null, readonly: false, strict: false, mine: true, ui: true }),
    report,
    modelOf: modelReader({ database, keys: dataKeys, network: overrides.network ?? internet }, config),
    ...(overrides.assistantPace && { pace: overrides.assistantPace }),
  })
  const { network } = overrides
  const { baseUrl, storage } = config
  const resetDemo = newDemoReset({ connection: openedDatabase.connection, baseUrl, storage })
  const site = openSite(toolContext, config, telemetry.recordPage, network, assistant, resetDemo)
  const handler = routes({
    authenticator,
    log,
    config,
    authorization,
    telemetry,
    site,
    webhooks: openWebhooks(config, database, log),
    maxConcurrent: MAX_REQUESTS_PER_CONNECTION * database.load().max,
    isReady: async () => !stopping && (await isAnswering(database)),
    tools: overrides.aroundTools?.(tools) ?? tools,
  })
  const metricsPage = telemetry.metricsPage && withHealth(database, telemetry.metricsPage)
  const { listening, metrics } = await listenTo(handler, config, metricsPage)
  const worker = tasks && startWork(tasks, { config, database, log, telemetry, assistant })
  const stopListeningForSignIns = onSignIn(telemetry.recordSignIn)
  let stopped: Promise<void> | undefined
  const stop = async (drained: Promise<void>): Promise<void> => {
    site.changes.close()
    stopListeningForSignIns()
    await Promise.all([drained, worker?.stop()])
    await Promise.all([lastUsed.stop(), uses.stop()])
    await metrics?.stop(0)
    await telemetry.close()
  }
  return {
    port: listening.port,
    metricsPort: metrics?.port ?? null,
    stop: (graceMs) => {
      stopping = true
      const drained = listening.stop(graceMs)
      return (stopped ??= stop(drained))
    },
  }
}

/** Checks whether the database answers in time. */
const isAnswering = (database: Database): Promise<boolean> =>
  database.send([sql`select 1`], { by: performance.now() + READY_TIMEOUT_MS }).then(
    () => true,
    () => false,
  )

/** Listens for requests, and for metrics on a separate port. */
async function listenTo(
  handler: RequestHandler,
  config: Config,
  metricsPage: RequestHandler | undefined,
): Promise<{ listening: Listening; metrics: Listening | undefined }> {
  const { host, telemetry } = config
  const metrics =
    metricsPage && (await listen(metricsPage, { host, port: requireValue(telemetry.metricsPort, 'METRICS_PORT') }))
  const headers: Record<string, string> = config.baseUrl.startsWith('https:')
    ? { 'Strict-Transport-Security': `max-age=31536000${config.strictSubdomains ? '; includeSubDomains' : ''}` }
    : {}
  const listening = await listen(handler, { ...config, headers }).catch(async (error: unknown) => {
    await metrics?.stop(0)
    throw error
  })
  return { listening, metrics }
}

type RequestHandler = Parameters<typeof listen>[0]
type Listening = Awaited<ReturnType<typeof listen>>

type WorkerParts = { config: Config; database: Database; log: Logger; telemetry: Telemetry; assistant: Assistant }

const startWork = (tasks: readonly PeriodicTask[], { config, database, log, telemetry, assistant }: WorkerParts) =>
  startWorker(
    withOptions(database, { of: 'worker', patient: true }),
    log,
    [
      ...tasks,
      ...configurableTasks(config, database, { countHandover: telemetry.countHandover }),
      answerPreparationTask(database, assistant),
    ],
    { onRunEnd: telemetry.countTaskRun, readState: () => processState(database, telemetry) },
  )

/** Returns the state of this process for the health page. */
function processState({ load }: Database, { failedWebhooks }: Telemetry): ProcessState {
  const { used, max, waiting } = load()
  return {
    pid: process.pid,
    version: VERSION,
    started_at: new Date(performance.timeOrigin).toISOString(),
    rss: process.memoryUsage.rss(),
    connections: { used, max, waiting },
    failed_webhooks: failedWebhooks(),
  }
}

type Telemetry = Awaited<ReturnType<typeof openTelemetry>>
