import type { Family, Labels, Sample } from './exposition.ts'

/** Counts events by labels, each of few values. */
export type Counter = { add(labels: Labels): void; family(): Family }

export function counter(name: string, help: string): Counter {
  const counts = new Map<string, Sample & { value: number }>()
  return {
    add: (labels) => {
      const key = Object.values(labels).join('\n')
      const known = counts.get(key)
      if (known === undefined) counts.set(key, { labels, value: 1 })
      else known.value++
    },
    family: () => ({ name, kind: 'counter', help, samples: [...counts.values()] }),
  }
}
