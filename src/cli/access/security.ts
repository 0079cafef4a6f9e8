import { accountLog, wholeLog } from '../../identity/security/log.ts'
import { findUser } from '../../identity/people/users.ts'
import { listed } from '../aligned.ts'
import { command } from '../command.ts'
import { onDatabase } from '../opened.ts'

/** Is how many lines are shown, the newest. */
const MAX_SHOWN = 200

/** Shows operators what happened to accounts. */
export const securityCommands = [
  command({
    name: 'security log',
    description: 'What happened to accounts: sign-ins, failures, passwords. The newest first.',
    options: { user: { value: '<e-mail or id>', also: 'email', description: 'Of one person alone' } },
    run: async ({ user }) => {
      const entries = await onDatabase(async ({ database }) =>
        user === undefined
          ? wholeLog(database, MAX_SHOWN)
          : accountLog(database, (await findUser(database, user)).id, MAX_SHOWN),
      )
      const rows = entries.map(({ at, kind, who, network, device }) => [
        at,
        kind,
        who?.name ?? '',
        network ?? '',
        device ?? '',
      ])
      return { json: entries, text: listed(['AT', 'WHAT', 'WHO', 'NETWORK', 'BROWSER'], rows, 'Nothing happened yet.') }
    },
  }),
]
