import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import {
  ConfigError,
  address,
  list,
  oneOf,
  originOf,
  range,
  text,
  wholeNumber,
  type Environment,
} from './environment.ts'
import { payments, webhooks, type PaymentsConfig, type WebhookConfig } from './webhook_config.ts'
import { identityProvider, type ProviderConfig } from './provider_config.ts'
import { dkimSelectors, mailServer, smsAccount, smsFrom, type MailServer, type SmsAccount } from './sending_config.ts'

export { ConfigError } from './environment.ts'
export type { MailServer, SmsAccount } from './sending_config.ts'
export { MIN_SECRET_BYTES, emailKeys, type EmailKey, type WebhookConfig } from './webhook_config.ts'

export type Config = {
  baseUrl: string
  port: number
  host: string
  authUrl: string
  /** Extends https-only to every host below that of `baseUrl`. */
  strictSubdomains: boolean
  /** Null for the embedded server, under `dataDir`. */
  databaseUrl: string | null
  /**
   * Login of the service. Null for a login role that the owner of `databaseUrl`, or of the embedded server, creates.
   */
  databaseAppUrl: string | null
  dataDir: string
  /** Keys that encrypt secrets in the database, and the key file. Null if not set. */
  dataKey: DataKeyConfig
  /** Maximum number of database connections per process. */
  databaseConnections: number
  /** Number of processes that share one address. */
  processes: number
  allowedOrigins: readonly string[]
  /** Lists addresses and CIDR ranges whose X-Forwarded-* headers are believed. */
  trustedProxies: readonly string[]
  webhooks: WebhookConfig
  /** Credentials for the payments provider. Null if not configured. */
  payments: PaymentsConfig | null
  /** Account with the SMS provider. Null if not configured. */
  smsAccount: SmsAccount | null
  /** E.164 number that sends texts for companies without their own number. Null: those companies can't send texts. */
  smsFrom: string | null
  /** SMTP server for outgoing mail. Null if not configured. */
  mailServer: MailServer | null
  /** Known DKIM selectors of outgoing mail. */
  dkimSelectors: readonly string[]
  /** OpenID provider for sign-in. Null for password sign-in only. */
  identityProvider: ProviderConfig | null
  storage: StorageConfig
  retention: RetentionConfig
  telemetry: TelemetryConfig
  rateLimitPerCredential: number
  rateLimitPerTenant: number
  /** Maximum time in milliseconds that a stopping service continues to answer new requests. */
  stopDelayMs: number
  serviceName: string
  logLevel: string
  production: boolean
}

/** Keys of 32 bytes. `file` is for the embedded database; it is beside it. */
export type DataKeyConfig = { current: Buffer | null; previous: Buffer | null; file: string | null }

/** Days to keep data after it is closed. 0 keeps it forever. */
export type RetentionConfig = { paymentEventDays: number; quarantineDays: number }

/** Where to store attachments. */
export type StorageConfig =
  | { kind: 'directory'; directory: string }
  | {
      kind: 'bucket'
      /** Origin of the S3-compatible service. */
      endpoint: string
      bucket: string
      /** Comes before every key; may be empty. */
      prefix: string
      region: string
      accessKeyId: string
      secretAccessKey: string
      sessionToken: string | null
    }

/** Telemetry besides the log. Null turns it off. */
export type TelemetryConfig = {
  /** Port of /metrics, on the service's host. */
  metricsPort: number | null
  traces: TracesConfig | null
}

/** Destination of spans: OTLP over HTTP in protobuf. */
export type TracesConfig = { url: string; headers: Readonly<Record<string, string>>; serviceName: string }

/** Returns the environment of this process, with what the settings file adds. */
export const environmentNow = (): Environment => process.env

