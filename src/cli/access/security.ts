import { listAccountLog, listWholeLog } from '../../identity/security/log.ts'
import { findUser } from '../../identity/people/users.ts'
import { formatTable } from '../columns.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with_database.ts'

/** Maximum number of entries to show, newest first. */
const MAX_SHOWN = 200

/** Commands that show account events to operators. */
export const securityCommands = [
  command({
    name: 'security log',
    description: 'Lists account events such as sign-ins, failures and password changes, newest first.',
    options: { user: { value: '<email or id>', also: 'email', description: 'Person (everybody)' } },
    run: async ({ user }) => {
      const entries = await withDatabase(async ({ database }) =>
        user === undefined
          ? listWholeLog(database, MAX_SHOWN)
          : listAccountLog(database, (await findUser(database, user)).id, MAX_SHOWN),
      )
      const rows = entries.map(({ at, kind, who, network, device }) => [
        at,
        kind,
        who?.name ?? '',
        network ?? '',
        device ?? '',
      ])
      return { json: entries, text: formatTable(['AT', 'WHAT', 'WHO', 'NETWORK', 'BROWSER'], rows, 'No events yet.') }
    },
  }),
]
