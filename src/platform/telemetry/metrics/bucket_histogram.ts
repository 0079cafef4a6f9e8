import { Histogram, type Registry } from 'prom-client'
import type { Buckets } from '../../buckets.ts'

/** Counts of one set of labels. */
type Series = { labels: Readonly<Record<string, string>>; buckets: Buckets }

type HistogramOptions = { name: string; help: string; labelNames?: readonly string[]; bounds: readonly number[] }

/** A histogram whose durations are counted elsewhere, cheaply, and read on each scrape. */
export class BucketHistogram extends Histogram {
  readonly #read: () => Iterable<Series>

  constructor(
    { name, help, labelNames = [], bounds }: HistogramOptions,
    registry: Registry,
    read: () => Iterable<Series>,
  ) {
    super({ name, help, labelNames: [...labelNames], buckets: [...bounds], registers: [registry] })
    this.#read = read
  }

  override async get() {
    const metric = await super.get()
    return { ...metric, values: [...this.#read()].flatMap((series) => valuesOf(metric.name, series)) }
  }
}

/** Returns the samples of one series as Prometheus has them: each bucket counts those below it too. */
function valuesOf(name: string, { labels, buckets: { bounds, counts, sum } }: Series) {
  let count = 0
  const samples = [...counts].map((inBucket, i) => {
    count += inBucket
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[i] ?? '+Inf' }, value: count }
  })
  return [
    ...samples,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
