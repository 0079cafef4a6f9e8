import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { simpleParser, type ParsedMail } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { MailServer } from '../../../src/platform/config/config.ts'

/** Mail that the server accepted. */
export type ReceivedMail = { from: string; to: string[]; raw: string; mail: ParsedMail }

/** Behavior of the server. Each function is called for every message. */
export type Behavior = {
  /** Returns the refusal of a recipient, such as `450 try later`. */
  atRecipient?: (address: string) => string | undefined | Promise<string | undefined>
  /** Called with the message. A text refuses it; null accepts it and sends no answer. */
  atEnd?: (taken: ReceivedMail) => string | null | undefined | Promise<string | null | undefined>
}

/** Starts a mail server on loopback that keeps accepted mail. */
export async function startMailServer(behavior: Behavior = {}, options: SMTPServerOptions = {}) {
  const taken: ReceivedMail[] = []
  const how = { ...behavior }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key === undefined ? ['STARTTLS'] : [],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onAuth: ({ username, password }, _, done) =>
      username === 'user' && password === 'p@ss' ? done(null, { user: username }) : done(refusal('535 Wrong password')),
    onRcptTo: ({ address }, _, done) => {
      void (async () => {
        const said = await how.atRecipient?.(address)
        done(said === undefined ? null : refusal(said))
      })()
    },
    onData: (stream, session, done) => {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const raw = Buffer.concat(pieces).toString()
        const from = session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address
        const to = session.envelope.rcptTo.map(({ address }) => address)
        void (async () => {
          const one = { from, to, raw, mail: await simpleParser(raw) }
          const said = await how.atEnd?.(one)
          if (typeof said === 'string') return done(refusal(said))
          taken.push(one)
          if (said === undefined) done(null, 'queued as 4F2A')
        })()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const config: MailServer = {
    host: '127.0.0.1',
    port,
    tls: 'offered',
    user: 'user',
    password: 'p@ss',
    from: { name: 'Callout', address: 'callout@mail.example' },
  }
  return { config, taken, how, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

/** Makes an error with the reply that the server sends, such as `450 try later`. */
function refusal(said: string): Error {
  const [, code = '', words = ''] = /^(\d{3}) (.*)$/.exec(said) ?? []
  return Object.assign(new Error(words), { responseCode: Number(code) })
}
