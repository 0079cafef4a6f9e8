import { finished, pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from, to } from 'pg-copy-streams'

/** Bytes of rows per part. */
const PART_BYTES = 4 * 1024 * 1024

/**
 * Runs a `copy … to stdout` and passes its rows to `take` in parts; the server waits while `take` runs. Returns the
 * number of rows.
 */
export async function copyOut(client: Client, text: string, take: (part: Buffer) => Promise<void>): Promise<number> {
  const rows = client.query(to(text))
  try {
    for await (const part of partsOf(rows.iterator({ destroyOnReturn: false }))) await take(part)
  } catch (error) {
    if (!rows.destroyed) await finished(rows.resume())
    throw error
  }
  return rows.rowCount
}

/**
 * Runs a `copy … from stdin` with parts as they arrive, no faster than the server accepts them. Returns the number of
 * rows written.
 */
export async function copyIn(client: Client, text: string, parts: AsyncIterable<Buffer>): Promise<number> {
  const rows = client.query(from(text))
  await pipeline(parts, rows)
  return rows.rowCount
}

/** Yields parts of whole rows; line feeds within values are escaped. */
async function* partsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let buffered: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    const end = size < PART_BYTES ? 0 : chunk.lastIndexOf('\n') + 1
    if (end > 0) {
      yield Buffer.concat([...buffered, chunk.subarray(0, end)])
      buffered = []
      size = chunk.length - end
    }
    buffered.push(chunk.subarray(end))
  }
  if (size > 0) yield Buffer.concat(buffered)
}
