import assert from 'node:assert/strict'
import type { Company, Result } from '../harness/harness.ts'

export const EPOCH = '2000-01-01T00:00:00Z'

/** Waits until changes of this millisecond are settled. */
export const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 20)
  })

/** Returns functions that list a company's records in order of change and that create records. */
export function listsOf(company: () => Company) {
  const listChanges = async (tool: string, given: object = {}): Promise<Result[]> => {
    await settle()
    return (await company().call(tool, { updated_since: EPOCH, include_removed: true, limit: 100, ...given })).rows
  }
  return {
    listChanges,
    removedOf: async (tool: string, given: object = {}): Promise<string[]> =>
      (await listChanges(tool, given))
        .filter(({ removed }) => removed === true)
        .map((row) => {
          assert.deepEqual(Object.keys(row).toSorted(), ['id', 'removed', 'updated_at'])
          return row['id'] as string
        }),
    made: async (tool: string, given: object): Promise<string> => (await company().call(tool, given)).id,
    customerOf: async (): Promise<Result> =>
      company().call('customers_create', {
        customer_type: 'individual',
        first_name: 'Ana',
        contacts: [{ first_name: 'Kim' }, { first_name: 'Lee' }],
        locations: [{ address_line1: '1 Elm' }, { address_line1: '2 Elm' }],
      }),
  }
}
