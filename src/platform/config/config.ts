import { backup } from './topics/backup.ts'
import { assistant } from './topics/outside/assistant.ts'
import { books } from './topics/outside/books.ts'
import { companies } from './topics/companies.ts'
import { dataKey } from './topics/data_key.ts'
import { database } from './topics/database.ts'
import { documents } from './topics/documents.ts'
import { health } from './topics/health.ts'
import { http } from './topics/http.ts'
import { limits } from './topics/limits.ts'
import { mail } from './topics/outside/mail.ts'
import { payments } from './topics/outside/payments.ts'
import { places } from './topics/outside/places.ts'
import { providers } from './topics/outside/providers.ts'
import { push } from './topics/outside/push.ts'
import { retention } from './topics/retention.ts'
import { processes } from './topics/process.ts'
import type { Environment, SettingTopic } from './setting.ts'
import { sms } from './topics/outside/sms.ts'
import { storage } from './topics/storage.ts'
import { telemetry } from './topics/telemetry.ts'
import { webhooks } from './topics/outside/webhooks.ts'

export { ConfigError, type Environment, type Setting } from './setting.ts'
export type { AssistantConfig, ModelConfig, ModelProvider } from './topics/outside/assistant.ts'
export type { BooksApp, BooksConfig } from './topics/outside/books.ts'
export type { MailServer } from './topics/outside/mail.ts'
export type { GeocoderConfig, MapTilesConfig, RouterConfig } from './topics/outside/places.ts'
export type { SmsAccount } from './topics/outside/sms.ts'
export type { BackupConfig } from './topics/backup.ts'
export type { StorageConfig } from './topics/storage.ts'
export type { RetentionConfig } from './topics/retention.ts'
export type { TelemetryConfig, TracesConfig } from './topics/telemetry.ts'
export { MIN_SECRET_BYTES, emailKeys, type WebhookConfig } from './topics/outside/webhooks.ts'

export type Config = ReturnType<typeof readConfig>

/** Every setting, in the order of the operator's guide (docs/operating/settings.md). */
export const TOPICS: readonly SettingTopic[] = [
  http,
  processes,
  database,
  dataKey,
  storage,
  backup,
  mail,
  sms,
  push,
  payments,
  webhooks,
  books,
  providers,
  documents,
  places,
  assistant,
  limits,
  companies,
  retention,
  telemetry,
  health,
]

/** Returns the environment of this process, including the settings file. */
export const environmentNow = (): Environment => process.env

/**
 * Reads every setting (docs/spec/operation.md#configuration); nothing else reads the environment. Throws `ConfigError`.
 */
export const readConfig = (env: Environment = process.env) => ({
  ...http.read(env),
  ...database.read(env),
  ...processes.read(env),
  ...dataKey.read(env),
  ...webhooks.read(env),
  ...payments.read(env),
  ...books.read(env),
  ...sms.read(env),
  ...mail.read(env),
  ...push.read(env),
  ...providers.read(env),
  ...places.read(env),
  ...assistant.read(env),
  ...storage.read(env),
  ...backup.read(env),
  ...retention.read(env),
  ...telemetry.read(env),
  ...documents.read(env),
  ...health.read(env),
  ...limits.read(env),
  ...companies.read(env),
})
