import { newFairQueue } from '../../platform/db/connections/fair_queue.ts'
import { environmentNow } from '../../platform/config/config.ts'
import { documents } from '../../platform/config/topics/documents.ts'
import { newWorkerThread } from '../../platform/threads/worker_thread.ts'
import type { PdfDocumentData } from '../document.ts'
import { findFallbackFont } from './fallback_font.ts'
import type { DrawResult } from './thread.ts'

/**
 * Queue that takes turns between companies, so that none waits for all of another's documents
 * (docs/spec/documents.md#rendering).
 */
const runInTurn = newFairQueue({
  maxRunning: 1,
  maxPerCompany: 32,
  maxTotal: 256,
  refusal: 'Too many PDFs are waiting to be drawn',
})

const runInThread = newWorkerThread<PdfDocumentData, DrawResult>({
  url: new URL('thread.ts', import.meta.url),
  timeoutMs: 30_000,
  subject: 'a PDF',
  maxHeapMb: 256,
  data: () => findFallbackFont(documents.read(environmentNow()).pdfFallbackFont),
})

/** Draws a company's document in the worker thread, one at a time. Throws `Unavailable` if too many wait. */
export const drawInWorker = (company: string, document: PdfDocumentData): Promise<Uint8Array> =>
  runInTurn(company, async () => {
    const drawn = await runInThread(document)
    if ('fault' in drawn) throw new Error(`The PDF could not be drawn: ${drawn.fault}`)
    return drawn.content
  })
