import { Readable, Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { callbackify } from 'node:util'
import { ZipFile } from 'yazl'

/** Receives the bytes of an archive as they are produced. */
export type Sink = (bytes: Buffer) => Promise<void>

type Zip = {
  /** Adds a file. Its bytes are read once, at the sink's pace. The sink may get the last of them later. */
  add(name: string, bytes: AsyncIterable<Buffer>): Promise<void>
  /** Writes the central directory, which completes the archive. */
  end(): Promise<void>
}

/** Maximum bytes of one file: the limit of a ZIP without the ZIP64 extension. */
const MAX_FILE_BYTES = 0xffff_ffff

/**
 * Writes a ZIP archive as a stream, with only its directory in memory. Rejects with the error of a file's bytes or of
 * the sink. The archive is unusable after that.
 */
export function openZip(sink: Sink): Zip {
  const zip = new ZipFile()
  const output = pipeline(zip.outputStream, toWritable(sink))
  // The callers of `add` and `end` get the error. Between calls nobody awaits it.
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
  const write = callbackify(sink)
  return new Writable({ write: (bytes: Buffer, _encoding, done) => write(bytes, done) })
}

async function* countBytes(name: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > MAX_FILE_BYTES) throw new Error(`The file ${name} is too large for an archive`)
    yield piece
  }
}
