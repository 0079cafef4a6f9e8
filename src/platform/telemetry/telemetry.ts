import cluster from 'node:cluster'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { TelemetryConfig } from '../config/config.ts'
import type { MetricSources, openMetrics } from './metrics/metrics.ts'
import { openRecentCounter } from './recent.ts'
import type { KnownNames, ToolLine } from './tool_requests.ts'
import { openTraces } from './traces.ts'

export type Telemetry = Awaited<ReturnType<typeof openTelemetry>>

type TelemetryOptions = MetricSources & { config: TelemetryConfig; log: Logger; names: KnownNames }

/** Observes the service's requests: a log line for each, and metrics and traces if configured. */
export async function openTelemetry({ config, log, names, ...sources }: TelemetryOptions) {
  const metrics =
    config.metricsPort === null ? null : (await import('./metrics/metrics.ts')).openMetrics(names, sources)
  const traces = config.traces === null ? null : await openTraces(config.traces, names, log)

  const failedWebhooks = openRecentCounter()

  return {
    observeToolRequest: openToolObserver({ metrics, traces, log }),
    /** Counts a webhook delivery. The handler logs it. */
    async observeDelivery(endpoint: string, res: ServerResponse, handled: Promise<void>): Promise<void> {
      const startedAt = performance.now()
      await handled
      const status = statusOf(res)
      if (status >= 500) failedWebhooks.record(endpoint)
      metrics?.countRequest('webhook', status)
      metrics?.countDelivery(endpoint, status)
      metrics?.durations.webhook(endpoint, performance.now() - startedAt)
    },
    /** Counts and logs a request to the authorization server or for its metadata. `path` has no query. */
    async observeOauthRequest(
      { method }: IncomingMessage,
      res: ServerResponse,
      path: string,
      answer: () => Promise<void>,
    ): Promise<void> {
      const startedAt = performance.now()
      await answer()
      const [status, ms] = [statusOf(res), performance.now() - startedAt]
      metrics?.countRequest('oauth', status)
      metrics?.durations.oauth(ms)
      log.info({ method, path: withoutIds(path), status, ms: roundMs(ms) }, 'oauth')
    },
    /** Counts and logs an answered page; `route` is its pattern as the source declares it. */
    recordPage: ({ ms, ...line }: AnsweredPage, route: string): void => {
      metrics?.countRequest('page', line.status)
      metrics?.durations.page(route, ms)
      log.info({ ...line, ms: roundMs(ms) }, 'page')
    },
    /** Counts and logs a sign-in attempt. The security log has the person. */
    recordSignIn: (line: { outcome: string; methods: readonly string[] }): void => {
      metrics?.countSignIn(line.outcome)
      log.info(line, 'sign_in')
    },
    countHandover: (channel: string, outcome: string): void => metrics?.countHandover(channel, outcome),
    countTaskRun: (task: string, outcome: string): void => metrics?.countTaskRun(task, outcome),
    /** Called with each round trip to the database, if tracing is on. */
    startRoundTrip: traces?.startRoundTrip,
    /** Answers GET /metrics, unless this process is one of several. */
    metricsPage: cluster.isWorker ? undefined : metrics?.page,
    /** Returns the number of webhooks answered with 5xx in the last 15 minutes, by endpoint. */
    failedWebhooks: failedWebhooks.read,
    /** Sends the remaining spans. */
    close: async (): Promise<void> => {
      metrics?.close()
      await traces?.close()
    },
  }
}

/** Log line of an answered page request. `ms` is its duration. */
export type AnsweredPage = { method: string; path: string; status: number; ms: number }

type RequestObservers = {
  metrics: ReturnType<typeof openMetrics> | null
  traces: Awaited<ReturnType<typeof openTraces>> | null
  log: Logger
}

/** Observes requests to the tool endpoint. `answer` answers one and returns its log line. */
const openToolObserver =
  ({ metrics, traces, log }: RequestObservers) =>
  async ({ headers }: IncomingMessage, answer: () => Promise<ToolLine>): Promise<void> => {
    metrics?.tools.begin()
    const startedAt = performance.now()
    const { line, roundTrips } =
      traces === null ? { line: await answer(), roundTrips: [] } : await traces.runTraced(answer)
    const endedAt = performance.now()
    metrics?.tools.end(line, endedAt - startedAt)
    metrics?.countRequest('mcp', line.status)
    const trace = traces?.record({ line, headers, startedAt, endedAt, roundTrips })
    log.info(Object.assign(line, { traceparent: undefined, trace, ms: roundMs(endedAt - startedAt) }), 'mcp')
  }

const roundMs = (ms: number): number => Math.round(ms * 100) / 100

/** Returns the status of a response; 499 if the client disconnected before it. */
const statusOf = (res: ServerResponse): number => (res.headersSent ? res.statusCode : 499)

/** Replaces the ID of an authorization request in a path. */
const withoutIds = (path: string): string => path.replace(/(\/oauth\/authorize)\/.*$/, '$1/…')
