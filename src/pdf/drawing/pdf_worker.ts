import { Worker } from 'node:worker_threads'
import { newFairQueue } from '../../platform/db/connections/fair_queue.ts'
import { environmentNow } from '../../platform/config/config.ts'
import { documents } from '../../platform/config/topics/documents.ts'
import type { PdfDocumentData } from '../document.ts'
import { findFallbackFont } from './fallback_font.ts'
import type { DrawResult } from './thread.ts'

/**
 * Serves companies in turn, so that nobody waits for all of another company's documents
 * (docs/spec/documents.md#drawing).
 */
const inTurn = newFairQueue({
  maxRunning: 1,
  maxOfCompany: 32,
  maxInAll: 256,
  refusal: 'Too many documents wait to be drawn',
})

const WITHIN_MS = 30_000
const IDLE_MS = 60_000

let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined

/**
 * Draws a company's paper in a thread of its own, one after another, so that requests go on meanwhile. `Unavailable`
 * when too many wait; the thread begins with the first and ends when nothing was drawn for a minute.
 */
export const drawInWorker = (company: string, paper: PdfDocumentData): Promise<Uint8Array> =>
  inTurn(company, () => askWorker(paper))

async function askWorker(paper: PdfDocumentData): Promise<Uint8Array> {
  clearTimeout(idle)
  const worker = (thread ??= startWorker())
  worker.ref()
  try {
    const drawn = await answerOf(worker, paper)
    if ('fault' in drawn) throw new Error(`A paper could not be drawn: ${drawn.fault}`)
    return drawn.content
  } finally {
    worker.unref()
    idle = setTimeout(stopWorker, IDLE_MS).unref()
  }
}

/** Starts the thread, which keeps no process alive. */
function startWorker(): Worker {
  const begun = new Worker(new URL('thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    workerData: findFallbackFont(documents.read(environmentNow()).pdfFallbackFont),
  })
  begun.unref()
  begun.once('exit', () => {
    if (thread === begun) thread = undefined
  })
  return begun
}

function stopWorker(): void {
  void thread?.terminate()
  thread = undefined
}

/** Awaits the one answer; a thread that fails or takes too long is ended, and the next paper gets another. */
function answerOf(worker: Worker, paper: PdfDocumentData): Promise<DrawResult> {
  const { promise, resolve, reject } = Promise.withResolvers<DrawResult>()
  const late = setTimeout(() => fail(new Error('A paper took too long to draw')), WITHIN_MS)
  const fail = (error: unknown): void => {
    reject(error instanceof Error ? error : new Error(String(error)))
    if (thread === worker) stopWorker()
  }
  const onExit = (): void => fail(new Error('The drawing thread ended'))
  worker.once('message', resolve).once('error', fail).once('exit', onExit)
  worker.postMessage(paper, [])
  return promise.finally(() => {
    clearTimeout(late)
    worker.off('message', resolve).off('error', fail).off('exit', onExit)
  })
}
