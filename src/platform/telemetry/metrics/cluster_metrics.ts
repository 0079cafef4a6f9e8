import cluster, { type Worker } from 'node:cluster'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AggregatorRegistry, Registry } from 'prom-client'
import { metricsPage } from './metrics_page.ts'

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/** Message of a process: without an ID once it starts counting, with the ID of a question to answer it. */
type CountsMessage = { callout: 'counts'; id?: number; counts?: object[] }

/** Maximum wait for a process in milliseconds; a slower one is left out of that page. */
const TIMEOUT_MS = 2_000

/**
 * Answers GET /metrics for several processes together: counters are summed, and each gauge is combined by its
 * `aggregator`. A new process is left out until it counts; the counts of one that ended by itself are lost.
 */
export function clusterMetrics(): Handler {
  const countingWorkers = new Set<Worker>()
  const waiting = new Map<string, (counts: object[] | undefined) => void>()
  let lastId = 0
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (!isCountsMessage(message)) return
    if (message.id === undefined) countingWorkers.add(worker)
    else waiting.get(`${worker.id} ${message.id}`)?.(message.counts)
  })
  cluster.on('disconnect', (worker) => {
    countingWorkers.delete(worker)
    for (const [name, answer] of waiting) if (name.startsWith(`${worker.id} `)) answer(undefined)
  })

  async function countsOf(worker: Worker, id: number): Promise<object[] | undefined> {
    const name = `${worker.id} ${id}`
    const { promise, resolve } = Promise.withResolvers<object[] | undefined>()
    const timer = setTimeout(resolve, TIMEOUT_MS, undefined)
    waiting.set(name, resolve)
    worker.send({ callout: 'counts', id } satisfies CountsMessage, (error) => {
      if (error !== null) resolve(undefined)
    })
    return promise.finally(() => {
      clearTimeout(timer)
      waiting.delete(name)
    })
  }

  return metricsPage(Registry.PROMETHEUS_CONTENT_TYPE, async () => {
    const id = ++lastId
    const workers = [...countingWorkers].filter((worker) => worker.isConnected())
    const counts = (await Promise.all(workers.map((worker) => countsOf(worker, id)))).filter((one) => one !== undefined)
    if (counts.length === 0) throw new Error('No process answered')
    return AggregatorRegistry.aggregate(counts).metrics()
  })
}

/** Lets the parent process read this one's metrics. */
export function shareMetrics(registry: Registry): void {
  process.on('message', (message: unknown) => {
    if (isCountsMessage(message) && message.id !== undefined) void sendCounts(message.id)
  })
  const sendCounts = async (id: number): Promise<void> => {
    const counts = await registry.getMetricsAsJSON()
    process.send?.({ callout: 'counts', id, counts } satisfies CountsMessage)
  }
  process.send?.({ callout: 'counts' } satisfies CountsMessage)
}

const isCountsMessage = (message: unknown): message is CountsMessage =>
  typeof message === 'object' && message !== null && 'callout' in message && message.callout === 'counts'
