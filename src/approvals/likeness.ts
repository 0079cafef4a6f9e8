import { createHash } from 'node:crypto'
import type { Refusal } from '../platform/errors/refusal.ts'
import type { Outcome, Written } from '../tools/call/outcome.ts'

/** Returns the records that an outcome wrote. */
export const writtenBy = ({ written, also = [] }: Outcome): Written[] =>
  written === undefined ? [] : [written, ...also]

/** Matches fields that are given when a plan is applied: numbers and moments. */
const GIVEN_LATER = /(^|_)number$|_at$/

/** Returns what a call does, less what is given when it is applied, so that two tries of it can be compared. */
export const essenceOf = (written: readonly Written[]): string =>
  JSON.stringify(
    written.map(({ record, type, changes }) => [
      record,
      type ?? null,
      Object.entries(changes)
        .filter(([name]) => !GIVEN_LATER.test(name))
        .map(([name, [before, after]]) => [name, stripped(before), stripped(after)])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    ]),
  )

const stripped = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (name, inner: unknown) => (GIVEN_LATER.test(name) ? undefined : inner)),
  ) as unknown

/** Returns a mark of what a page shows of a call: the record as it was, and what would be done to it, or why it can't. */
export const markOfCall = (version: string | undefined, what: readonly Written[] | Refusal): string =>
  createHash('sha256')
    .update(`${version ?? ''}\n${Array.isArray(what) ? essenceOf(what) : (what as Refusal).message}`)
    .digest('base64url')
    .slice(0, 22)
