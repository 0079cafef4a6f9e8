import MailComposer from 'nodemailer/lib/mail-composer'
import { LOGO_ID, mailHtml } from './mail_html.ts'
import type { MailAddress, MailToSend } from './sender.ts'

/** Returns a mail as the bytes of RFC 5322: its text, the same in the company's look, and its files. */
export const mailBytes = (mail: MailToSend): Promise<Buffer> =>
  new MailComposer({
    messageId: mail.messageId,
    from: named(mail.from),
    to: named(mail.to),
    ...(mail.replyTo && { replyTo: named(mail.replyTo) }),
    subject: mail.subject,
    text: mail.text,
    html: mailHtml(mail.subject, mail.text, mail.look),
    ...(mail.inReplyTo && { inReplyTo: mail.inReplyTo, references: [...mail.references] }),
    headers: mail.isAutomatic ? { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } : {},
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

const named = ({ name, address }: MailAddress) => ({ name: name ?? '', address })

const logoOf = ({ look: { logo } }: MailToSend) =>
  logo === null ? [] : [{ filename: 'logo', contentType: logo.type, content: Buffer.from(logo.content), cid: LOGO_ID }]
