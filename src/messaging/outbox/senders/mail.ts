import MailComposer from 'nodemailer/lib/mail-composer'
import { LOGO_ID, mailHtml } from './mail_html.ts'
import type { MailAddress, MailToSend } from './sender.ts'

/** Returns an email as RFC 5322 bytes: plain text, branded HTML and attachments. */
export const mailBytes = (mail: MailToSend): Promise<Buffer> =>
  new MailComposer({
    messageId: mail.messageId,
    from: toMailbox(mail.from),
    to: toMailbox(mail.to),
    ...(mail.replyTo && { replyTo: toMailbox(mail.replyTo) }),
    subject: mail.subject,
    text: mail.unsubscribe === null ? mail.text : `${mail.text}\n\n${mail.look.unsubscribeLabel}: ${mail.unsubscribe}`,
    html: mailHtml(mail.subject, mail.text, mail.look, mail.unsubscribe),
    ...(mail.inReplyTo && { inReplyTo: mail.inReplyTo, references: [...mail.references] }),
    headers: {
      ...(mail.isAutomatic && AUTOMATIC),
      ...(mail.unsubscribe !== null && unsubscribeHeaders(mail.unsubscribe)),
    },
    attachments: [
      ...logoOf(mail),
      ...mail.files.map(({ name, type, content }) => ({
        filename: name,
        contentType: type,
        content: Buffer.from(content),
      })),
    ],
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
  })
    .compile()
    .build()

const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

/** Returns the headers of RFC 2369 and RFC 8058; the latter requires https. */
const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  ...(url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
})

const toMailbox = ({ name, address }: MailAddress) => ({ name: name ?? '', address })

const logoOf = ({ look: { logo } }: MailToSend) =>
  logo === null ? [] : [{ filename: 'logo', contentType: logo.type, content: Buffer.from(logo.content), cid: LOGO_ID }]
