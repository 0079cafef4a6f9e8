import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import { invalidField } from '../platform/errors/refusal.ts'

/**
 * Returns the path of a file a command writes. Throws `Refusal` for `-`, because a finished archive is checked as a
 * file.
 */
export function outputPath(to: string): string {
  if (to === '-') throw invalidField('to', 'must be a file: an archive is not written to standard output')
  return resolve(to)
}

/** Opens standard output for an archive. Throws `Refusal` if it is a terminal. */
export function openOutput(): Writable {
  const { stdout } = process
  if (stdout.isTTY) throw invalidField('to', 'must be a file, or standard output that leads to a program or a file')
  // If the reader goes away, the writes report it.
  stdout.on('error', () => {})
  return new Writable({ write: (chunk: Buffer, _encoding, done) => void stdout.write(chunk, done) })
}
