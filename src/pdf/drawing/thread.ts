import { parentPort, workerData } from 'node:worker_threads'
import type { PdfDocumentData } from '../document.ts'
import { drawDocument } from './draw.ts'
import { readFallbackFont } from './fallback_font.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** Result of the worker thread: the bytes of the PDF, or the error. */
export type DrawResult = { content: Uint8Array<ArrayBuffer> } | { fault: string }

const port = requireValue(parentPort, 'The port to the main thread')
const fallback = readFallbackFont(workerData)

port.on('message', (data: PdfDocumentData) => {
  void answerRequest(data).then((answer) =>
    port.postMessage(answer, 'content' in answer ? [answer.content.buffer] : []),
  )
})

async function answerRequest(data: PdfDocumentData): Promise<DrawResult> {
  try {
    return { content: new Uint8Array(await drawDocument(data, fallback)) }
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
