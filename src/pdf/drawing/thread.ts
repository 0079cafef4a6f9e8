import { parentPort } from 'node:worker_threads'
import type { Paper } from '../paper.ts'
import { draw } from './draw.ts'

/** Says what a thread answers: the bytes of a paper, or why it couldn't be drawn. */
export type Drawn = { content: Uint8Array<ArrayBuffer> } | { fault: string }

parentPort!.on('message', (paper: Paper) => {
  void drawn(paper).then((answer) =>
    parentPort!.postMessage(answer, 'content' in answer ? [answer.content.buffer] : []),
  )
})

async function drawn(paper: Paper): Promise<Drawn> {
  try {
    return { content: new Uint8Array(await draw(paper)) }
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
