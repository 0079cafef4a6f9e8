import { atBest } from './at_best.ts'
import { billing } from './billing.ts'
import { catalog } from './catalog.ts'
import { customers } from './customers.ts'
import type { Task } from './office.ts'
import { quotes } from './quotes.ts'
import { recurring } from './recurring.ts'
import { safety } from './safety.ts'
import { visits } from './visits.ts'

/** Tasks of a back office, done by a client that follows what tools/list, results and refusals say; docs/benchmarks.md tells their cost. */
export const TASKS: readonly Task[] = [
  ...visits,
  ...recurring,
  ...quotes,
  ...billing,
  ...catalog,
  ...customers,
  ...safety,
  ...atBest,
]
