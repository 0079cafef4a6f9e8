import { createResetLinkAsOperator } from '../../identity/people/recovery/forgotten_password.ts'
import { findUser } from '../../identity/people/users.ts'
import { alignColumns } from '../columns.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with_database.ts'

/** Creates a link for a person to set a new password themselves. */
export const memberLinkCommand = command({
  name: 'member link',
  description:
    'Creates a one-time link for a person to set a new password within 24 hours. ' +
    'Keeps second factors, and notifies the person.',
  options: { user: { value: '<email or id>', required: true, also: 'email', description: 'Person' } },
  run: ({ user }) =>
    withDatabase(async ({ database }, { baseUrl }) => {
      const person = await findUser(database, user)
      const link = `${baseUrl}/new-password?link=${await createResetLinkAsOperator(database, person.id)}`
      return {
        json: { ...person, link },
        text: alignColumns([
          ['Person', `${person.name} <${person.email}>`],
          ['Link', link],
        ]),
      }
    }),
})
