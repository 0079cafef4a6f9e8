import type { IncomingMessage, ServerResponse } from 'node:http'
import { VERSION } from '../version.ts'
import { counter } from './counter.ts'
import { diskFamilies, type Disks } from './disks.ts'
import { EXPOSITION_TYPE, exposition, type Family } from './exposition.ts'
import { gauge, watchProcess } from './process.ts'
import { toolRequests, type KnownNames } from './tool_requests.ts'

/** The database's connections at a moment. */
export type PoolLoad = { used: number; idle: number; most: number; waiting: number }

/** The doors of the service, as a label. */
export type Edge = 'mcp' | 'oauth' | 'page' | 'webhook'

export type Metrics = ReturnType<typeof openMetrics>

/** Counts what happens, and shows it at /metrics. No label takes a name from outside. */
export function openMetrics(known: KnownNames, load: () => PoolLoad, disks: Disks) {
  const tools = toolRequests(known)
  const requests = counter('callout_requests_total', 'Requests answered, by status; 499 is a client that left.')
  const limited = counter('callout_rate_limited_total', 'Requests turned away by a rate limit.')
  const deliveries = counter('callout_webhook_deliveries_total', 'Webhooks that providers sent.')
  const chores = counter('callout_chore_runs_total', 'Runs of the periodic work.')
  const ownProcess = watchProcess()

  const families = (): Family[] => [
    { name: 'callout_build_info', kind: 'gauge', help: 'The version that runs.', samples: [{ labels: { version: VERSION, node: process.version }, value: 1 }] },
    ...tools.families(), requests.family(), limited.family(), deliveries.family(), chores.family(),
    ...connections(load()), ...ownProcess.families(),
  ]

  return {
    tools,
    answered: (edge: Edge, status: number): void => {
      requests.add({ edge, status: String(status) })
      if (status === 429) limited.add({ edge })
    },
    delivered: (endpoint: string, status: number): void => deliveries.add({ endpoint, outcome: deliveryOf(status) }),
    choreEnded: (chore: string, outcome: string): void => chores.add({ chore, outcome }),
    /** Answers GET /metrics and nothing else. */
    page: async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
      if (req.url?.split('?', 1)[0] !== '/metrics') plain(res, 404, 'Metrics are at /metrics\n')
      else if (req.method !== 'GET' && req.method !== 'HEAD') plain(res, 405, 'Use GET\n', { Allow: 'GET, HEAD' })
      else plain(res, 200, exposition([...families(), ...await diskFamilies(disks)]), { 'Content-Type': EXPOSITION_TYPE })
    },
    close: (): void => ownProcess.close(),
  }
}

/** Returns 499 when the provider left before it was answered. */
const deliveryOf = (status: number): string => (status === 499 ? 'lost' : status < 300 ? 'accepted' : status < 500 ? 'refused' : 'failed')

const connections = ({ used, idle, most, waiting }: PoolLoad): Family[] => [
  {
    name: 'callout_database_connections', kind: 'gauge', help: 'Open connections to the database.',
    samples: [{ labels: { state: 'used' }, value: used }, { labels: { state: 'idle' }, value: idle }],
  },
  gauge('callout_database_connections_max', 'Connections that may be open at once.', most),
  gauge('callout_database_waiting', 'Callers that wait for a connection.', waiting),
]

const plain = (res: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void => {
  res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': Buffer.byteLength(text), 'Cache-Control': 'no-store', ...headers }).end(text)
}
