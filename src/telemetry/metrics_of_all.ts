import type { IncomingMessage, ServerResponse } from 'node:http'
import { AggregatorRegistry, type Registry } from 'prom-client'
import { metricsPage } from './metrics_page.ts'

type Answer = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/**
 * Answers GET /metrics for several processes together: what is counted is summed, and each measurement says by its
 * `aggregator` what becomes of it. The counts of a process that ended by itself go with it.
 */
export function metricsOfAll(): Answer {
  const registry = new AggregatorRegistry()
  return metricsPage(registry.contentType, () => registry.clusterMetrics())
}

/** Lets the process that started this one ask for what is counted here. */
export function tellMetrics(registry: Registry): void {
  AggregatorRegistry.setRegistries(registry)
  void new AggregatorRegistry()
}
