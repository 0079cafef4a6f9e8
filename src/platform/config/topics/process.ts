import { availableParallelism } from 'node:os'
import { database } from './database.ts'
import { oneOf, wholeNumber } from '../parsers.ts'
import { ConfigError, setting, topic, type Environment } from '../setting.ts'

/** Connections of the embedded server reserved for services. The rest are for commands. */
const EMBEDDED_CONNECTIONS = 80

export const processes = topic('Process', {
  production: setting('NODE_ENV', {
    parse: (value) => value === 'production',
    default: false,
    defaultText: '',
    about: '`production` creates no demo company in an empty database.',
  }),
  processes: setting('PROCESSES', {
    parse: processCount,
    default: 1,
    about: 'Number of processes that serve `PORT`, up to 256, or `max` for one per core.',
    more: 'Each opens up to `DATABASE_CONNECTIONS` connections.',
  }),
  stopDelayMs: setting('STOP_DELAY', {
    parse: (value, name) => 1_000 * wholeNumber(0, 600)(value, name),
    default: 5_000,
    defaultText: '5',
    about: 'Maximum number of seconds that the service keeps accepting requests while it shuts down; 0 for none.',
  }),
  serviceName: setting('SERVICE_NAME', {
    parse: serviceName,
    default: 'svc',
    about: 'Name that MCP clients see, and the scheme of resource addresses.',
  }),
  logLevel: setting('LOG_LEVEL', {
    parse: oneOf('info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    about: 'Lowest level to log: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
    more: 'The log goes to standard error, one JSON line per request, without arguments, tokens or results.',
  }),
})

/** Parses a number of processes, or `max`, within the embedded server's connections for services. */
function processCount(value: string, name: string, env: Environment): number {
  const isMax = value === 'max'
  const requested = isMax ? availableParallelism() : wholeNumber(1, 256)(value, name)
  const connections = database.settings.databaseConnections.read(env)
  const isEmbedded = database.settings.databaseUrl.read(env) === null
  const max = isEmbedded ? Math.max(1, Math.floor(EMBEDDED_CONNECTIONS / connections)) : requested
  if (requested <= max) return requested
  if (isMax) return max
  throw new ConfigError(
    `${name} must be at most ${max} with the embedded database and ${connections} connections each: ` +
      `lower DATABASE_CONNECTIONS, or set DATABASE_URL (got '${requested}')`,
  )
}

function serviceName(value: string, name: string): string {
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(value))
    throw new ConfigError(`${name} must be up to 32 lowercase letters, digits and hyphens (got '${value}')`)
  return value
}
