import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailServer } from '../../../platform/config/config.ts'
import { mailBytes } from './mail.ts'
import { toReplyText, type Handover, type MailToSend, type Sender } from './sender.ts'

/** Overrides for tests: a trusted certificate and its server name. */
type SmtpTrust = { ca?: string; servername?: string }

/** Sends each email over SMTP (RFC 5321) on its own connection. */
export const smtpSender =
  (server: MailServer, trust: SmtpTrust = {}): Sender<MailToSend> =>
  async (mail, signal) => {
    const bytes = await mailBytes(mail)
    const message = Readable.from([bytes])
    let isFullySent = false
    message.once('end', () => (isFullySent = true))
    const connection = openConnection(server, trust)
    try {
      await signIn(connection, server, signal)
      const envelope = { from: mail.from.address, to: [mail.to.address], size: bytes.length }
      const { response } = await runCommand<{ response: string }>(connection, signal, (done) =>
        connection.send(envelope, message, (error, info) => done(error, info)),
      )
      connection.quit()
      return { end: 'handed_over', providerId: null, reply: toReplyText(response) }
    } catch (error) {
      connection.close()
      return classifyError(error as SmtpFault, isFullySent)
    }
  }

/** Signs in and disconnects; throws the server's error. */
export async function checkSmtp(server: MailServer, signal: AbortSignal): Promise<void> {
  const connection = openConnection(server)
  try {
    await signIn(connection, server, signal)
    connection.quit()
  } catch (error) {
    connection.close()
    throw error
  }
}

const openConnection = ({ host, port, tls }: MailServer, trust: SmtpTrust = {}): SMTPConnection =>
  new SMTPConnection({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'required',
    tls: { ...trust, minVersion: 'TLSv1.2' },
    connectionTimeout: 15_000,
    greetingTimeout: 30_000,
    socketTimeout: 120_000,
    socketCloseTimeout: 1_000,
    maxResponseSize: 2 ** 16,
  })

async function signIn(connection: SMTPConnection, { user, password }: MailServer, signal: AbortSignal): Promise<void> {
  await runCommand(connection, signal, (done) => connection.connect((error) => done(error ?? null)))
  if (user === null) return
  const credentials = { user, pass: password ?? '' }
  await runCommand(connection, signal, (done) => connection.login({ credentials }, (error) => done(error ?? null)))
}

/** Runs one command; the signal or a connection error ends it. */
function runCommand<T = void>(
  connection: SMTPConnection,
  signal: AbortSignal,
  start: (done: (error: Error | null, answer?: T) => void) => void,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const onAbort = (): void => reject(new Error('The mail server did not answer in time'))
  signal.addEventListener('abort', onAbort, { once: true })
  connection.on('error', reject)
  if (signal.aborted) onAbort()
  else start((error, answer) => (error === null ? resolve(answer as T) : reject(error)))
  return promise.finally(() => {
    signal.removeEventListener('abort', onAbort)
    connection.off('error', reject)
    connection.on('error', () => {})
  })
}

type SmtpFault = Error & { code?: string; responseCode?: number; response?: string; command?: string }

/**
 * Classifies an error. A reply to the message itself is definite. Without one, the server may have the message once its
 * last byte was sent (RFC 5321 6.1).
 */
function classifyError(
  { code, responseCode = 0, response, message, command = '' }: SmtpFault,
  isFullySent: boolean,
): Handover {
  const reply = toReplyText(response || message)
  const isOfMessage = ['EENVELOPE', 'EMESSAGE'].includes(code ?? '')
  if (isOfMessage && (responseCode >= 500 || (responseCode === 0 && ['API', 'MAIL FROM'].includes(command))))
    return { end: 'refused', reply, isOptOut: false }
  if (isFullySent && responseCode < 400) return { end: 'unknown', reply }
  return { end: 'later', reply }
}
