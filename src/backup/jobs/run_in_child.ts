import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { BackupResult } from '../status.ts'
import type { JobAnswer } from './child.ts'
import type { BackupJob } from './job.ts'

/** Milliseconds to wait before a process that doesn't stop is killed. */
const STOP_TIMEOUT_MS = 10_000

/** Maximum characters to keep of a process's error output. */
const MAX_STDERR = 2_000

/**
 * Runs a job in a child process at lower priority, so that requests don't wait for it. The child exits when this
 * process dies.
 */
export async function runInChild(job: BackupJob, signal: AbortSignal): Promise<BackupResult> {
  const child = fork(fileURLToPath(new URL('child.ts', import.meta.url)), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let [answer, stderr] = [undefined as JobAnswer | undefined, '']
  child.on('message', (message: JobAnswer) => {
    answer = message
  })
  child.stderr?.on('data', (piece: Buffer) => {
    stderr = `${stderr}${piece.toString()}`.slice(-MAX_STDERR)
  })
  // A child disconnected from here never emits 'close'. Its answer has arrived once the channel has closed.
  const exited = Promise.all([
    once(child, 'exit'),
    once(child, 'disconnect'),
    child.stderr === null ? undefined : once(child.stderr, 'end'),
  ])
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect()
    await Promise.race([exited, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
    child.kill('SIGKILL')
  }
  const onAbort = (): void => void stop()
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  else child.send(job)
  const [[code, killSignal]] = await exited.finally(() => signal.removeEventListener('abort', onAbort))
  if (answer === undefined)
    throw new Error(`The ${job.kind} process ended (${String(killSignal ?? code)}) ${stderr.trim()}`.trim())
  if ('error' in answer) throw new Error(answer.error)
  return answer.result
}
