import { fold } from '../../platform/validation/text/fold.ts'
import type { ImportRowResult } from '../run/import_context.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

type Person = { phone: string | null; email: string | null }

/**
 * Finds rows of a file that are one customer, as the import will find it: by phone or e-mail, by the id of another
 * system, and by name where there is no way to reach them.
 */
type MadeCustomer = { display_name: string; external_id: string | null; contacts: readonly Person[] }

export class SameInFile {
  readonly #rows = new Map<string, number>()

  /** Returns the earlier row of the same customer; keeps the row by what it is found by when there is none. */
  earlierRow(number: number, { writes: [write] }: ImportRowResult): number | undefined {
    const { display_name, external_id, contacts } = requireValue(write, 'The write of a row').outcome
      .result as MadeCustomer
    const reach = contacts.flatMap(({ phone, email }) => [phone ?? [], email ?? []].flat())
    const name = JSON.stringify(['name', fold(display_name)])
    const id = external_id === null ? [] : [JSON.stringify(['id', external_id])]
    const keys = [...id, ...(reach.length === 0 ? [name] : reach.map((one) => JSON.stringify(['reach', one])))]
    const row = keys.map((key) => this.#rows.get(key)).find((one) => one !== undefined)
    if (row === undefined) for (const key of [...keys, name]) if (!this.#rows.has(key)) this.#rows.set(key, number)
    return row
  }
}
