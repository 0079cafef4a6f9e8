import { truncateBytes } from '../../../files/screening/long_text.ts'
import type { InboundMessage } from '../communication.ts'
import type { Mail } from './mail.ts'

/** Maximum bytes of mail without an owner (docs/spec/messages.md#unowned-email); smaller mail is stored unchanged. */
export const MAX_BYTES = 2 * 2 ** 20
const MAX_TEXT = 2 ** 19

const MAX_LINE_LENGTH = 2_000
const MAX_FILES = 100
const MAX_NAME_LENGTH = 255

/** Returns the part of a large mail to store while it waits for an owner: its text first, then the files that fit. */
export function truncateMail(mail: Mail, { recipients }: InboundMessage): Buffer {
  const files = (mail.attachments ?? [])
    .slice(0, MAX_FILES)
    .map(({ filename, contentType, content }) => ({
      filename: filename.slice(-MAX_NAME_LENGTH),
      contentType: contentType.slice(0, MAX_NAME_LENGTH),
      content,
    }))
  const message = { ...mailHeaders(mail, recipients), ...textOf(mail) }
  let remaining = MAX_BYTES - bytesOf({ ...message, attachments: files.map(dropContent) })
  const attachments = files.map((file) => {
    const size = bytesOf(file) - bytesOf(dropContent(file))
    if (size > remaining) return dropContent(file)
    remaining -= size
    return file
  })
  return Buffer.from(JSON.stringify({ ...message, attachments }))
}

const mailHeaders = ({ from, messageId, subject, inReplyTo, dmarc }: Mail, recipients: readonly string[]) => ({
  from: from.slice(0, MAX_LINE_LENGTH),
  to: recipients,
  messageId,
  subject: subject?.slice(0, MAX_LINE_LENGTH),
  inReplyTo: inReplyTo?.slice(0, MAX_LINE_LENGTH),
  dmarc: dmarc?.slice(0, 20),
})

/** Truncates the text; characters that JSON escapes count with their escaped length. */
function textOf({ text, html }: Mail): { text: string } | { html: string } {
  const plain = text ?? ''
  const isPlain = plain.trim() !== ''
  const part = (max: number) =>
    isPlain ? { text: truncateBytes(plain, max) } : { html: truncateBytes(html ?? '', max) }
  let max = MAX_TEXT
  while (bytesOf(part(max)) > 2 * MAX_TEXT) max /= 2
  return part(max)
}

const dropContent = <File extends { content: string }>(file: File) => ({ ...file, content: '', leftOut: true as const })

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value))
