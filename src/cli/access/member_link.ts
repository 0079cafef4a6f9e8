import { createResetLinkAsOperator } from '../../identity/people/recovery/forgotten_password.ts'
import { findUser } from '../../identity/people/users.ts'
import { alignColumns } from '../columns.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with_database.ts'

/** Creates a link for a person to set a new password themselves. */
export const memberLinkCommand = command({
  name: 'member link',
  description:
    'Makes a link by which a person sets a new password, once, within 24 hours; ' +
    'second factors stay, and the person is told.',
  options: { user: { value: '<e-mail or id>', required: true, also: 'email', description: 'The person' } },
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
