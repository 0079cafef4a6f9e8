import { addOperator, listOperators, removeOperator, type Operator } from '../../identity/people/operators.ts'
import { findUser, type User } from '../../identity/people/users.ts'
import type { Database } from '../../platform/db/tenant.ts'
import { alignColumns, formatTable } from '../columns.ts'
import { command, type Report } from '../command.ts'
import { withDatabase } from '../with_database.ts'

const user = {
  value: '<email or id>',
  required: true,
  bare: true,
  also: 'email',
  description: 'Person, who must be a user',
} as const

/** Commands for operators, who review waiting items of all companies and of none. */
export const operatorCommands = [
  command({
    name: 'operator add',
    description:
      'Makes a person an operator, who reviews the waiting items and sees the health of the whole installation.',
    options: { user },
    run: ({ user }) => changeAndReport(user, addOperator),
  }),
  command({
    name: 'operator list',
    description: 'Lists the operators of this installation.',
    options: {},
    run: async () => {
      const operators = await withDatabase(({ database }) => listOperators(database))
      const rows = operators.map(({ id, name, email, created_at }) => [id, name, email, created_at.slice(0, 10)])
      return { json: operators, text: formatTable(['ID', 'NAME', 'EMAIL', 'SINCE'], rows, 'No operators.') }
    },
  }),
  command({
    name: 'operator remove',
    description: "Removes a person's operator role. They stay in their companies.",
    options: { user },
    run: ({ user }) => changeAndReport(user, removeOperator),
  }),
]

async function changeAndReport(
  who: string,
  change: (database: Database, user: User) => Promise<Operator>,
): Promise<Report> {
  const operator = await withDatabase(async ({ database }) => change(database, await findUser(database, who)))
  return {
    json: operator,
    text: alignColumns([
      ['Operator', `${operator.name} <${operator.email}>`],
      ['Id', operator.id],
      ['Since', operator.created_at.slice(0, 10)],
    ]),
  }
}
