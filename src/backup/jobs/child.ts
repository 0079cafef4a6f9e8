import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '../../platform/errors/error_code.ts'
import { runJob, type BackupJob } from './job.ts'

/** Answer to the service. */
export type JobAnswer = { result: Awaited<ReturnType<typeof runJob>> } | { error: string }

/** Milliseconds a job has to clean up once the service has exited or is stopping. */
const CLEANUP_MS = 4_000

/** Niceness of this process, so that the service gets the CPU first. */
const PRIORITY = 5

const stopping = new AbortController()
process.on('disconnect', () => stopping.abort())
// A Ctrl-C in a terminal is meant for the service, which stops this process.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort())

process.once('message', (job: BackupJob) => void work(job))

/** Runs the job and answers the service. Exits without an answer when the service has exited or is stopping. */
async function work(job: BackupJob): Promise<void> {
  try {
    setPriority(PRIORITY)
  } catch {
    // systemd may forbid this.
  }
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
  const running = runToAnswer(job)
  const answer = await Promise.race([running, cleanupTimeout(stopped)])
  if (answer === undefined || !process.connected) process.exit(1)
  process.send?.(answer, () => process.exit())
}

async function runToAnswer(job: BackupJob): Promise<JobAnswer> {
  try {
    return { result: await runJob(job, stopping.signal) }
  } catch (error) {
    return { error: errorMessage(error) }
  }
}

async function cleanupTimeout(stopped: Promise<void>): Promise<undefined> {
  await stopped
  await sleep(CLEANUP_MS)
  return undefined
}
