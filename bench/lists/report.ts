import { ROUNDS } from './compare.ts'
import type { Measured } from './compare.ts'

/** A list of the large company may take so many times the small one's; more needs a reason that is told. */
const MOST = 5

/** Prints the medians, and what is wrong; anything wrong fails the run. */
export function report(measured: readonly Measured[], { tellsPlans }: { tellsPlans: boolean }): void {
  for (const tool of new Set(measured.map((one) => one.tool))) {
    console.log(`\n${tool}: 25 rows a page, ms, medians of ${ROUNDS} rounds`)
    console.table(Object.fromEntries(measured.filter((one) => one.tool === tool).map(({ name, large, small, grows, indexes }) =>
      [name, { large: rounded(large), small: rounded(small), ratio: rounded(large / small), 'grows, because it': grows ?? '', by: indexes.join(' ') }])))
  }
  if (tellsPlans) for (const { tool, name, plan } of measured) console.log(`\n${tool}, ${name}\n${plan.join('\n')}`)
  const faults = measured.flatMap(faultsOf)
  console.log(faults.length > 0 ? `\n${faults.join('\n')}` : '\nEvery list reaches its rows by indexes that tenant_id leads.')
  if (faults.length > 0) process.exitCode = 1
}

const faultsOf = ({ tool, name, large, small, grows, faults }: Measured): string[] => [
  ...faults.map((fault) => `${tool}, ${name}: ${fault}`),
  ...(large / small > MOST && grows === undefined ? [`${tool}, ${name}: ${rounded(large / small)} times the small company's`] : []),
]

const rounded = (value: number): number => Math.round(value * 100) / 100
