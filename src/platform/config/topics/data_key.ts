import { resolve } from 'node:path'
import { database } from './database.ts'
import { ConfigError, setting, topic } from '../setting.ts'

/** Keys of 32 bytes. `file` is the path of the key file of an embedded database. */
type DataKeyConfig = { current: Buffer | null; previous: Buffer | null; file: string | null }

export const dataKey = topic(
  'Data key',
  {
    current: setting('DATA_KEY', {
      parse: encryptionKey,
      default: null,
      defaultText: 'DATA_DIR/data.key; none with DATABASE_URL',
      isSecret: true,
      about: 'Key that encrypts secrets in the database: 32 bytes in base64, from `openssl rand -base64 32`.',
    }),
    previous: setting('DATA_KEY_PREVIOUS', {
      parse: encryptionKey,
      default: null,
      isSecret: true,
      requires: { DATA_KEY: 'DATA_KEY_PREVIOUS needs DATA_KEY, the key that replaced it' },
      about: 'Previous `DATA_KEY`, while you change keys.',
    }),
  },
  (keys, env): { dataKey: DataKeyConfig } => {
    const { databaseUrl, dataDir } = database.read(env)
    return { dataKey: { ...keys, file: databaseUrl === null ? resolve(dataDir, 'data.key') : null } }
  },
)

export function encryptionKey(value: string, name: string): Buffer {
  const key = Buffer.from(value, 'base64')
  if (!/^[A-Za-z0-9+/]{43}=$/.test(value) || key.length !== 32)
    throw new ConfigError(`${name} must be 32 bytes in base64; create one with openssl rand -base64 32`)
  return key
}
