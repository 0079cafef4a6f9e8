import type { Caller } from '../../identity/credentials/caller.ts'
import { conflict, invalidField } from '../../platform/errors/refusal.ts'
import { instantIn } from '../../platform/validation/formats/instants.ts'

/**
 * Refuses an update of a record that changed since the caller saw it; every update calls it
 * (docs/spec/interface.md#unchanged-since).
 */
export function requireUnchanged(
  record: { updated_at: string },
  expected: string | undefined,
  { tenant }: Caller,
): void {
  if (
    expected === undefined ||
    Date.parse(record.updated_at) === instantIn(tenant.timezone, expected).epochMilliseconds
  )
    return
  throw conflict(
    `the record changed: its updated_at is ${record.updated_at}, and expected_updated_at was ${expected}; get it again and decide anew`,
  )
}

/** Allows an immutable field to be sent with its present value and no other (docs/spec/records.md#fixed-fields). */
export function requireFixed<Name extends string>(
  record: Record<Name, unknown>,
  given: { [name in Name]?: unknown },
  ...names: Name[]
): void {
  for (const name of names) {
    if (given[name] !== undefined && given[name] !== record[name]) {
      throw invalidField(
        name,
        `cannot be changed (it is ${String(record[name])}, got ${String(given[name])}); leave it out`,
      )
    }
  }
}
