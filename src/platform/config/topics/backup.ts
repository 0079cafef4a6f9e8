import { resolve } from 'node:path'
import { encryptionKey } from './data_key.ts'
import { database } from './database.ts'
import { text, wholeNumber } from '../parsers.ts'
import { ConfigError, setting, topic, valueOf } from '../setting.ts'
import { bucketUrl, type StorageConfig } from './storage.ts'

/** Destination and schedule of backups. `to` is null if none are made; `time` is in the machine's time zone. */
export type BackupConfig = { to: StorageConfig | null; time: string; keep: number; key: Buffer | null }

const ACCESS = { parse: text, ignoredWithout: 'BACKUP_TO', default: null }

export const backup = topic(
  'Backups',
  {
    to: setting('BACKUP_TO', {
      parse: backupLocation,
      defaultFrom: (env) => {
        const { databaseUrl, dataDir } = database.read(env)
        return databaseUrl === null ? `${dataDir}-backups` : null
      },
      defaultText: 'DATA_DIR with -backups added to its name; none with DATABASE_URL',
      about: 'Folder or bucket for backups: a path, `s3://bucket/prefix` as in `STORAGE_URL`, or `none`.',
      more: 'Use a different disk or machine.',
    }),
    accessKeyId: setting('BACKUP_ACCESS_KEY_ID', {
      ...ACCESS,
      defaultText: 'AWS_ACCESS_KEY_ID',
      about: 'Access key ID for that bucket.',
    }),
    secretAccessKey: setting('BACKUP_SECRET_ACCESS_KEY', {
      ...ACCESS,
      isSecret: true,
      defaultText: 'AWS_SECRET_ACCESS_KEY',
      about: 'Secret of that access key.',
    }),
    time: setting('BACKUP_TIME', {
      parse: timeOfDay,
      default: '02:30',
      about: "Time of the daily backup, in the machine's time zone.",
    }),
    keep: setting('BACKUP_KEEP', {
      parse: wholeNumber(1, 3_650),
      default: 14,
      about: 'Number of daily backups to keep.',
    }),
    key: setting('BACKUP_KEY', {
      parse: encryptionKey,
      default: null,
      defaultText: 'none: backups are not encrypted',
      isSecret: true,
      about: 'Key that encrypts backups: 32 bytes in base64, from `openssl rand -base64 32`.',
      more: 'Nobody can restore backups without it, so keep a copy elsewhere.',
    }),
  },
  ({ to, accessKeyId, secretAccessKey, time, keep, key }, env): { backup: BackupConfig } => {
    if (to === null || typeof to === 'string') {
      const location: StorageConfig | null = to === null ? null : { kind: 'directory', directory: to }
      return { backup: { to: location, time, keep, key } }
    }
    const access = {
      accessKeyId: accessKeyId ?? valueOf(env, 'AWS_ACCESS_KEY_ID'),
      secretAccessKey: secretAccessKey ?? valueOf(env, 'AWS_SECRET_ACCESS_KEY'),
      sessionToken: accessKeyId === null ? (valueOf(env, 'AWS_SESSION_TOKEN') ?? null) : null,
    }
    const { accessKeyId: id, secretAccessKey: secret, sessionToken } = access
    if (id === undefined || secret === undefined)
      throw new ConfigError(
        'BACKUP_ACCESS_KEY_ID and BACKUP_SECRET_ACCESS_KEY must be set when BACKUP_TO names a bucket',
      )
    const region = to.region ?? valueOf(env, 'AWS_REGION') ?? 'us-east-1'
    const endpoint = to.endpoint ?? `https://s3.${region}.amazonaws.com`
    const bucket = { ...to, region, endpoint, accessKeyId: id, secretAccessKey: secret, sessionToken }
    return { backup: { to: { kind: 'bucket', ...bucket }, time, keep, key } }
  },
)

/** Parses a path or a bucket URL; returns null for `none`. */
function backupLocation(value: string, name: string): string | ReturnType<typeof bucketUrl> | null {
  if (value === 'none') return null
  if (!/^[a-z0-9]{2,}:/i.test(value)) return resolve(value)
  return bucketUrl(value, name)
}

function timeOfDay(value: string, name: string): string {
  if (/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value)) return value
  throw new ConfigError(`${name} must be a time such as 02:30 (got '${value}')`)
}
