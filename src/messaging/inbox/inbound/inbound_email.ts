import { createHash } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import type { Database } from '../../../platform/db/tenant.ts'
import { toStorableText } from '../../../platform/validation/text/storable.ts'
import { parseAddressList } from '../addresses.ts'
import type { InboundMessage } from '../communication.ts'
import { deliverMessage } from './deliver.ts'
import { findTenantsByAddress } from '../directory.ts'
import { htmlToText } from './html_text.ts'
import { MAX_ID_LENGTH, parseMail, type Mail } from './mail.ts'
import { screenAttachments } from '../../../files/screening/screening.ts'
import { MAX_BYTES, truncateMail } from './unowned_mail.ts'

/**
 * Stores an email once in each company whose address received it, ignoring repeated deliveries; `body` is the raw JSON.
 */
export async function receiveEmail(database: Database, message: InboundMessage, body: Buffer): Promise<void> {
  const owners = await findTenantsByAddress(database, message.recipients)
  const mail = owners.length === 0 && body.length > MAX_BYTES ? parseMail(body) : undefined
  await deliverMessage(database, owners, message, mail === undefined ? body : truncateMail(mail, message))
}

/** Parses a signed body; returns undefined if it doesn't match the schema. */
export async function parseEmail(body: Buffer): Promise<InboundMessage | undefined> {
  const mail = parseMail(body)
  if (mail === undefined) return undefined
  const sender_address = parseAddressList(mail.from)[0] ?? ''
  return {
    channel: 'email',
    provider_message_id: toStorableText(mail.messageId, MAX_ID_LENGTH),
    sender: line(mail.from),
    sender_address,
    recipients: parseAddressList(mail.to),
    subject: line(mail.subject),
    body: bodyOf(mail),
    html: toStorableText(mail.html, Infinity),
    answers: idsIn(mail.inReplyTo),
    dmarc: dmarcOf(mail.dmarc),
    contactKeys: { phone: null, emails: sender_address === '' ? [] : spellingsOfDomain(sender_address) },
    counterpart: null,
    content_hash: hashOf(mail),
    attachments: await screenAttachments(mail.attachments ?? []),
  }
}

const MAX_LINE = 998
function line(text: string): string
function line(text: string | null | undefined): string | null
function line(text: string | null | undefined): string | null {
  return toStorableText(text, MAX_LINE)?.trim() ?? null
}

/** Returns the plain text, or the text of the HTML if there is none. */
function bodyOf({ text, html }: Mail): string {
  const plain = toStorableText(text, Infinity) ?? ''
  return plain.trim() === '' && html != null ? htmlToText(toStorableText(html, Infinity)) : plain
}

const MAX_IDS = 20

/** Parses `<a@x> <b@x>`, or a single id without brackets. */
function idsIn(text: string | null | undefined): string[] {
  const trimmed = toStorableText(text, MAX_ID_LENGTH * 2)?.trim() ?? ''
  return trimmed === '' ? [] : (trimmed.match(/<[^<>]+>/g) ?? [trimmed]).slice(0, MAX_IDS)
}

/** Returns the DMARC result; unknown values count as none. */
function dmarcOf(result: string | null | undefined): NonNullable<InboundMessage['dmarc']> {
  const word = result?.trim().toLowerCase()
  return word === 'pass' || word === 'fail' || word === 'neutral' ? word : 'none'
}

/** Returns an address, also with its domain in Unicode, since contacts may be stored that way. */
function spellingsOfDomain(address: string): string[] {
  const at = address.lastIndexOf('@') + 1
  return [...new Set([address, address.slice(0, at) + domainToUnicode(address.slice(at))])]
}

/** Hashes the content that distinguishes messages. Excludes recipients, since each may get a separate delivery. */
function hashOf({ from, subject, text, html, inReplyTo, attachments }: Mail): Buffer {
  const files = (attachments ?? []).map(({ filename, contentType, content }) => [
    filename,
    contentType,
    createHash('sha256').update(content).digest('hex'),
  ])
  const parts = [from, subject, text, html, inReplyTo].map((part) => part ?? null)
  return createHash('sha256')
    .update(JSON.stringify([parts, files]))
    .digest()
}
