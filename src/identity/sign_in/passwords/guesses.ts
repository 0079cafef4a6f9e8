import { Worker } from 'node:worker_threads'

/**
 * Estimated guesses for a password, as a power of ten, and what it consists of: `own` words, `dictionary`, `repeat`,
 * `sequence`, `spatial`, …
 */
export type Guesses = { log10: number; kinds: readonly string[] }

export type GuessRequest = { id: number; text: string; own: readonly string[] }
export type GuessReply = Guesses & { id: number }

/** Milliseconds that the lists of common passwords stay in memory after their last use. */
const IDLE_MS = 10_000

type PendingEstimate = { resolve: (guesses: Guesses) => void; reject: (error: Error) => void }
type GuessWorker = { worker: Worker; waiting: Map<number, PendingEstimate> }

let currentWorker: GuessWorker | null = null
let idleTimer: NodeJS.Timeout | undefined
let serial = 0

/**
 * Measures a password in a worker thread, so that no other request waits for it. `own` are the user's personal words.
 */
export function estimateGuesses(text: string, own: readonly string[]): Promise<Guesses> {
  const { worker, waiting } = (currentWorker ??= startWorker())
  clearTimeout(idleTimer)
  worker.ref()
  return new Promise((resolve, reject) => {
    const id = ++serial
    waiting.set(id, { resolve, reject })
    worker.postMessage({ id, text, own } satisfies GuessRequest, [])
  })
}

function startWorker(): GuessWorker {
  const started: GuessWorker = { worker: new Worker(new URL('guesses_worker.ts', import.meta.url)), waiting: new Map() }
  const { worker, waiting } = started
  worker.on('message', ({ id, ...guesses }: GuessReply) => {
    waiting.get(id)?.resolve(guesses)
    waiting.delete(id)
    if (waiting.size === 0) idleWorker(started)
  })
  worker.on('error', (error) => failPending(started, error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => failPending(started, new Error('The thread that rates passwords has ended')))
  return started
}

/** Lets the process exit while the thread is idle. */
function idleWorker({ worker }: GuessWorker): void {
  worker.unref()
  idleTimer = setTimeout(() => {
    currentWorker = null
    void worker.terminate()
  }, IDLE_MS).unref()
}

function failPending(failed: GuessWorker, error: Error): void {
  if (currentWorker === failed) currentWorker = null
  for (const { reject } of failed.waiting.values()) reject(error)
  failed.waiting.clear()
}
