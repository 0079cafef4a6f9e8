import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, type Aggregator, type Registry } from 'prom-client'

/** Interval in milliseconds at which event loop lag is measured. A loop without delays has a lag of 0. */
const RESOLUTION_MS = 20

/**
 * Registers metrics of memory, CPU time and event loop lag, under the names that Node dashboards use. Returns a
 * function that ends the measurement.
 */
export function watchProcess(registry: Registry): () => void {
  const addCounter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  addCounter('process_cpu_user_seconds_total', 'Processor time in the program.', () => process.cpuUsage().user / 1e6)
  addCounter(
    'process_cpu_system_seconds_total',
    'Processor time in the operating system.',
    () => process.cpuUsage().system / 1e6,
  )
  gauge(registry, 'process_resident_memory_bytes', 'Memory in RAM.', () => process.memoryUsage.rss())
  gauge(
    registry,
    'process_start_time_seconds',
    'When the process started, in Unix time.',
    () => performance.timeOrigin / 1000,
    'min',
  )
  gauge(registry, 'nodejs_heap_size_used_bytes', 'Memory of JavaScript values.', () => process.memoryUsage().heapUsed)
  gauge(
    registry,
    'nodejs_external_memory_bytes',
    'Memory of buffers and the like.',
    () => process.memoryUsage().external,
  )
  return watchEventLoopLag(registry)
}

/** Measures event loop lag since the last scrape. Reading the maximum, the last value, starts a new measurement. */
function watchEventLoopLag(registry: Registry): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const lagSeconds = (nanoseconds: number): number =>
    delay.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000)
  gauge(
    registry,
    'nodejs_eventloop_lag_mean_seconds',
    'How late the event loop was since the last scrape, on average.',
    () => lagSeconds(delay.mean),
    'average',
  )
  gauge(
    registry,
    'nodejs_eventloop_lag_p99_seconds',
    'How late the event loop was since the last scrape, 99th percentile.',
    () => lagSeconds(delay.percentile(99)),
    'max',
  )
  gauge(
    registry,
    'nodejs_eventloop_lag_max_seconds',
    'How late the event loop was since the last scrape, at most.',
    () => {
      const maxLag = lagSeconds(delay.max)
      delay.reset()
      return maxLag
    },
    'max',
  )
  return () => void delay.disable()
}

/** Registers a gauge that is read on each scrape. `aggregator` combines the values of several processes. */
export const gauge = (
  registry: Registry,
  name: string,
  help: string,
  read: () => number,
  aggregator: Aggregator = 'sum',
): Gauge =>
  new Gauge({
    name,
    help,
    registers: [registry],
    aggregator,
    collect() {
      this.set(read())
    },
  })
