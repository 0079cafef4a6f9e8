import { text } from 'node:stream/consumers'
import type { FirstPassword } from '../../identity/people/people.ts'

/** Reads a password option. `-` reads the first line of standard input, which no process list shows. */
export async function readPassword(option: string | undefined): Promise<FirstPassword> {
  if (option === undefined) return 'generated'
  if (option !== '-') return { chosen: option }
  const [chosen = ''] = (await text(process.stdin)).split(/\r?\n/)
  return { chosen }
}

/** Returns the password line of a command's output. */
export const passwordLine = (generated: string | null, { chosen }: { chosen: boolean }): string =>
  generated === null ? (chosen ? 'as given' : 'unchanged') : `${generated}  (shown once)`
