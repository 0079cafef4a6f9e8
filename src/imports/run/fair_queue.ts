import { newFairQueue } from '../../platform/db/connections/fair_queue.ts'

/**
 * Lets companies take turns: each turn reads a file or processes some of its records. However many files one company
 * imports, another one waits for at most one turn of each company.
 */
export const runInFairQueue = newFairQueue({
  maxRunning: 2,
  maxPerCompany: 32,
  maxTotal: 256,
  refusal: 'Too many files are being imported',
})
