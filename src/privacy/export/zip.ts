import { Readable, Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { callbackify } from 'node:util'
import { ZipFile } from 'yazl'

/** Takes the bytes of an archive as they come. */
export type Sink = (bytes: Buffer) => Promise<void>

type Zip = {
  /** Adds a file; its bytes are read once, no faster than the sink takes them, which has the last of them later. */
  add(name: string, bytes: AsyncIterable<Buffer>): Promise<void>
  /** Writes the directory, with which the archive is whole. */
  end(): Promise<void>
}

/** Maximum bytes of one file of an archive: readers of the plain form can't open more. */
const MAX_FILE_BYTES = 0xffff_ffff

/**
 * Writes a ZIP archive front to back, with nothing of it in memory but its directory. Rejects with the fault of a
 * file's bytes or of the sink, after which the archive can't be gone on with.
 */
export function openZip(sink: Sink): Zip {
  const zip = new ZipFile()
  const output = pipeline(zip.outputStream, toWritable(sink))
  // Whoever adds a file or ends the archive gets the fault; in between nobody waits for it.
  output.catch(() => {})
  return {
    add: async (name, bytes) => {
      const file = Readable.from(countBytes(name, bytes))
      zip.addReadStream(file, name, { forceDosTimestamp: true })
      try {
        await Promise.race([finished(file), output])
      } finally {
        file.destroy()
      }
    },
    end: async () => {
      zip.end()
      await output
    },
  }
}

function toWritable(sink: Sink): Writable {
  const take = callbackify(sink)
  return new Writable({ write: (bytes: Buffer, _encoding, done) => take(bytes, done) })
}

async function* countBytes(name: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > MAX_FILE_BYTES) throw new Error(`The file ${name} is too long for an archive`)
    yield piece
  }
}
