import { beginningOf } from '../../../files/screening/long_text.ts'
import type { InboundMessage } from '../communication.ts'
import type { Mail } from './mail.ts'

/** Limits mail without an owner (docs/spec/messages.md#unowned-mail); smaller mail is kept as it came. */
export const MAX_BYTES = 2 * 2 ** 20
const MAX_TEXT = 2 ** 19

const LONGEST_LINE = 2_000
const MAX_FILES = 100
const LONGEST_NAME = 255

/** Returns what is kept of a large mail while it waits for an owner: its text first, then the files that still fit. */
export function keptOfUnowned(mail: Mail, { recipients }: InboundMessage): Buffer {
  const files = (mail.attachments ?? [])
    .slice(0, MAX_FILES)
    .map(({ filename, contentType, content }) => ({
      filename: filename.slice(-LONGEST_NAME),
      contentType: contentType.slice(0, LONGEST_NAME),
      content,
    }))
  const message = { ...told(mail, recipients), ...textOf(mail) }
  let left = MAX_BYTES - bytesOf({ ...message, attachments: files.map(leftOut) })
  const attachments = files.map((file) => {
    const takes = bytesOf(file) - bytesOf(leftOut(file))
    if (takes > left) return leftOut(file)
    left -= takes
    return file
  })
  return Buffer.from(JSON.stringify({ ...message, attachments }))
}

const told = ({ from, messageId, subject, inReplyTo, dmarc }: Mail, recipients: readonly string[]) => ({
  from: from.slice(0, LONGEST_LINE),
  to: recipients,
  messageId,
  subject: subject?.slice(0, LONGEST_LINE),
  inReplyTo: inReplyTo?.slice(0, LONGEST_LINE),
  dmarc: dmarc?.slice(0, 20),
})

/** Cuts the text; characters that JSON escapes count as what they become. */
function textOf({ text, html }: Mail): { text: string } | { html: string } {
  const isPlain = (text ?? '').trim() !== ''
  const part = (most: number) =>
    isPlain ? { text: beginningOf(text!, most) } : { html: beginningOf(html ?? '', most) }
  let most = MAX_TEXT
  while (bytesOf(part(most)) > 2 * MAX_TEXT) most /= 2
  return part(most)
}

const leftOut = <File extends { content: string }>(file: File) => ({ ...file, content: '', leftOut: true as const })

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value))
