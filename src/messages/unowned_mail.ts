import { beginningOf } from '../files/long_text.ts'
import type { Inbound } from './communication.ts'
import type { Mail } from './mail.ts'

/** Of mail that is nobody's (webhooks 4); smaller mail is kept as it came. */
export const MOST_BYTES = 2 * 2 ** 20
const MOST_TEXT = 2 ** 19

const LONGEST_LINE = 2_000
const MOST_FILES = 100
const LONGEST_NAME = 255

/** What is kept of a large mail while it waits for an owner: its text first, then the files that still fit. */
export function keptOfUnowned(mail: Mail, { recipients }: Inbound): Buffer {
  const files = (mail.attachments ?? []).slice(0, MOST_FILES).map(({ filename, contentType, content }) =>
    ({ filename: filename.slice(-LONGEST_NAME), contentType: contentType.slice(0, LONGEST_NAME), content }))
  const message = { ...told(mail, recipients), ...textOf(mail) }
  let left = MOST_BYTES - bytesOf({ ...message, attachments: files.map(leftOut) })
  const attachments = files.map((file) => {
    const takes = bytesOf(file) - bytesOf(leftOut(file))
    if (takes > left) return leftOut(file)
    left -= takes
    return file
  })
  return Buffer.from(JSON.stringify({ ...message, attachments }))
}

const told = ({ from, messageId, subject, inReplyTo, dmarc }: Mail, recipients: readonly string[]) =>
  ({ from: from.slice(0, LONGEST_LINE), to: recipients, messageId, subject: subject?.slice(0, LONGEST_LINE), inReplyTo: inReplyTo?.slice(0, LONGEST_LINE), dmarc: dmarc?.slice(0, 20) })

/** Characters that JSON escapes count for what they become. */
function textOf({ text, html }: Mail): { text: string } | { html: string } {
  const isPlain = (text ?? '').trim() !== ''
  const part = (most: number) => (isPlain ? { text: beginningOf(text!, most) } : { html: beginningOf(html ?? '', most) })
  let most = MOST_TEXT
  while (bytesOf(part(most)) > 2 * MOST_TEXT) most /= 2
  return part(most)
}

const leftOut = <File extends { content: string }>(file: File) => ({ ...file, content: '', leftOut: true as const })

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value))
