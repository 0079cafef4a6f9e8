import { DamagedArchive } from './tar.ts'

/** Collects a stream. Throws `DamagedArchive` if it is longer than `max` bytes. */
export async function collectBytes(chunks: AsyncIterable<Buffer>, max = Infinity): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > max) throw new DamagedArchive('it has a file that is too large')
    pieces.push(chunk)
  }
  return Buffer.concat(pieces, length)
}
