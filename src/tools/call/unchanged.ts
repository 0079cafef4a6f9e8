import type { Caller } from '../../identity/credentials/caller.ts'
import { conflict, invalidField } from '../../platform/errors/refusal.ts'
import { instantIn } from '../../platform/validation/formats/instants.ts'
import { refusals } from './refusals.ts'

/**
 * Refuses an update of a record that changed since the caller read it. Every update calls it
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
  throw conflict(refusals.changed({ now: record.updated_at, expected }))
}

/** Accepts an immutable field only with its current value (docs/spec/records.md#fixed-fields). */
export function requireFixed<Name extends string>(
  record: Record<Name, unknown>,
  input: { [name in Name]?: unknown },
  ...names: Name[]
): void {
  for (const name of names) {
    if (input[name] !== undefined && input[name] !== record[name]) {
      throw invalidField(name, refusals.fixed({ before: String(record[name]), given: String(input[name]) }))
    }
  }
}
