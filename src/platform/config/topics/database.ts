import { resolve } from 'node:path'
import { wholeNumber } from '../parsers.ts'
import { ConfigError, setting, topic } from '../setting.ts'

export const database = topic('Database', {
  databaseUrl: setting('DATABASE_URL', {
    parse: postgresUrl,
    default: null,
    defaultText: 'an embedded server under DATA_DIR',
    isSecret: true,
    about: "Owner's connection to PostgreSQL 15 or later.",
  }),
  databaseAppUrl: setting('DATABASE_APP_URL', {
    parse: postgresUrl,
    default: null,
    defaultText: 'a login role that the owner creates',
    isSecret: true,
    requires: { DATABASE_URL: "DATABASE_APP_URL needs DATABASE_URL, the owner's connection to the same database" },
    about: "Service's connection to the same database.",
  }),
  databaseConnections: setting('DATABASE_CONNECTIONS', {
    parse: wholeNumber(3, 200),
    default: 10,
    about: 'Maximum number of database connections per process, 3 to 200.',
    more: 'Of ten, one company uses at most six, four of them to write.',
  }),
  dataDir: setting('DATA_DIR', {
    parse: (value) => resolve(value),
    defaultFrom: () => resolve('data'),
    defaultText: './data',
    about: 'Folder of the embedded database and of files.',
    more: 'It takes one service at a time; commands may run beside it.',
  }),
  postgresPrevious: setting('POSTGRES_PREVIOUS', {
    parse: (value) => resolve(value),
    default: null,
    about: 'Directory of the release before, when this one has the next major version of the embedded PostgreSQL.',
    more: 'At its next start the service takes the data over. Unset it then.',
  }),
})

function postgresUrl(value: string, name: string): string {
  if (!/^postgres(ql)?:\/\//.test(value)) throw new ConfigError(`${name} must start with postgres:// or postgresql://`)
  return value
}
