import cluster from 'node:cluster'
import { Counter, Gauge, Registry, type Histogram } from 'prom-client'
import { ROUND_TRIP_BOUNDS, type Buckets, type DatabaseTimes } from '../../buckets.ts'
import { VERSION } from '../../version.ts'
import { watchDisks, type Disks } from './disks.ts'
import { shareMetrics } from './cluster_metrics.ts'
import { metricsPage } from './metrics_page.ts'
import { addBuckets } from './bucket_histogram.ts'
import { watchInstallation, type ReadInstallation } from './installation.ts'
import { gauge, watchProcess } from './process.ts'
import { routeDurations } from './route_durations.ts'
import { toolCounts } from './tool_counts.ts'
import type { KnownNames } from '../tool_requests.ts'

/** Current connections to the database. */
export type PoolLoad = { used: number; idle: number; max: number; waiting: number }

/** Entry points of the service, as a label. */
export type Edge = 'mcp' | 'oauth' | 'page' | 'webhook'

export type Metrics = ReturnType<typeof openMetrics>

/** Sources of the metrics: the pool, its wait times, the disks, and the check results. */
export type MetricSources = {
  load: () => PoolLoad
  times?: DatabaseTimes
  disks: Disks
  readInstallation: ReadInstallation
}

/** Opens the metrics at /metrics. No label value comes from a request. */
export function openMetrics(names: KnownNames, { load, times, disks, readInstallation }: MetricSources) {
  const registry = new Registry()
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] })
  new Gauge({
    name: 'callout_build_info',
    help: 'The version that runs.',
    labelNames: ['version', 'node'],
    registers: [registry],
    aggregator: 'max',
  }).set({ version: VERSION, node: process.version }, 1)
  const tools = toolCounts(names, registry)
  const requests = counter('callout_requests_total', 'Requests answered, by status; 499 is a client that left.', [
    'edge',
    'status',
  ])
  const rateLimited = counter('callout_rate_limited_total', 'Requests turned away by a rate limit.', ['edge'])
  const deliveries = counter('callout_webhook_deliveries_total', 'Webhooks that providers sent.', [
    'endpoint',
    'outcome',
  ])
  const tasks = counter('callout_task_runs_total', 'Runs of the periodic work.', ['task', 'outcome'])
  const signIns = counter('callout_sign_ins_total', 'Tries to sign in at the pages.', ['outcome'])
  const handovers = counter('callout_handovers_total', 'Messages handed to a provider.', ['channel', 'outcome'])
  watchConnections(load, registry)
  if (times !== undefined) watchTimes(times, registry)
  watchInstallation(readInstallation, registry)
  const close = watchProcess(registry)
  watchDisks(disks, registry)
  if (cluster.isWorker) shareMetrics(registry)

  return {
    tools,
    countRequest: (edge: Edge, status: number): void => {
      requests.inc({ edge, status: String(status) })
      if (status === 429) rateLimited.inc({ edge })
    },
    countDelivery: (endpoint: string, status: number): void =>
      deliveries.inc({ endpoint, outcome: deliveryOf(status) }),
    countSignIn: (outcome: string): void => signIns.inc({ outcome }),
    countHandover: (channel: string, outcome: string): void => handovers.inc({ channel, outcome }),
    durations: routeDurations(registry),
    countTaskRun: (task: string, outcome: string): void => tasks.inc({ task, outcome }),
    /** Answers GET /metrics for this process. */
    page: metricsPage(registry.contentType, () => registry.metrics()),
    close,
  }
}

/** Returns the outcome for a status. With 499, the provider disconnected before the response. */
const deliveryOf = (status: number): string =>
  status === 499 ? 'lost' : status < 300 ? 'accepted' : status < 500 ? 'refused' : 'failed'

function watchTimes({ wait, roundTrip }: DatabaseTimes, registry: Registry): void {
  const watch = (name: string, help: string, buckets: Buckets): Histogram =>
    addBuckets({ name, help, bounds: ROUND_TRIP_BOUNDS }, registry, () => [{ labels: {}, buckets }])
  watch('callout_database_wait_seconds', 'From asking for a connection to having it.', wait)
  watch('callout_database_query_seconds', 'From sending statements to their answers, one round trip each.', roundTrip)
}

const watchConnections = (load: () => PoolLoad, registry: Registry): Gauge[] => [
  new Gauge({
    name: 'callout_database_connections',
    help: 'Open connections to the database.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { used, idle } = load()
      this.set({ state: 'used' }, used)
      this.set({ state: 'idle' }, idle)
    },
  }),
  gauge(registry, 'callout_database_connections_max', 'Connections that may be open at once.', () => load().max),
  gauge(registry, 'callout_database_waiting', 'Callers that wait for a connection.', () => load().waiting),
]
