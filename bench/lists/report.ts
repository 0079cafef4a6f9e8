import { ROUNDS, type Measured } from './compare.ts'

/** Maximum ratio of a page's time in the large company to that in the small one. More needs a reason in `grows`. */
const MAX_RATIO = 5

/** Prints the medians and the faults. A fault fails the run. */
export function report(measured: readonly Measured[], { showsPlans }: { showsPlans: boolean }): void {
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
  if (showsPlans) {
    for (const { tool, name, plan } of measured) console.log(`\n${tool}, ${name}\n${plan.join('\n')}`)
    console.log('\nSummary for the large company: each index that was read, with rows returned of rows examined')
    for (const { tool, name, summary } of measured) console.log(`${tool}, ${name}: ${summary.join(', ')}`)
  }
  const faults = measured.flatMap((one) =>
    faultsOf(
      one,
      measured.find(({ tool, name }) => tool === one.tool && name === 'newest')!,
    ),
  )
  console.log(
    faults.length > 0
      ? `\n${faults.join('\n')}`
      : '\nEvery list finds its rows through indexes that start with tenant_id.',
  )
  if (faults.length > 0) process.exitCode = 1
}

/** Compares a page with the newest page of its list if the small company has too few rows to fill one. */
function faultsOf({ tool, name, large, small, grows, faults }: Measured, newest: Measured): string[] {
  const times = large / Math.max(small, newest.small)
  const slow =
    times > MAX_RATIO && grows === undefined ? [`${round(times)} times as slow as a page of the small company`] : []
  return [...faults, ...slow].map((fault) => `${tool}, ${name}: ${fault}`)
}

const round = (value: number): number => Math.round(value * 100) / 100
