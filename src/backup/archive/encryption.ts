import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { DamagedArchive } from './tar.ts'

/** Magic bytes of an encrypted file. */
const MAGIC = Buffer.from('callout-encrypted-1\n')
const SALT_BYTES = 32
const TAG_BYTES = 16
/** Piece size in bytes. Each piece has its own authentication tag, so that no unverified data is passed on. */
const PIECE_BYTES = 64 * 1024

type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>

/**
 * Encrypts a stream with AES-256-GCM, piece by piece, under a key derived for this file. Without a key, passes it on
 * unchanged. The nonce contains the piece number and a last-piece flag (the STREAM construction of Hoang et al., 2015),
 * so that pieces can't be removed, reordered or truncated.
 */
export async function* encrypt(chunks: Chunks, key: Buffer | null): AsyncGenerator<Buffer> {
  if (key === null) return yield* chunks
  const salt = randomBytes(SALT_BYTES)
  const fileKey = deriveKey(key, salt)
  yield Buffer.concat([MAGIC, salt])
  let number = 0
  for await (const { piece, isLast } of piecesOf(chunks, PIECE_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', fileKey, nonceOf(number++, isLast))
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
  }
}

/** Decrypts a stream written by `encrypt`. Passes an unencrypted stream on unchanged. Throws `DamagedArchive`. */
export async function* decrypt(chunks: AsyncIterable<Buffer>, key: Buffer | null): AsyncGenerator<Buffer> {
  const { head, rest } = await splitHead(chunks, MAGIC.length + SALT_BYTES)
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) {
    if (head.length > 0) yield head
    return yield* rest
  }
  if (key === null) throw new DamagedArchive('it is encrypted; set BACKUP_KEY')
  const fileKey = deriveKey(key, head.subarray(MAGIC.length))
  let number = 0
  for await (const { piece, isLast } of piecesOf(rest, PIECE_BYTES + TAG_BYTES)) {
    if (piece.length < TAG_BYTES) throw new DamagedArchive('it is truncated')
    const cipher = createDecipheriv('aes-256-gcm', fileKey, nonceOf(number++, isLast), { authTagLength: TAG_BYTES })
    cipher.setAuthTag(piece.subarray(-TAG_BYTES))
    const text = cipher.update(piece.subarray(0, -TAG_BYTES))
    try {
      cipher.final()
    } catch {
      throw new DamagedArchive(
        number === 1 ? 'BACKUP_KEY is not the key that it was encrypted with' : 'it was changed or is truncated',
      )
    }
    yield text
  }
}

const deriveKey = (key: Buffer, salt: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, 'callout backup', 32))

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 4, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Splits a stream into pieces of one size; the last one may be shorter or empty. */
async function* piecesOf(chunks: Chunks, size: number): AsyncGenerator<{ piece: Buffer; isLast: boolean }> {
  let pending: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    pending.push(chunk)
    length += chunk.length
    if (length <= size) continue
    const all = Buffer.concat(pending, length)
    let at = 0
    // A full piece waits for more data, because only the end of the stream shows which piece is last.
    for (; length - at > size; at += size) yield { piece: all.subarray(at, at + size), isLast: false }
    pending = [all.subarray(at)]
    length -= at
  }
  yield { piece: Buffer.concat(pending, length), isLast: true }
}

/** Splits a stream into its first `size` bytes (fewer if it is shorter) and the rest. */
async function splitHead(
  chunks: AsyncIterable<Buffer>,
  size: number,
): Promise<{ head: Buffer; rest: AsyncIterable<Buffer> }> {
  const source = chunks[Symbol.asyncIterator]()
  let buffered = Buffer.alloc(0)
  while (buffered.length < size) {
    const next = await source.next()
    if (next.done === true) break
    buffered = Buffer.concat([buffered, next.value])
  }
  async function* rest(): AsyncGenerator<Buffer> {
    if (buffered.length > size) yield buffered.subarray(size)
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value
  }
  return { head: buffered.subarray(0, size), rest: rest() }
}
