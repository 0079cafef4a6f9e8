import MailComposer from 'nodemailer/lib/mail-composer'
import { html, type Html } from '../../html/html.ts'
import type { MailAddress, MailToSend } from './sender.ts'

/** Returns a mail as the bytes of RFC 5322: its text, the same as HTML, and its files. */
export const mailBytes = (mail: MailToSend): Promise<Buffer> =>
  new MailComposer({
    messageId: mail.messageId,
    from: named(mail.from),
    to: named(mail.to),
    ...(mail.replyTo && { replyTo: named(mail.replyTo) }),
    subject: mail.subject,
    text: mail.text,
    html: asHtml(mail.text).toString(),
    ...(mail.inReplyTo && { inReplyTo: mail.inReplyTo, references: [mail.inReplyTo] }),
    headers: mail.isAutomatic ? { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } : {},
    attachments: mail.files.map(({ name, type, content }) => ({
      filename: name,
      contentType: type,
      content: Buffer.from(content),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
  })
    .compile()
    .build()

const named = ({ name, address }: MailAddress) => ({ name: name ?? '', address })

/** Returns a text with its paragraphs, lines and links. */
const asHtml = (text: string): Html =>
  html`<!doctype html><html><body>${text.split(/\n{2,}/).map((part) => html`<p>${part.split('\n').map((line, i) => html`${i === 0 ? '' : html`<br>`}${linked(line)}`)}</p>`)}</body></html>`

const LINK = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'])/

const linked = (line: string): (string | Html)[] =>
  line.split(LINK).map((part, i) => (i % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))
