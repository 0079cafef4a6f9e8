import { resolve } from 'node:path'
import { wholeNumber } from '../parsers.ts'
import { ConfigError, setting, topic } from '../setting.ts'

export const database = topic('Database', {
  databaseUrl: setting('DATABASE_URL', {
    parse: postgresUrl,
    default: null,
    defaultText: 'an embedded server under DATA_DIR',
    isSecret: true,
    about: 'Connection URL of the database owner; PostgreSQL 15 or later.',
  }),
  databaseAppUrl: setting('DATABASE_APP_URL', {
    parse: postgresUrl,
    default: null,
    defaultText: 'a login role that the owner creates',
    isSecret: true,
    requires: { DATABASE_URL: "DATABASE_APP_URL needs DATABASE_URL, the owner's connection to the same database" },
    about: 'Connection URL of the service, to the same database.',
  }),
  databaseConnections: setting('DATABASE_CONNECTIONS', {
    parse: wholeNumber(3, 200),
    default: 10,
    about: 'Maximum number of database connections per process, 3 to 200.',
    more: 'With 10, one company uses at most 6, up to 4 of them for writes.',
  }),
  dataDir: setting('DATA_DIR', {
    parse: (value) => resolve(value),
    defaultFrom: () => resolve('data'),
    defaultText: './data',
    about: 'Folder for the embedded database and files.',
    more: 'Only one service can use it at a time; commands can run while it does.',
  }),
  postgresPrevious: setting('POSTGRES_PREVIOUS', {
    parse: (value) => resolve(value),
    default: null,
    about: 'Directory of the previous release, when this one has the next major version of the embedded PostgreSQL.',
    more: 'The service upgrades the data at its next start. Unset it afterward.',
  }),
})

function postgresUrl(value: string, name: string): string {
  if (!/^postgres(ql)?:\/\//.test(value)) throw new ConfigError(`${name} must start with postgres:// or postgresql://`)
  return value
}
