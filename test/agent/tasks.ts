import { atBest } from './tasks/at_best.ts'
import { billing } from './tasks/billing.ts'
import { catalog } from './tasks/catalog.ts'
import { customers } from './tasks/customers.ts'
import type { Task } from './tasks/office.ts'
import { quotes } from './tasks/quotes.ts'
import { recurring } from './tasks/recurring.ts'
import { safety } from './safety.ts'
import { visits } from './tasks/visits.ts'

/** Tasks for a client that knows tools/list, results and refusals; test/agent/costs.md has their cost. */
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
