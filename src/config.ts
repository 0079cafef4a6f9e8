import { isIP } from 'node:net'
import { resolve } from 'node:path'

export type Config = {
  baseUrl: string
  port: number
  host: string
  authUrl: string
  /** null: the embedded server, under `dataDir`. */
  databaseUrl: string | null
  dataDir: string
  allowedOrigins: readonly string[]
  /** Addresses and CIDR ranges whose X-Forwarded-For names the sender. */
  trustedProxies: readonly string[]
  rateLimitPerCredential: number
  rateLimitPerTenant: number
  serviceName: string
  logLevel: string
  production: boolean
}

/** A setting that cannot be used; the message is the one line that the operator sees. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the configuration (operation 2), the only place that looks at the environment. Throws `ConfigError`. */
export function readConfig(env: Environment = process.env): Config {
  const port = wholeNumber(env, 'PORT', 3000, 65_535)
  const baseUrl = address(env, 'BASE_URL', `http://localhost:${port}`)
  return {
    baseUrl,
    port,
    host: text(env, 'HOST') ?? '127.0.0.1',
    authUrl: address(env, 'AUTH_URL', `${baseUrl}/auth/v1`),
    databaseUrl: databaseUrl(env),
    dataDir: resolve(text(env, 'DATA_DIR') ?? 'data'),
    allowedOrigins: list(env, 'ALLOWED_ORIGINS').map((origin) => originOf('ALLOWED_ORIGINS', origin)),
    trustedProxies: list(env, 'TRUSTED_PROXIES').map(range),
    rateLimitPerCredential: wholeNumber(env, 'RATE_LIMIT_PER_CREDENTIAL', 1_200),
    rateLimitPerTenant: wholeNumber(env, 'RATE_LIMIT_PER_TENANT', 6_000),
    serviceName: serviceName(env),
    logLevel: oneOf(env, 'LOG_LEVEL', ['info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent']),
    production: text(env, 'NODE_ENV') === 'production',
  }
}

/** Blank counts as missing. */
const text = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined

const list = (env: Environment, name: string): string[] =>
  (text(env, name) ?? '').split(',').map((part) => part.trim()).filter((part) => part !== '')

function wholeNumber(env: Environment, name: string, otherwise: number, most = 1_000_000): number {
  const given = text(env, name)
  if (given === undefined) return otherwise
  if (!/^\d{1,7}$/.test(given) || Number(given) > most) throw new ConfigError(`${name} must be a whole number from 0 to ${most} (got '${given}')`)
  return Number(given)
}

function oneOf(env: Environment, name: string, choices: readonly [string, ...string[]]): string {
  const given = text(env, name) ?? choices[0]
  if (!choices.includes(given)) throw new ConfigError(`${name} must be one of ${choices.join(', ')} (got '${given}')`)
  return given
}

function serviceName(env: Environment): string {
  const given = text(env, 'SERVICE_NAME') ?? 'svc'
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(given)) throw new ConfigError(`SERVICE_NAME must be lower-case letters, digits and hyphens (got '${given}')`)
  return given
}

/** An http or https address without query, fragment or a slash at its end. */
function address(env: Environment, name: string, otherwise: string): string {
  const given = text(env, name) ?? otherwise
  const url = URL.parse(given)
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new ConfigError(`${name} must be an http or https address such as https://callout.example.com (got '${given}')`)
  }
  return url.href.replace(/\/+$/, '')
}

function originOf(name: string, given: string): string {
  const url = URL.parse(given)
  if (url === null || url.origin === 'null' || url.pathname !== '/') {
    throw new ConfigError(`${name} must list origins such as https://app.example.com (got '${given}')`)
  }
  return url.origin
}

function range(given: string): string {
  const [address = '', bits, more] = given.split('/')
  const most = isIP(address) === 4 ? 32 : 128
  if (isIP(address) === 0 || more !== undefined || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most))) {
    throw new ConfigError(`TRUSTED_PROXIES must list addresses or ranges such as 10.0.0.0/8 (got '${given}')`)
  }
  return given
}

function databaseUrl(env: Environment): string | null {
  const given = text(env, 'DATABASE_URL')
  if (given === undefined) return null
  if (!/^postgres(ql)?:\/\//.test(given)) throw new ConfigError(`DATABASE_URL must start with postgres:// or postgresql://`)
  return given
}
