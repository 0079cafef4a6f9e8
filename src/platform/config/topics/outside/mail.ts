import { LOOPBACK, list, tryDecode } from '../../parsers.ts'
import { ConfigError, setting, topic } from '../../setting.ts'

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

const missingMessage = (name: string): string => `${name} is missing: set SMTP_URL and MAIL_FROM together`

export const mail = topic(
  'Mail',
  {
    server: setting('SMTP_URL', {
      parse: smtpUrl,
      default: null,
      isSecret: true,
      requires: { MAIL_FROM: missingMessage('MAIL_FROM') },
      about: 'Server for outgoing mail: `smtp://user:password@smtp.example.com:587` or `smtps://…:465`.',
      more:
        'Percent-encode user and password. `smtp://` requires STARTTLS, ' +
        'except on this machine or with `?tls=offered`. Without a server, mail waits in the outbox.',
    }),
    from: setting('MAIL_FROM', {
      parse: mailbox,
      default: null,
      requires: { SMTP_URL: missingMessage('SMTP_URL') },
      about: 'Sender for companies without a mailbox of their own: `Callout <office@example.com>`.',
    }),
    dkimSelectors: setting('DKIM_SELECTOR', {
      parse: dkimSelectors,
      default: [],
      about: 'DKIM selectors that the mail server signs with, separated by commas: the `s=` of its signatures.',
      more: '`callout doctor` looks up their keys at each domain that sends mail.',
    }),
  },
  ({ server, from, dkimSelectors }): { mailServer: MailServer | null; dkimSelectors: readonly string[] } => ({
    mailServer: server === null || from === null ? null : { ...server, from },
    dkimSelectors,
  }),
)

/** Parses an SMTP URL. Errors never include the password. */
function smtpUrl(value: string, name: string): Omit<MailServer, 'from'> {
  const url = URL.parse(value)
  if (
    url === null ||
    !['smtp:', 'smtps:'].includes(url.protocol) ||
    url.hostname === '' ||
    !['', '/'].includes(url.pathname)
  )
    throw new ConfigError(`${name} must look like smtp://user:password@smtp.example.com:587 or smtps://…:465`)
  const tls = url.searchParams.get('tls') ?? (LOOPBACK.test(url.hostname) ? 'offered' : 'required')
  if ((tls !== 'required' && tls !== 'offered') || url.hash !== '')
    throw new ConfigError(`${name} accepts only the options ?tls=required and ?tls=offered`)
  const isImplicit = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isImplicit ? 465 : 587) : Number(url.port),
    tls: isImplicit ? 'implicit' : tls,
    user: credential(url.username, name),
    password: credential(url.password, name),
  }
}

function credential(encoded: string, name: string): string | null {
  const value = tryDecode(encoded)
  if (value === undefined) throw new ConfigError(`${name} must have a percent-encoded user and password`)
  return value === '' ? null : value
}

/** Parses `office@example.com` or `Callout <office@example.com>`. */
function mailbox(value: string, name: string): MailServer['from'] {
  const [, sender = '', address = ''] =
    /^(?:([^<>"\p{Cc}]*)<)?([^\s@<>"(),;:\\[\]]+@[^\s@<>"(),;:\\[\]]+?)>?$/u.exec(value) ?? []
  if (address === '' || value.includes('<') !== value.endsWith('>'))
    throw new ConfigError(`${name} must look like office@example.com or Callout <office@example.com> (got '${value}')`)
  return { name: sender.trim() || null, address: address.toLowerCase() }
}

const MAX_SELECTORS = 5

function dkimSelectors(value: string, name: string): readonly string[] {
  const selectors = list(value)
  const invalid = selectors.find((one) => !/^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$/i.test(one))
  if (invalid !== undefined || selectors.length > MAX_SELECTORS)
    throw new ConfigError(
      `${name} must be up to ${MAX_SELECTORS} selectors such as s1 or s1,s2 (got ` +
        `'${(invalid ?? selectors.join()).slice(0, 100)}')`,
    )
  return selectors
}
