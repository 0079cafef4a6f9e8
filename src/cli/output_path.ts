import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import { invalidField } from '../platform/errors/refusal.ts'

/**
 * Returns the path of a file a command writes. Throws `Refusal` for `-`, because a finished archive is checked as a
 * file.
 */
export function outputPath(to: string): string {
  if (to === '-') throw invalidField('to', "must be a file; the archive can't go to standard output")
  return resolve(to)
}

/** Opens standard output for an archive. Throws `Refusal` if it is a terminal. */
export function openOutput(): Writable {
  const { stdout } = process
  if (stdout.isTTY)
    throw invalidField('to', 'must be a file, or - with standard output redirected to a file or program')
  // If the reader goes away, the writes report it.
  stdout.on('error', () => {})
  return new Writable({ write: (chunk: Buffer, _encoding, done) => void stdout.write(chunk, done) })
}
