import type { Storage } from '../../platform/storage/storage.ts'
import { partKey } from './company_exports.ts'
import type { Sink } from './zip.ts'

/** Part size in bytes, which limits how much of an archive is in memory. */
const PART_BYTES = 8 * 2 ** 20

/** Splits bytes into parts and stores each one. Calls `expect` before it stores a part. */
export function openPartWriter(
  storage: Storage,
  keyOf: (part: number) => string,
  expect: (key: string) => Promise<unknown>,
) {
  let chunks: Buffer[] = []
  let [buffered, parts, bytes] = [0, 0, 0]
  const store = async (): Promise<void> => {
    const key = keyOf(parts++)
    const part = Buffer.concat(chunks)
    chunks = []
    buffered = 0
    await expect(key)
    await storage.save(key, part, 'application/octet-stream')
  }
  const sink: Sink = async (piece) => {
    for (let at = 0; at < piece.length;) {
      const chunk = piece.subarray(at, at + PART_BYTES - buffered)
      chunks.push(chunk)
      at += chunk.length
      buffered += chunk.length
      bytes += chunk.length
      if (buffered === PART_BYTES) await store()
    }
  }
  return {
    sink,
    /** Stores the remaining bytes. Returns the number of parts and their total bytes. */
    end: async (): Promise<{ parts: number; bytes: number }> => {
      if (buffered > 0) await store()
      return { parts, bytes }
    },
  }
}

/** Reads the parts of an archive in order, as fast as the consumer takes them. */
export async function* readParts(
  storage: Storage,
  tenant: string,
  { id, parts }: { id: string; parts: number },
): AsyncGenerator<Uint8Array> {
  for (let part = 0; part < parts; part++) {
    const storedPart = await storage.get(partKey(tenant, id, part))
    if (storedPart === undefined) throw new Error(`Part ${part} of the archive ${id} is not in storage`)
    yield* storedPart
  }
}
