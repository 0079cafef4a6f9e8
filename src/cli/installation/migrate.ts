import { readConfig } from '../../platform/config/config.ts'
import { migrate } from '../../platform/db/migrations/migrate.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { command } from '../command.ts'
import { upgradeMajorVersion } from '../upgrade/next_major.ts'
import { logToStderr, withOwner } from '../with_database.ts'

export const migrateCommand = command({
  name: 'migrate',
  description: 'Updates the database schema. Run it before you start a new version.',
  options: {
    spread: {
      value: '<yes|no>',
      description: 'Whether to distribute the tables across a Citus cluster, for trials (no)',
    },
  },
  run: async ({ spread = 'no' }) => {
    if (spread !== 'yes' && spread !== 'no') throw invalidField('spread', `must be yes or no (got '${spread}')`)
    const config = readConfig()
    await upgradeMajorVersion(config, logToStderr)
    const applied = await withOwner(config, (owner) => migrate(owner, { distributes: spread === 'yes' }))
    return {
      json: { applied },
      text: applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`,
    }
  },
})
