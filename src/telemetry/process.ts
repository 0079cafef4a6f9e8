import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Family } from './exposition.ts'

/** Is how often the event loop is measured, in milliseconds; a loop that is never late has a lateness of 0. */
const EVERY = 20

/** Memory, processor time and lateness of the event loop, under the names that dashboards for Node know. */
export function watchProcess() {
  const delay = monitorEventLoopDelay({ resolution: EVERY })
  delay.enable()
  const late = (nanoseconds: number): number => (Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - EVERY / 1000) : 0)

  return {
    /** Lateness is that since the last call. */
    families: (): Family[] => {
      const { user, system } = process.cpuUsage()
      const { rss, heapUsed, external } = process.memoryUsage()
      const [mean, p99, max] = delay.count === 0 ? [0, 0, 0] : [late(delay.mean), late(delay.percentile(99)), late(delay.max)]
      delay.reset()
      return [
        counted('process_cpu_user_seconds_total', 'Processor time in the program.', user / 1e6),
        counted('process_cpu_system_seconds_total', 'Processor time in the operating system.', system / 1e6),
        gauge('process_resident_memory_bytes', 'Memory in RAM.', rss),
        gauge('process_start_time_seconds', 'When the process started, in Unix time.', performance.timeOrigin / 1000),
        gauge('nodejs_heap_size_used_bytes', 'Memory of JavaScript values.', heapUsed),
        gauge('nodejs_external_memory_bytes', 'Memory of buffers and the like.', external),
        gauge('nodejs_eventloop_lag_mean_seconds', 'How late the event loop was since the last scrape, on average.', mean),
        gauge('nodejs_eventloop_lag_p99_seconds', 'How late the event loop was since the last scrape, 99th percentile.', p99),
        gauge('nodejs_eventloop_lag_max_seconds', 'How late the event loop was since the last scrape, at most.', max),
      ]
    },
    close: (): void => void delay.disable(),
  }
}

export const gauge = (name: string, help: string, value: number): Family => ({ name, kind: 'gauge', help, samples: [{ value }] })

const counted = (name: string, help: string, value: number): Family => ({ name, kind: 'counter', help, samples: [{ value }] })
