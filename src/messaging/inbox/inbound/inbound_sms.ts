import { createHash } from 'node:crypto'
import type { Database } from '../../../platform/db/tenant.ts'
import { parsePhoneQuery } from '../../../platform/validation/formats/phone.ts'
import { toStorableText } from '../../../platform/validation/text/storable.ts'
import type { InboundMessage } from '../communication.ts'
import { mediaTypeOf } from '../../../files/screening/content_types.ts'
import { deliverMessage } from './deliver.ts'
import { findTenantByNumber } from '../directory.ts'
import { displayName } from '../../../files/file_names.ts'
import type { ScreenedFile } from '../../../files/screening/screening.ts'

/** SMS as the provider signed it. */
export type InboundSms = { sid: string; from: string; to: string; body: string; pictures?: readonly ReportedPicture[] }

/** Picture as the provider reports it: URL and media type. */
export type ReportedPicture = { url: string; type: string }

/** Stores an SMS once in the company whose number received it, ignoring repeated deliveries. */
export async function receiveSms(database: Database, sms: InboundSms): Promise<void> {
  const message = parseSms(sms)
  const owner = await findTenantByNumber(database, message.recipients[0] ?? '')
  await deliverMessage(database, owner === undefined ? [] : [owner], message, Buffer.from(JSON.stringify(sms)))
}

/** Converts a signed SMS to a message. */
export function parseSms({ sid, from, to, body, pictures = [] }: InboundSms): InboundMessage {
  const sender_address = numberOf(from)
  const recipient = numberOf(to)
  return {
    channel: 'sms',
    provider_message_id: sid,
    sender: line(from),
    sender_address,
    recipients: [recipient],
    subject: null,
    body: toStorableText(body, MAX_BODY),
    html: null,
    answers: [],
    dmarc: null,
    contactKeys: { phone: sender_address.startsWith('+') ? sender_address : null, emails: [] },
    counterpart: `${sender_address} ${recipient}`,
    content_hash: createHash('sha256')
      .update(JSON.stringify([from, to, body, ...pictures]))
      .digest(),
    attachments: pictures.slice(0, MAX_PICTURES).map(pictureOf),
  }
}

const MAX_PICTURES = 10
const MAX_URL_LENGTH = 2_000

/** Returns a picture as a link; the file stays with the provider. Only https URLs are stored. */
function pictureOf({ url, type }: ReportedPicture, i: number): ScreenedFile {
  const content_type = toStorableText(mediaTypeOf(type), 100)
  const isAddress = url.length <= MAX_URL_LENGTH && URL.parse(url)?.protocol === 'https:'
  return {
    file_name: displayName(`picture ${i + 1}`, content_type),
    content_type,
    size_bytes: null,
    bytes: null,
    reason: null,
    source_url: isAddress ? toStorableText(url, MAX_URL_LENGTH) : null,
  }
}

const MAX_BODY = 2 ** 16
const MAX_LINE = 200

const line = (text: string): string => toStorableText(text, MAX_LINE).trim()

/** Returns E.164; short codes and alphanumeric sender names stay as they are. */
const numberOf = (text: string): string => (/^\s*\+/.test(text) ? parsePhoneQuery(text, '') : undefined) ?? line(text)
