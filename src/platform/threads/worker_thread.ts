import { Worker } from 'node:worker_threads'

type WorkerThreadOptions = {
  /** Module that the thread runs. It answers each message with one message. */
  url: URL
  /** Timeout in milliseconds. A late thread is terminated, and the next request gets another. */
  timeoutMs: number
  /** Name of a request in error messages. */
  subject: string
  maxHeapMb: number
  /** Data that each thread starts with. */
  data?: () => unknown
}

/** Milliseconds after which an idle thread ends. */
const IDLE_MS = 60_000

/** Sends a request to the thread, one at a time. `Reply` is the message that its module posts. */
type CallThread<Request, Reply> = (request: Request) => Promise<Reply>

/**
 * Returns a function that sends requests to a separate thread, so that other work continues meanwhile. The thread
 * starts with the first request, doesn't keep the process alive when idle, and ends after an idle minute.
 */
export function newWorkerThread<Request, Reply>(options: WorkerThreadOptions): CallThread<Request, Reply> {
  const { url, timeoutMs, subject, maxHeapMb, data } = options
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const started = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb }, workerData: data?.() })
    const forget = (): void => {
      if (thread === started) thread = undefined
    }
    started.unref()
    // Without a listener, an error between requests or after a timeout would end the process.
    started.on('error', forget).once('exit', forget)
    return started
  }

  function stop(): void {
    void thread?.terminate()
    thread = undefined
  }

  /** Sends a request and waits for its answer. Terminates a thread that fails or takes too long. */
  function call(worker: Worker, request: Request): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const timer = setTimeout(() => fail(new Error(`${subject} took too long`)), timeoutMs)
    const fail = (error: unknown): void => {
      reject(error instanceof Error ? error : new Error(String(error)))
      if (thread === worker) stop()
    }
    const onExit = (): void => fail(new Error(`The thread of ${subject} ended`))
    worker.once('message', resolve).once('error', fail).once('exit', onExit)
    worker.postMessage(request, [])
    return promise.finally(() => {
      clearTimeout(timer)
      worker.off('message', resolve).off('error', fail).off('exit', onExit)
    })
  }

  return async (request) => {
    clearTimeout(idle)
    const worker = (thread ??= start())
    worker.ref()
    try {
      return await call(worker, request)
    } finally {
      worker.unref()
      idle = setTimeout(stop, IDLE_MS).unref()
    }
  }
}
