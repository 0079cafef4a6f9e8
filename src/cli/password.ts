import { text } from 'node:stream/consumers'
import type { FirstPassword } from '../access/people/people.ts'

/** A password option as given: `-` is the first line of standard input, which no list of processes shows. */
export async function firstPassword(given: string | undefined): Promise<FirstPassword> {
  if (given === undefined) return 'generated'
  return { chosen: given === '-' ? (await text(process.stdin)).split(/\r?\n/)[0]! : given }
}

/** What people are told of the password. */
export const passwordLine = (generated: string | null, { chosen }: { chosen: boolean }): string =>
  generated === null ? chosen ? 'as given' : 'the one they have' : `${generated}  (shown once)`
