import { ConfigError, address, text, type Environment } from './environment.ts'

/** Credentials for the SMS provider. */
export type SmsAccount = { id: string; token: string; apiUrl: string }

/** SMTP server for outgoing mail, and the sender for companies without their own mailbox. */
export type MailServer = {
  host: string
  port: number
  /** Encryption: from the start, required STARTTLS, or STARTTLS if the server offers it. */
  tls: 'implicit' | 'required' | 'offered'
  user: string | null
  password: string | null
  from: { name: string | null; address: string }
}

/** Reads the account with the SMS provider; null: not configured. */
export function smsAccount(env: Environment): SmsAccount | null {
  const [id, token] = [text(env, 'SMS_ACCOUNT_SID'), text(env, 'SMS_AUTH_TOKEN')]
  const apiUrl = address(env, 'SMS_API_URL', 'https://api.twilio.com')
  if (id === undefined && token === undefined) return null
  if (id === undefined || token === undefined)
    throw new ConfigError(
      `${id === undefined ? 'SMS_ACCOUNT_SID' : 'SMS_AUTH_TOKEN'} is missing: the account's SID and its token go together`,
    )
  return { id, token, apiUrl }
}

/** Reads the number of companies without one of their own. */
export function smsFrom(env: Environment): string | null {
  const given = text(env, 'SMS_FROM') ?? null
  if (given !== null && !/^\+[1-9]\d{6,14}$/.test(given))
    throw new ConfigError(`SMS_FROM must be a number with its country code such as +16175550100 (got '${given}')`)
  if (given !== null && text(env, 'SMS_ACCOUNT_SID') === undefined)
    throw new ConfigError('SMS_FROM needs SMS_ACCOUNT_SID and SMS_AUTH_TOKEN')
  return given
}

const MAX_SELECTORS = 5

/** Reads the DKIM selectors that the mail provider signs with, which the doctor looks up. */
export function dkimSelectors(env: Environment): readonly string[] {
  const given = (text(env, 'DKIM_SELECTOR') ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  const strange = given.find((one) => !/^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$/i.test(one))
  if (strange !== undefined || given.length > MAX_SELECTORS)
    throw new ConfigError(
      `DKIM_SELECTOR must be up to ${MAX_SELECTORS} selectors such as s1 or s1,s2 (got '${(strange ?? given.join()).slice(0, 100)}')`,
    )
  return given
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Reads `smtp://user:password@host:587` or `smtps://…:465`. Errors never include the password. */
export function mailServer(env: Environment): MailServer | null {
  const [given, from] = [text(env, 'SMTP_URL'), text(env, 'MAIL_FROM')]
  if (given === undefined && from === undefined) return null
  if (given === undefined || from === undefined)
    throw new ConfigError(
      `${given === undefined ? 'SMTP_URL' : 'MAIL_FROM'} is missing: the server and its sender go together`,
    )
  const url = URL.parse(given)
  if (
    url === null ||
    !['smtp:', 'smtps:'].includes(url.protocol) ||
    url.hostname === '' ||
    !['', '/'].includes(url.pathname)
  )
    throw new ConfigError('SMTP_URL must be such as smtp://user:password@smtp.example.com:587 or smtps://…:465')
  const tls = url.searchParams.get('tls') ?? (LOOPBACK.test(url.hostname) ? 'offered' : 'required')
  if (!['required', 'offered'].includes(tls) || url.hash !== '')
    throw new ConfigError('SMTP_URL takes no other option than ?tls=required or ?tls=offered')
  const isImplicit = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isImplicit ? 465 : 587) : Number(url.port),
    tls: isImplicit ? 'implicit' : (tls as 'required' | 'offered'),
    user: credential(url.username),
    password: credential(url.password),
    from: mailFrom(from),
  }
}

function credential(encoded: string): string | null {
  const value = tryDecode(encoded)
  if (value === undefined) throw new ConfigError('SMTP_URL must have its user and password percent-encoded')
  return value === '' ? null : value
}

/** Reads `office@example.com` or `Callout <office@example.com>`. */
function mailFrom(given: string): MailServer['from'] {
  const [, name = '', address = ''] =
    /^(?:([^<>"\p{Cc}]*)<)?([^\s@<>"(),;:\\[\]]+@[^\s@<>"(),;:\\[\]]+?)>?$/u.exec(given) ?? []
  if (address === '' || given.includes('<') !== given.endsWith('>'))
    throw new ConfigError(
      `MAIL_FROM must be such as office@example.com or Callout <office@example.com> (got '${given}')`,
    )
  return { name: name.trim() || null, address: address.toLowerCase() }
}

function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
