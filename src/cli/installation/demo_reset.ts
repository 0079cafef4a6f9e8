import { newFairQueue } from '../../platform/db/connections/fair_queue.ts'
import { newWorkerThread } from '../../platform/threads/worker_thread.ts'
import type { DemoResetResult, DemoResetSetup } from './demo_reset_thread.ts'

/** Returns a function that resets a demo company in a thread, because this takes a third of a second of CPU time. */
export function newDemoReset(setup: DemoResetSetup): (tenant: string) => Promise<void> {
  const callThread = newWorkerThread<string, DemoResetResult>({
    url: new URL('demo_reset_thread.ts', import.meta.url),
    timeoutMs: 60_000,
    subject: 'a demo reset',
    maxHeapMb: 256,
    data: () => setup,
  })
  const enqueue = newFairQueue({
    maxRunning: 1,
    maxPerCompany: 1,
    maxTotal: 16,
    refusal: 'Too many demos are being reset',
  })
  return (tenant) =>
    enqueue(tenant, async () => {
      const { fault } = await callThread(tenant)
      if (fault !== undefined) throw new Error(`A demo could not be reset: ${fault}`)
    })
}