/** Reads the configuration (docs/spec/operation.md#configuration); nothing else reads the environment. Throws `ConfigError`. */
export function readConfig(env: Environment = process.env): Config {
  const port = wholeNumber(env, 'PORT', 3000, 65_535)
  const baseUrl = withoutPath('BASE_URL', address(env, 'BASE_URL', `http://localhost:${port}`))
  const databaseConnections = wholeNumber(env, 'DATABASE_CONNECTIONS', 10, 200, 3)
  return {
    baseUrl,
    port,
    host: text(env, 'HOST') ?? '127.0.0.1',
    authUrl: address(env, 'AUTH_URL', `${baseUrl}/auth/v1`),
    strictSubdomains: oneOf(env, 'HSTS_SUBDOMAINS', ['no', 'yes']) === 'yes',
    databaseUrl: databaseUrl(env, 'DATABASE_URL'),
    databaseAppUrl: databaseUrl(env, 'DATABASE_APP_URL', 'DATABASE_URL'),
    dataDir: resolve(text(env, 'DATA_DIR') ?? 'data'),
    dataKey: dataKey(env),
    databaseConnections,
    processes: processes(env, databaseConnections),
    allowedOrigins: list(env, 'ALLOWED_ORIGINS').map((origin) => originOf('ALLOWED_ORIGINS', origin)),
    trustedProxies:
      text(env, 'TRUSTED_PROXIES') === undefined ? PRIVATE_RANGES : list(env, 'TRUSTED_PROXIES').map(range),
    webhooks: webhooks(env),
    payments: payments(env),
    smsAccount: smsAccount(env),
    smsFrom: smsFrom(env),
    dkimSelectors: dkimSelectors(env),
    mailServer: mailServer(env),
    identityProvider: identityProvider(env),
    storage: storage(env),
    retention: {
      paymentEventDays: wholeNumber(env, 'PAYMENT_EVENT_DAYS', 400, 36_500),
      quarantineDays: wholeNumber(env, 'QUARANTINE_DAYS', 90, 36_500),
    },
    telemetry: { metricsPort: metricsPort(env, port), traces: traces(env) },
    rateLimitPerCredential: wholeNumber(env, 'RATE_LIMIT_PER_CREDENTIAL', 1_200),
    rateLimitPerTenant: wholeNumber(env, 'RATE_LIMIT_PER_TENANT', 6_000),
    stopDelayMs: 1_000 * wholeNumber(env, 'STOP_DELAY', 5, 600),
    serviceName: serviceName(env),
    logLevel: oneOf(env, 'LOG_LEVEL', ['info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent']),
    production: text(env, 'NODE_ENV') === 'production',
  }
}

/** Lists loopback, private and link-local ranges, where one's own proxy is. */
const PRIVATE_RANGES = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
]

/** Connections that the embedded server leaves to services. The rest are for commands. */
const EMBEDDED_CONNECTIONS = 80

/** Reads a number of processes, or `max`: one a core. */
function processes(env: Environment, connections: number): number {
  const isMax = text(env, 'PROCESSES') === 'max'
  const asked = isMax ? availableParallelism() : wholeNumber(env, 'PROCESSES', 1, 256, 1)
  const room = text(env, 'DATABASE_URL') === undefined ? Math.floor(EMBEDDED_CONNECTIONS / connections) : asked
  if (asked <= Math.max(1, room)) return asked
  if (isMax) return Math.max(1, room)
  throw new ConfigError(
    `PROCESSES must be at most ${Math.max(1, room)} with the embedded database and ${connections} connections each: lower DATABASE_CONNECTIONS, or set DATABASE_URL (got '${asked}')`,
  )
}

function dataKey(env: Environment): DataKeyConfig {
  const [current, previous] = [keyOf(env, 'DATA_KEY'), keyOf(env, 'DATA_KEY_PREVIOUS')]
  if (previous !== null && current === null)
    throw new ConfigError('DATA_KEY_PREVIOUS needs DATA_KEY, the key that took over')
  const isEmbedded = text(env, 'DATABASE_URL') === undefined
  return { current, previous, file: isEmbedded ? resolve(text(env, 'DATA_DIR') ?? 'data', 'data.key') : null }
}

/** Reads a key that no message shows. */
function keyOf(env: Environment, name: string): Buffer | null {
  const given = text(env, name)
  if (given === undefined) return null
  const key = Buffer.from(given, 'base64')
  if (!/^[A-Za-z0-9+/]{43}=$/.test(given) || key.length !== 32)
    throw new ConfigError(`${name} must be 32 bytes in base64, such as openssl rand -base64 32 makes`)
  return key
}

