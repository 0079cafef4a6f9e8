import { createHash } from 'node:crypto'
import { Refusal } from '../platform/errors/refusal.ts'
import type { Outcome, WrittenRecord } from '../tools/call/outcome.ts'

/** Returns the records that an outcome wrote. */
export const listWrites = ({ written, also = [] }: Outcome): WrittenRecord[] =>
  written === undefined ? [] : [written, ...also]

/** Fields whose values are assigned when a plan is applied: numbers and times. */
const LATE_FIELDS = /(^|_)number$|_at$/

/** Returns a call's writes without values assigned when it is applied, so that two trials can be compared. */
export const comparableWrites = (written: readonly WrittenRecord[]): string =>
  JSON.stringify(
    written.map(({ record, type, changes }) => [
      record,
      type ?? null,
      Object.entries(changes)
        .filter(([name]) => !LATE_FIELDS.test(name))
        .map(([name, [before, after]]) => [name, dropLateFields(before), dropLateFields(after)])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    ]),
  )

const dropLateFields = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (name, inner: unknown) => (LATE_FIELDS.test(name) ? undefined : inner)),
  ) as unknown

/** Returns a digest of what a page shows of a call: the record before it, and its effect or its refusal. */
export const callFingerprint = (version: string | undefined, result: readonly WrittenRecord[] | Refusal): string =>
  createHash('sha256')
    .update(`${version ?? ''}\n${result instanceof Refusal ? result.message : comparableWrites(result)}`)
    .digest('base64url')
    .slice(0, 22)
