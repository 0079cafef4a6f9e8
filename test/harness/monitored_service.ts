import { Writable } from 'node:stream'
import { readConfig } from '../../src/platform/config/config.ts'
import { startService, type TestOverrides } from '../../src/start/service.ts'
import { openLog } from '../../src/platform/telemetry/log.ts'
import type { PeriodicTask } from '../../src/worker/periodic_task.ts'
import { TEST_DATA_KEY, makeDatabase } from './harness.ts'
import { startCollector } from './clients/otlp.ts'

/** Log line. */
export type Line = { msg: string } & Record<string, unknown>

type MonitoringOptions = { chores?: readonly PeriodicTask[] | null; outside?: TestOverrides; level?: string }

/**
 * Starts the service with all monitoring on: it keeps its log, serves metrics and sends spans to the test's
 * collector.
 */
export async function startMonitoredService(
  env: Record<string, string> = {},
  { chores = null, outside = {}, level = 'trace' }: MonitoringOptions = {},
) {
  const { database, owner, login, drop } = await makeDatabase()
  const collector = await startCollector()
  const config = readConfig({
    RATE_LIMIT_PER_CREDENTIAL: '0',
    RATE_LIMIT_PER_TENANT: '0',
    BASE_URL: 'http://callout.test',
    PORT: '0',
    METRICS_PORT: '0',
    DATA_KEY: TEST_DATA_KEY,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    ...env,
  })
  const { log, lines } = captureLog(level)
  const service = await startService(config, database, log, chores, outside)
  const origin = `http://127.0.0.1:${service.port}`
  const metricsOrigin = `http://127.0.0.1:${service.metricsPort}`
  return {
    database,
    owner,
    login,
    config,
    origin,
    metricsOrigin,
    metricsPort: service.metricsPort,
    collector,
    log,
    lines,
    url: `${origin}/api/mcp`,
    metrics: async (): Promise<string> => (await fetch(`${metricsOrigin}/metrics`)).text(),
    /** Stops the service, which sends the last spans. */
    stop: async (): Promise<void> => {
      await service.stop(0)
      await collector.stop()
      await drop()
    },
  }
}

export function captureLog(level = 'trace') {
  const lines: Line[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      lines.push(JSON.parse(chunk.toString()) as Line)
      done()
    },
  })
  return { log: openLog(level, stream), lines }
}

/** Returns the value of a sample with these labels, among others. 0 if there is none. */
export function readSample(text: string, name: string, labels: Record<string, string> = {}): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const found = text
    .split('\n')
    .filter(
      (line) =>
        (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) && wanted.every((pair) => line.includes(pair)),
    )
  return found.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}