/** Reads `s3://bucket[/prefix][?endpoint=…][&region=…]`, with the usual names for its keys. */
function storage(env: Environment): StorageConfig {
  const given = text(env, 'STORAGE_URL')
  if (given === undefined) return { kind: 'directory', directory: resolve(text(env, 'DATA_DIR') ?? 'data', 'files') }
  const url = URL.parse(given)
  if (url === null || url.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,62}$/.test(url.host)) {
    throw new ConfigError('STORAGE_URL must be such as s3://bucket?endpoint=https://s3.example.com')
  }
  const region = url.searchParams.get('region') ?? text(env, 'AWS_REGION') ?? 'us-east-1'
  const endpoint = address(
    { STORAGE_URL: url.searchParams.get('endpoint') ?? undefined },
    'STORAGE_URL',
    `https://s3.${region}.amazonaws.com`,
  )
  return {
    kind: 'bucket',
    endpoint,
    bucket: url.host,
    prefix: url.pathname.replace(/^\/+|\/+$/g, ''),
    region,
    accessKeyId: needed(env, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: needed(env, 'AWS_SECRET_ACCESS_KEY'),
    sessionToken: text(env, 'AWS_SESSION_TOKEN') ?? null,
  }
}

function needed(env: Environment, name: string): string {
  const given = text(env, name)
  if (given === undefined) throw new ConfigError(`${name} must be set when STORAGE_URL names a bucket`)
  return given
}

function metricsPort(env: Environment, port: number): number | null {
  if (text(env, 'METRICS_PORT') === undefined) return null
  const given = wholeNumber(env, 'METRICS_PORT', 0, 65_535)
  if (given === port && given !== 0)
    throw new ConfigError(`METRICS_PORT must be another port than PORT (got '${given}')`)
  return given
}

/** Reads settings with the names and forms of the OpenTelemetry specification (OTLP Exporter Configuration). */
function traces(env: Environment): TracesConfig | null {
  if (text(env, 'OTEL_EXPORTER_OTLP_ENDPOINT') === undefined) return null
  oneOf(env, 'OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf'])
  return {
    url: `${address(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', '')}/v1/traces`,
    headers: Object.fromEntries(list(env, 'OTEL_EXPORTER_OTLP_HEADERS').map(otlpHeader)),
    serviceName: text(env, 'OTEL_SERVICE_NAME') ?? 'callout',
  }
}

/** Reads `name=value`, percent-encoded; it may hold a key, which no message shows. */
function otlpHeader(given: string): [name: string, value: string] {
  const [, name = '', encoded = ''] = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x20-\x7e]*)$/.exec(given) ?? []
  const value = tryDecode(encoded)
  if (name === '' || value === undefined || !/^[\x20-\x7e]*$/.test(value))
    throw new ConfigError(
      'OTEL_EXPORTER_OTLP_HEADERS must be such as name=value,name=value, each value percent-encoded',
    )
  return [name, value]
}

function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function serviceName(env: Environment): string {
  const given = text(env, 'SERVICE_NAME') ?? 'svc'
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(given))
    throw new ConfigError(`SERVICE_NAME must be lower-case letters, digits and hyphens (got '${given}')`)
  return given
}

/**
 * Requires an address without a path: pages, cookies and the discovery documents of RFC 8414 and 9728 are at the root
 * of a host.
 */
function withoutPath(name: string, given: string): string {
  const { origin, pathname } = new URL(given)
  if (pathname !== '/')
    throw new ConfigError(
      `${name} must have no path: give the service a host name of its own, such as https://callout.example.com (got '${given}')`,
    )
  return origin
}

function databaseUrl(env: Environment, name: string, beside = name): string | null {
  const given = text(env, name) ?? null
  if (given !== null && !/^postgres(ql)?:\/\//.test(given))
    throw new ConfigError(`${name} must start with postgres:// or postgresql://`)
  if (given !== null && text(env, beside) === undefined)
    throw new ConfigError(`${name} needs ${beside}, the owner's connection to the same database`)
  return given
}
