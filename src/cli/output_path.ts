import { resolve } from 'node:path'
import { invalidField } from '../platform/errors/refusal.ts'

/**
 * Returns the path of a file that a command writes. Throws `Refusal` for `-`: archives are checked as files when they
 * are done.
 */
export function outputPath(to: string): string {
  if (to === '-') throw invalidField('to', 'must be a file: an archive is not written to standard output')
  return resolve(to)
}
