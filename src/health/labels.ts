import { phrase, type Phrase } from '../platform/i18n/phrase.ts'

/** Names of the checks for people, in the order of the health page. */
export const CHECK_LABELS: Readonly<Record<string, Phrase>> = {
  database: phrase`Database`,
  migrations: phrase`Database schema`,
  'base URL': phrase`Public address and certificate`,
  processes: phrase`Processes`,
  disk: phrase`Data disk`,
  'temporary folder': phrase`Temporary disk`,
  'data directory': phrase`Data folder`,
  storage: phrase`File storage`,
  backup: phrase`Backup`,
  'restore drill': phrase`Restore drill`,
  'archived changes': phrase`Archived changes`,
  'mail server': phrase`Mail server`,
  'SMS account': phrase`Text message account`,
  'Payments key': phrase`Payments key`,
  'payments webhooks': phrase`Payment webhooks`,
  'SMS webhooks': phrase`Text message webhooks`,
  'e-mail webhooks': phrase`Email webhooks`,
  'webhook failures': phrase`Webhook failures`,
  'periodic tasks': phrase`Periodic tasks`,
  outbox: phrase`Companies’ messages`,
  'account mail': phrase`Account mail`,
  quarantine: phrase`Quarantine`,
  'webhook events': phrase`Payment events`,
  operators: phrase`Operators`,
}

/** Returns the label of a check; its own name if it has none. */
export const labelOf = (check: string): Phrase => CHECK_LABELS[check] ?? { text: check, values: [] }
