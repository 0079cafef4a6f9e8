import { parentPort } from 'node:worker_threads'
import type { PdfDocumentData } from '../document.ts'
import { drawDocument } from './draw.ts'

/** Result of a thread: the bytes of the PDF, or why it couldn't be drawn. */
export type DrawResult = { content: Uint8Array<ArrayBuffer> } | { fault: string }

parentPort!.on('message', (paper: PdfDocumentData) => {
  void answerRequest(paper).then((answer) =>
    parentPort!.postMessage(answer, 'content' in answer ? [answer.content.buffer] : []),
  )
})

async function answerRequest(paper: PdfDocumentData): Promise<DrawResult> {
  try {
    return { content: new Uint8Array(await drawDocument(paper)) }
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
