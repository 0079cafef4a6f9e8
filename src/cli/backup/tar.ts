/** What is read is no archive, or not a whole one. */
export class Damaged extends Error {}

/** A file of an archive; the name has no `..` and at most 255 bytes. */
export type Entry = { name: string; bytes: Buffer }

const BLOCK = 512
/** Parts of the name after its last slash, and before it. */
const SHORT = 100
const LONG = 155

/** An entry as it stands in a tar archive (POSIX.1-2017 pax, "ustar Interchange Format"). */
export function blocksOf({ name, bytes }: Entry): Buffer[] {
  const at = name.length > SHORT ? name.lastIndexOf('/') : -1
  const [prefix, rest] = [name.slice(0, Math.max(at, 0)), name.slice(at + 1)]
  if (rest.length > SHORT || prefix.length > LONG) throw new Error(`The name ${name} is too long for an archive`)
  const header = Buffer.alloc(BLOCK)
  header.write(rest, 0, 'latin1')
  header.write('0000600\0', 100)
  header.write('0000000\0'.repeat(2), 108)
  header.write(`${octal(bytes.length, 11)}\0${octal(Math.floor(Date.now() / 1000), 11)}\0`, 124)
  header.write('0ustar\0', 156, 1)
  header.write('ustar\x0000', 257)
  header.write(prefix, 345, 'latin1')
  header.write(`${octal(sumOf(header), 6)}\0 `, 148)
  return [header, bytes, Buffer.alloc(padding(bytes.length))]
}

/** What ends an archive. */
export const END = Buffer.alloc(2 * BLOCK)

/** The entries of an archive as they come, one at a time in memory. Throws when it is none or ends too early. */
export async function* entriesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const { take, drain } = reading(chunks)
  for (;;) {
    const header = await take(BLOCK)
    if (header.every((byte) => byte === 0)) return drain()
    if (header.toString('latin1', 257, 262) !== 'ustar' || numberAt(header, 148, 8) !== sumOf(header)) throw new Damaged('it is not a backup')
    const size = numberAt(header, 124, 12)
    const [prefix, rest] = [textAt(header, 345, LONG), textAt(header, 0, SHORT)]
    const bytes = await take(size)
    await take(padding(size))
    yield { name: prefix === '' ? rest : `${prefix}/${rest}`, bytes }
  }
}

/** Takes so many bytes after another from chunks of any length; at last all that are left, which proves them sound. */
function reading(chunks: AsyncIterable<Buffer>) {
  const source = chunks[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  return {
    take: async (size: number): Promise<Buffer> => {
      const parts = [held]
      let length = held.length
      while (length < size) {
        const { value, done } = await source.next()
        if (done === true) throw new Damaged('it ends too early')
        parts.push(value)
        length += value.length
      }
      const all = parts.length === 1 ? held : Buffer.concat(parts, length)
      held = all.subarray(size)
      return all.subarray(0, size)
    },
    drain: async (): Promise<void> => {
      while ((await source.next()).done !== true);
    },
  }
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')

const textAt = (header: Buffer, at: number, most: number): string => header.toString('latin1', at, at + most).replace(/\0.*$/s, '')

const numberAt = (header: Buffer, at: number, most: number): number => Number.parseInt(textAt(header, at, most), 8)

/** The sum of a header's bytes, those of the sum itself counted as spaces. */
const sumOf = (header: Buffer): number => header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
