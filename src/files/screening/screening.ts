import { say } from '../../platform/i18n/say.ts'
import { toStorableText } from '../../platform/validation/text/storable.ts'
import { MAIL_TYPES, isOfType, mediaTypeOf } from './content_types.ts'
import { displayName } from '../file_names.ts'

/** Attachment as received. `content` is base64. */
type ReceivedAttachment = { filename: string; content: string; contentType: string; leftOut?: true | undefined }

const REASONS = {
  too_many: () => say`more than 20 attachments`,
  type_not_allowed: () => say`a type that isn't accepted`,
  bad_base64: () => say`not valid base64`,
  too_large: () => say`over 10 MiB`,
  type_mismatch: () => say`not what its type says`,
  total_too_large: () => say`over 25 MiB together with those before it`,
  left_out: () => say`left out while the mail waited for an owner`,
  gone: () => say`no longer with the provider`,
} as const

export type RejectionReason = keyof typeof REASONS

/** Returns the reason why an attachment was rejected, as text. */
export const reasonText = (reason: RejectionReason): string => REASONS[reason]()

/** Attachment after the checks: its bytes if accepted, otherwise the reason. */
export type ScreenedFile = { file_name: string; content_type: string; size_bytes: number | null } & (
  | { bytes: Buffer; reason: null }
  | { bytes: null; reason: RejectionReason }
  /** File with the provider. `source_url` is its URL, or null if there is none to fetch. */
  | { bytes: null; reason: null; source_url: string | null }
)

/** Limits in decoded bytes (docs/spec/messages.md#attachment-limits). */
export const MAX_BYTES = 10 * 2 ** 20
const MAX_BYTES_TOGETHER = 25 * 2 ** 20
const MAX_FILES = 20

/** Maximum number of attachments to list, including rejected ones. */
const MAX_LISTED = 100

/** Accepts or rejects each attachment in order. */
export async function screenAttachments(attachments: readonly ReceivedAttachment[]): Promise<ScreenedFile[]> {
  const screened: ScreenedFile[] = []
  let together = 0
  for (const [i, attachment] of attachments.slice(0, MAX_LISTED).entries()) {
    const one = await screenOne(attachment, i, MAX_BYTES_TOGETHER - together)
    together += one.bytes?.length ?? 0
    screened.push(one)
  }
  return screened
}

async function screenOne(
  { filename, content, contentType, leftOut }: ReceivedAttachment,
  i: number,
  room: number,
): Promise<ScreenedFile> {
  const content_type = toStorableText(mediaTypeOf(contentType), 100)
  const named = { file_name: displayName(filename, content_type), content_type }
  if (i >= MAX_FILES) return { ...named, size_bytes: null, bytes: null, reason: 'too_many' }
  if (!MAIL_TYPES.has(content_type)) return { ...named, size_bytes: null, bytes: null, reason: 'type_not_allowed' }
  if (leftOut) return { ...named, size_bytes: null, bytes: null, reason: 'left_out' }
  const bytes = decodeBase64(content)
  if (bytes === undefined) return { ...named, size_bytes: null, bytes: null, reason: 'bad_base64' }
  return screenBytes(named, bytes, room)
}

/** Checks whether messages may carry files of a type. */
export const isMailType = (content_type: string): boolean => MAIL_TYPES.has(content_type)

/** Accepts or rejects the bytes of a file of an allowed type. `room` is the number of bytes left for its message. */
export async function screenBytes(
  named: { file_name: string; content_type: string },
  bytes: Buffer,
  room: number,
): Promise<ScreenedFile> {
  const measured = { ...named, size_bytes: bytes.length }
  if (bytes.length > MAX_BYTES) return { ...measured, bytes: null, reason: 'too_large' }
  if (!(await isOfType(bytes, named.content_type, MAIL_TYPES)))
    return { ...measured, bytes: null, reason: 'type_mismatch' }
  if (bytes.length > room) return { ...measured, bytes: null, reason: 'total_too_large' }
  return { ...measured, bytes, reason: null }
}

/** Decodes padded base64 (RFC 4648, 4), which may have line ends; undefined for anything else. */
function decodeBase64(base64: string): Buffer | undefined {
  try {
    const { buffer, byteOffset, length } = Uint8Array.fromBase64(base64, { lastChunkHandling: 'strict' })
    return Buffer.from(buffer, byteOffset, length)
  } catch {
    return undefined
  }
}
