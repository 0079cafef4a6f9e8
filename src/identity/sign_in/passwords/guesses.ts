import { Worker } from 'node:worker_threads'

/**
 * Says how many guesses a password takes, as a power of ten, and what it consists of: `own` words, `dictionary`,
 * `repeat`, `sequence`, `spatial`, …
 */
export type Guesses = { log10: number; kinds: readonly string[] }

export type Question = { id: number; text: string; own: readonly string[] }
export type GuessReply = Guesses & { id: number }

/** Is in milliseconds: so long the lists of common passwords stay in memory after their last use. */
const KEPT = 10_000

type Waiting = { resolve: (guesses: Guesses) => void; reject: (error: Error) => void }
type Running = { worker: Worker; waiting: Map<number, Waiting> }

let running: Running | null = null
let end: NodeJS.Timeout | undefined
let serial = 0

/** Measures a password in a thread of its own, so that nobody else waits for it. `own` are words that belong to its person. */
export function guessesFor(text: string, own: readonly string[]): Promise<Guesses> {
  const { worker, waiting } = (running ??= start())
  clearTimeout(end)
  worker.ref()
  return new Promise((resolve, reject) => {
    const id = ++serial
    waiting.set(id, { resolve, reject })
    worker.postMessage({ id, text, own } satisfies Question, [])
  })
}

function start(): Running {
  const started: Running = { worker: new Worker(new URL('guesses_worker.ts', import.meta.url)), waiting: new Map() }
  const { worker, waiting } = started
  worker.on('message', ({ id, ...guesses }: GuessReply) => {
    waiting.get(id)!.resolve(guesses)
    waiting.delete(id)
    if (waiting.size === 0) rest(started)
  })
  worker.on('error', (error) => fail(started, error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => fail(started, new Error('The thread that measures passwords has ended')))
  return started
}

/** Lets the process end while the thread idles. */
function rest({ worker }: Running): void {
  worker.unref()
  end = setTimeout(() => {
    running = null
    void worker.terminate()
  }, KEPT).unref()
}

function fail(failed: Running, error: Error): void {
  if (running === failed) running = null
  for (const { reject } of failed.waiting.values()) reject(error)
  failed.waiting.clear()
}
