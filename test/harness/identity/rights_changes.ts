import { sql, type Database } from '../../../src/platform/db/database.ts'

/**
 * Returns a wrapper for a service's database that changes rights in the middle of requests. `change(n)` changes them
 * just before each of the next n times that a credential enters its company.
 */
export function changeRightsMidRequest() {
  let changes = 0
  const through = (database: Database): Database => {
    const changeFirst = async (statements: readonly { text: string; values: unknown[] }[]): Promise<void> => {
      const entry = statements.find(({ text, values }) => text.startsWith('select enter_') && values[1] !== null)
      if (entry === undefined || changes === 0) return
      changes--
      await database.send([
        sql`select enter_tenant(${entry.values[0]}, null, 0)`,
        sql`update tenants set name = name where id = ${entry.values[0]}`,
      ])
    }
    return {
      ...database,
      send: async (statements, options) => {
        await changeFirst(statements)
        return database.send(statements, options)
      },
      hold: (use, options) =>
        database.hold(
          (send) =>
            use(async (statements) => {
              await changeFirst(statements)
              return send(statements)
            }),
          options,
        ),
    }
  }
  return { through, change: (times: number): void => void (changes = times) }
}
