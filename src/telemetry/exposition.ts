export type Labels = Readonly<Record<string, string>>

/** One line of a family; `part` is what follows the name in a histogram. */
export type Sample = { labels?: Labels; value: number; part?: '_bucket' | '_sum' | '_count' }

export type Family = { name: string; kind: 'counter' | 'gauge' | 'histogram'; help: string; samples: readonly Sample[] }

/** The content type of `exposition`. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Families in the text format of Prometheus (Exposition formats, text-based format 0.0.4). */
export const exposition = (families: readonly Family[]): string => families.map(textOf).join('')

function textOf({ name, kind, help, samples }: Family): string {
  const lines = samples.map(({ labels = {}, value, part = '' }) => `${name}${part}${labelsOf(labels)} ${numberOf(value)}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${lines.join('')}`
}

function labelsOf(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (mark) => (mark === '\n' ? '\\n' : `\\${mark}`))}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const numberOf = (value: number): string => (value === Infinity ? '+Inf' : String(value))
