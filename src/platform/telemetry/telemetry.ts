import cluster from 'node:cluster'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { TelemetryConfig } from '../config/config.ts'
import type { Disks } from './disks.ts'
import type { PoolLoad } from './metrics.ts'
import type { KnownNames, ToolLine } from './tool_requests.ts'
import { openTraces } from './traces.ts'

export type Telemetry = Awaited<ReturnType<typeof openTelemetry>>

type TelemetryOptions = { config: TelemetryConfig; log: Logger; known: KnownNames; load: () => PoolLoad; disks: Disks }

/** Watches the requests of the service: a log line for each; counts and spans where they were asked for. */
export async function openTelemetry({ config, log, known, load, disks }: TelemetryOptions) {
  const metrics = config.metricsPort === null ? null : (await import('./metrics.ts')).openMetrics(known, load, disks)
  const traces = config.traces === null ? null : await openTraces(config.traces, known, log)

  return {
    /** Watches a request to the tool endpoint; `answer` answers it and returns what to log of it. */
    async toolRequest({ headers }: IncomingMessage, answer: () => Promise<ToolLine>): Promise<void> {
      metrics?.tools.begin()
      const begun = performance.now()
      const { line, trips } = traces === null ? { line: await answer(), trips: [] } : await traces.around(answer)
      const ended = performance.now()
      metrics?.tools.end(line, ended - begun)
      metrics?.countRequest('mcp', line.status)
      const trace = traces?.record({ line, headers, begun, ended, trips })
      log.info(Object.assign(line, { traceparent: undefined, trace, ms: roundMs(ended - begun) }), 'mcp')
    },
    /** Watches a webhook, which logs itself. */
    async delivery(endpoint: string, res: ServerResponse, answered: Promise<void>): Promise<void> {
      await answered
      metrics?.countRequest('webhook', statusOf(res))
      metrics?.countDelivery(endpoint, statusOf(res))
    },
    /** Watches a request to the authorization server or for its metadata; `path` holds no query. */
    async oauthRequest(
      { method }: IncomingMessage,
      res: ServerResponse,
      path: string,
      answer: () => Promise<void>,
    ): Promise<void> {
      const begun = performance.now()
      await answer()
      metrics?.countRequest('oauth', statusOf(res))
      log.info(
        { method, path: withoutIds(path), status: statusOf(res), ms: roundMs(performance.now() - begun) },
        'oauth',
      )
    },
    /** Counts and logs an answered page. */
    pageAnswered: (line: Record<string, unknown>): void => {
      metrics?.countRequest('page', Number(line['status']))
      log.info(line, 'page')
    },
    /** Counts and logs a sign-in attempt. The security log has the person. */
    signIn: (line: { outcome: string; methods: readonly string[] }): void => {
      metrics?.countSignIn(line.outcome)
      log.info(line, 'sign_in')
    },
    countTaskRun: (chore: string, outcome: string): void => metrics?.countTaskRun(chore, outcome),
    /** Called with each round trip to the database, if tracing is on. */
    roundTrip: traces?.roundTrip,
    /** Answers GET /metrics, unless this process is one of several. */
    metricsPage: cluster.isWorker ? undefined : metrics?.page,
    /** Sends the remaining spans. */
    close: async (): Promise<void> => {
      metrics?.close()
      await traces?.close()
    },
  }
}

const roundMs = (ms: number): number => Math.round(ms * 100) / 100

/** Returns 499 when the client left before its answer. */
const statusOf = (res: ServerResponse): number => (res.headersSent ? res.statusCode : 499)

/** Replaces the id of an authorization request in its address. */
const withoutIds = (path: string): string => path.replace(/(\/oauth\/authorize)\/.*$/, '$1/…')
