import { assistant } from './topics/assistant.ts'
import { dataKey } from './topics/data_key.ts'
import { database } from './topics/database.ts'
import { http } from './topics/http.ts'
import { limits } from './topics/limits.ts'
import { mail } from './topics/mail.ts'
import { payments } from './topics/payments.ts'
import { providers } from './topics/providers.ts'
import { retention } from './topics/retention.ts'
import { processes } from './topics/process.ts'
import type { Environment, SettingTopic } from './setting.ts'
import { sms } from './topics/sms.ts'
import { storage } from './topics/storage.ts'
import { telemetry } from './topics/telemetry.ts'
import { webhooks } from './topics/webhooks.ts'

export { ConfigError, type Environment, type Setting } from './setting.ts'
export type { AssistantConfig, ModelConfig, ModelProvider } from './topics/assistant.ts'
export type { MailServer } from './topics/mail.ts'
export type { SmsAccount } from './topics/sms.ts'
export type { StorageConfig } from './topics/storage.ts'
export type { RetentionConfig } from './topics/retention.ts'
export type { TelemetryConfig, TracesConfig } from './topics/telemetry.ts'
export { MIN_SECRET_BYTES, emailKeys, type EmailKey, type WebhookConfig } from './topics/webhooks.ts'

export type Config = ReturnType<typeof readConfig>

/** Every setting, in the order of the operator's guide (docs/operating/settings.md). */
export const TOPICS: readonly SettingTopic[] = [
  http,
  processes,
  database,
  dataKey,
  storage,
  mail,
  sms,
  payments,
  webhooks,
  providers,
  assistant,
  limits,
  retention,
  telemetry,
]

/** Returns the environment of this process, with what the settings file adds. */
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
  ...sms.read(env),
  ...mail.read(env),
  ...providers.read(env),
  ...assistant.read(env),
  ...storage.read(env),
  ...retention.read(env),
  ...telemetry.read(env),
  ...limits.read(env),
})
