import { Worker } from 'node:worker_threads'

type WorkerThreadOptions = {
  /** Module that the thread runs: it answers each message by one. */
  url: URL
  /** Milliseconds after which an answer is late: the thread is ended, and the next request gets another. */
  withinMs: number
  /** What a request is, in a fault. */
  subject: string
  maxHeapMb: number
  /** Data that each thread starts with. */
  data?: () => unknown
}

/** Milliseconds after which a thread that has nothing to do ends. */
const IDLE_MS = 60_000

/** Asks the thread; requests come one after another. `Reply` is what its module posts. */
type AskThread<Request, Reply> = (request: Request) => Promise<Reply>

/**
 * Returns the function that asks a thread of its own, so that requests of others go on meanwhile. The thread starts
 * with the first request, keeps no process alive, and ends when it had nothing to do for a minute.
 */
export function newWorkerThread<Request, Reply>(options: WorkerThreadOptions): AskThread<Request, Reply> {
  const { url, withinMs, subject, maxHeapMb, data } = options
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const started = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb }, workerData: data?.() })
    const forget = (): void => {
      if (thread === started) thread = undefined
    }
    started.unref()
    // Without a listener, a fault that comes between two requests or after a late one would end the process.
    started.on('error', forget).once('exit', forget)
    return started
  }

  function stop(): void {
    void thread?.terminate()
    thread = undefined
  }

  /** Awaits the one answer; a thread that fails or takes too long is ended. */
  function answerOf(worker: Worker, request: Request): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const late = setTimeout(() => fail(new Error(`${subject} took too long`)), withinMs)
    const fail = (error: unknown): void => {
      reject(error instanceof Error ? error : new Error(String(error)))
      if (thread === worker) stop()
    }
    const onExit = (): void => fail(new Error(`The thread of ${subject} ended`))
    worker.once('message', resolve).once('error', fail).once('exit', onExit)
    worker.postMessage(request, [])
    return promise.finally(() => {
      clearTimeout(late)
      worker.off('message', resolve).off('error', fail).off('exit', onExit)
    })
  }

  return async (request) => {
    clearTimeout(idle)
    const worker = (thread ??= start())
    worker.ref()
    try {
      return await answerOf(worker, request)
    } finally {
      worker.unref()
      idle = setTimeout(stop, IDLE_MS).unref()
    }
  }
}
