import { ROUNDS, type Measured } from './compare.ts'

/** Maximum ratio of a page's time in the large company to that in the small one. More needs a reason in `grows`. */
const MOST = 5

/** Prints the medians and the faults. A fault fails the run. */
export function report(measured: readonly Measured[], { tellsPlans }: { tellsPlans: boolean }): void {
  for (const tool of new Set(measured.map((one) => one.tool))) {
    console.log(`\n${tool}: 25 rows a page, ms, medians of ${ROUNDS} rounds`)
    console.table(
      Object.fromEntries(
        measured
          .filter((one) => one.tool === tool)
          .map(({ name, large, small, grows }) => [
            name,
            { large: round(large), small: round(small), ratio: round(large / small), 'grows, because it': grows ?? '' },
          ]),
      ),
    )
  }
  if (tellsPlans) {
    for (const { tool, name, plan } of measured) console.log(`\n${tool}, ${name}\n${plan.join('\n')}`)
    console.log(
      '\nIn short, for the large company: each index that was read, with the rows that it gave, of those that were looked at',
    )
    for (const { tool, name, short } of measured) console.log(`${tool}, ${name}: ${short.join(', ')}`)
  }
  const faults = measured.flatMap((one) =>
    faultsOf(
      one,
      measured.find(({ tool, name }) => tool === one.tool && name === 'newest')!,
    ),
  )
  console.log(
    faults.length > 0 ? `\n${faults.join('\n')}` : '\nEvery list reaches its rows by indexes that tenant_id leads.',
  )
  if (faults.length > 0) process.exitCode = 1
}

/** Compares a page with the newest page of its list if the small company has too few rows to fill one. */
function faultsOf({ tool, name, large, small, grows, faults }: Measured, newest: Measured): string[] {
  const times = large / Math.max(small, newest.small)
  const slow = times > MOST && grows === undefined ? [`${round(times)} times a page of the small company`] : []
  return [...faults, ...slow].map((fault) => `${tool}, ${name}: ${fault}`)
}

const round = (value: number): number => Math.round(value * 100) / 100
