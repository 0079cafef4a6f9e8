import { Histogram, type Registry } from 'prom-client'
import type { Buckets } from '../../buckets.ts'

/** Counts of one set of labels. */
type Series = { labels: Readonly<Record<string, string>>; buckets: Buckets }

type HistogramOptions = { name: string; help: string; labelNames?: readonly string[]; bounds: readonly number[] }

/** Histogram whose durations are counted elsewhere, cheaply, and read on each scrape. */
class BucketHistogram extends Histogram {
  readonly #options: HistogramOptions
  readonly #read: () => Iterable<Series>

  constructor(options: HistogramOptions, registry: Registry, read: () => Iterable<Series>) {
    const { name, help, labelNames = [], bounds } = options
    super({ name, help, labelNames: [...labelNames], buckets: [...bounds], registers: [registry] })
    this.#options = options
    this.#read = read
  }

  /** Returns the samples. The library reads every histogram through this method, `get` included. */
  getForPromString() {
    const { name, help } = this.#options
    const values = [...this.#read()].flatMap((series) => samplesOf(name, series))
    return Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values })
  }
}

/** Adds a histogram of durations that are counted elsewhere. */
export const addBuckets = (options: HistogramOptions, registry: Registry, read: () => Iterable<Series>): Histogram =>
  new BucketHistogram(options, registry, read)

/** Returns the Prometheus samples of one series, with cumulative buckets. */
function samplesOf(name: string, { labels, buckets: { bounds, counts, sum } }: Series) {
  let count = 0
  const sharedLabels = {}
  const inBuckets = [...counts].map((inBucket, i) => {
    count += inBucket
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[i] ?? '+Inf' }, value: count, sharedLabels }
  })
  return [
    ...inBuckets,
    { metricName: `${name}_sum`, labels, value: sum, sharedLabels },
    { metricName: `${name}_count`, labels, value: count, sharedLabels },
  ]
}
