import { newFairQueue } from '../../platform/db/connections/fair_queue.ts'

/**
 * Serves companies in turn, a part of a file each: reading it, or some of its records. However many files one company
 * brings, another one's next part waits for one part of each company at most.
 */
export const inTurn = newFairQueue({
  maxRunning: 2,
  maxOfCompany: 32,
  maxInAll: 256,
  refusal: 'Too many files are being imported',
})
