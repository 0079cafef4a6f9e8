import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '../../platform/errors/error_code.ts'
import { runJob, type BackupJob } from './job.ts'

/** Message to the service. */
export type JobAnswer = { result: Awaited<ReturnType<typeof runJob>> } | { error: string }

/** Milliseconds that a job gets to clean up once the service has gone or stops. */
const CLEANUP_MS = 4_000

/** Rank of this process among others: it takes the processor that the service leaves. */
const PRIORITY = 5

const stopping = new AbortController()
process.on('disconnect', () => stopping.abort())
// A Ctrl-C in a terminal is for the service, which ends this process.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort())

process.once('message', (job: BackupJob) => {
  try {
    setPriority(PRIORITY)
  } catch {
    // systemd may forbid it.
  }
  const working = runJob(job, stopping.signal).then(
    (result): JobAnswer => ({ result }),
    (error: unknown): JobAnswer => ({ error: errorMessage(error) }),
  )
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
  void Promise.race([working, stopped.then(() => sleep(CLEANUP_MS))]).then(async () => {
    if (process.connected) {
      const answer = await working
      process.send?.(answer, () => process.exit())
    } else process.exit(1)
  })
})
