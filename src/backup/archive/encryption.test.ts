import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { decrypt, encrypt } from './encryption.ts'

const [key, other] = [randomBytes(32), randomBytes(32)]

async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = Math.max(1, sizes[i % sizes.length] ?? 1)
    yield bytes.subarray(at, at + size)
    at += size
  }
}

async function whole(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const chunk of chunks) pieces.push(chunk)
  return Buffer.concat(pieces)
}

const encryptBytes = (bytes: Buffer, sizes = [70_000]): Promise<Buffer> => whole(encrypt(cut(bytes, sizes), key))
const decryptBytes = (bytes: Buffer, having: Buffer | null = key, sizes = [50_000]): Promise<Buffer> =>
  whole(decrypt(cut(bytes, sizes), having))

const PIECE = 64 * 1024
const lengths = fc.oneof(fc.nat(300), fc.constantFrom(PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 3 * PIECE + 5))
const sizes = fc.array(fc.integer({ min: 1_000, max: 200_000 }), { minLength: 1, maxLength: 4 })

describe('an encrypted stream', () => {
  it('decrypts to the original bytes for any write and read chunk sizes', () =>
    fc.assert(
      fc.asyncProperty(lengths, sizes, sizes, async (length, written, read) => {
        const bytes = randomBytes(length)
        assert.ok((await decryptBytes(await encryptBytes(bytes, written), key, read)).equals(bytes))
      }),
      { numRuns: 60 },
    ))

  it('rejects a stream that is truncated or has a flipped bit', () =>
    fc.assert(
      fc.asyncProperty(lengths, fc.double({ min: 0, max: 1, noNaN: true }), async (length, part) => {
        const bytes = await encryptBytes(randomBytes(length + 1))
        const at = Math.min(bytes.length - 1, 52 + Math.floor(part * (bytes.length - 52)))
        await assert.rejects(decryptBytes(bytes.subarray(0, at)), /is truncated|not the key/)
        const bent = Buffer.from(bytes)
        bent[at]! ^= 1
        await assert.rejects(decryptBytes(bent), /it was changed or is truncated|not the key/)
      }),
      { numRuns: 60 },
    ))

  it('rejects reordered, missing and repeated chunks', async () => {
    const bytes = await encryptBytes(Buffer.alloc(4 * PIECE))
    const [head, size] = [52, PIECE + 16]
    const pieces = [0, 1, 2, 3].map((i) => bytes.subarray(head + i * size, head + (i + 1) * size))
    for (const order of [
      [1, 0, 2, 3],
      [0, 2, 3],
      [0, 1, 2],
      [0, 1, 1, 2, 3],
    ])
      await assert.rejects(
        decryptBytes(Buffer.concat([bytes.subarray(0, head), ...order.map((i) => pieces[i]!)])),
        /it was changed or is truncated|not the key/,
      )
  })

  it('names a missing or wrong key, and passes unencrypted data through', async () => {
    const bytes = await encryptBytes(Buffer.from('text'))
    assert.ok(!bytes.includes('text'))
    await assert.rejects(decryptBytes(bytes, null), /^Error: it is encrypted; set BACKUP_KEY$/)
    await assert.rejects(decryptBytes(bytes, other), /BACKUP_KEY is not the key that it was encrypted with/)
    for (const plain of [Buffer.alloc(0), Buffer.from('x'), randomBytes(100_000)])
      for (const having of [null, key]) assert.ok((await decryptBytes(plain, having)).equals(plain))
  })
})
