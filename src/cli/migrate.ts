import { readConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { command } from './command.ts'
import { asOwner } from './opened.ts'

export const migrateCommand = command({
  name: 'migrate',
  description: 'Brings the database to the present schema; run it before a new version is started.',
  options: {},
  run: async () => {
    const applied = await asOwner(readConfig(), migrate)
    return {
      json: { applied },
      text: applied.length === 0 ? 'The schema is the present one.' : `Applied ${applied.join(', ')}.`,
    }
  },
})
