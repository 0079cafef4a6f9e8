import { fold } from '../../platform/validation/text/fold.ts'
import type { ImportRowResult } from '../run/import_context.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

type Person = { phone: string | null; email: string | null }

type CreatedCustomer = { display_name: string; external_id: string | null; contacts: readonly Person[] }

/**
 * Finds rows of a file that are one customer, as the import does: by phone or email, by external id, and by name for a
 * customer without contacts.
 */
export class FileDuplicates {
  readonly #rows = new Map<string, number>()

  /** Returns the earlier row of the same customer, by contact, external id or name. If none, records this row. */
  findEarlierRow(number: number, { writes: [write] }: ImportRowResult): number | undefined {
    const { display_name, external_id, contacts } = requireValue(write, 'The write of a row').outcome
      .result as CreatedCustomer
    const contactValues = contacts.flatMap(({ phone, email }) => [phone ?? [], email ?? []].flat())
    const name = JSON.stringify(['name', fold(display_name)])
    const id = external_id === null ? [] : [JSON.stringify(['id', external_id])]
    const keys = [
      ...id,
      ...(contactValues.length === 0 ? [name] : contactValues.map((one) => JSON.stringify(['reach', one]))),
    ]
    const row = keys.map((key) => this.#rows.get(key)).find((one) => one !== undefined)
    if (row === undefined) for (const key of [...keys, name]) if (!this.#rows.has(key)) this.#rows.set(key, number)
    return row
  }
}
