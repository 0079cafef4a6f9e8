import { createECDH } from 'node:crypto'
import { ConfigError, setting, topic } from '../../setting.ts'

/** Key that signs push messages to browsers (RFC 8292): 32 bytes. */
type PushConfig = { privateKey: Buffer }

export const push = topic(
  'Notifications',
  {
    privateKey: setting('VAPID_PRIVATE_KEY', {
      parse: signingKey,
      default: null,
      isSecret: true,
      about: 'Key that signs notifications to phones and browsers: 32 bytes in base64, from `openssl rand -base64 32`.',
      more: 'Without it, none are sent. After you change it, people get them again once they open a page of Callout.',
    }),
  },
  ({ privateKey }): { push: PushConfig | null } => ({ push: privateKey && { privateKey } }),
)

function signingKey(value: string, name: string): Buffer {
  const key = Buffer.from(value, 'base64')
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(value) || !isPrivateKey(key))
    throw new ConfigError(`${name} must be 32 bytes in base64; create one with openssl rand -base64 32`)
  return key
}

/** Checks whether bytes are a private key on P-256, as all but one in four billion are. */
function isPrivateKey(key: Buffer): boolean {
  try {
    createECDH('prime256v1').setPrivateKey(key)
    return true
  } catch {
    return false
  }
}
