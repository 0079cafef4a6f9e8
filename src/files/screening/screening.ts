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
  type_mismatch: () => say`content doesn't match its type`,
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
const MAX_TOTAL_BYTES = 25 * 2 ** 20
const MAX_FILES = 20

/** Maximum number of attachments to list, including rejected ones. */
const MAX_LISTED = 100

/** Accepts or rejects each attachment in order. */
export async function screenAttachments(attachments: readonly ReceivedAttachment[]): Promise<ScreenedFile[]> {
  const screened: ScreenedFile[] = []
  let totalBytes = 0
  for (const [i, attachment] of attachments.slice(0, MAX_LISTED).entries()) {
    const one = await screenAttachment(attachment, i, MAX_TOTAL_BYTES - totalBytes)
    totalBytes += one.bytes?.length ?? 0
    screened.push(one)
  }
  return screened
}

async function screenAttachment(
  { filename, content, contentType, leftOut }: ReceivedAttachment,
  i: number,
  remainingBytes: number,
): Promise<ScreenedFile> {
  const content_type = toStorableText(mediaTypeOf(contentType), 100)
  const file = { file_name: displayName(filename, content_type), content_type }
  if (i >= MAX_FILES) return { ...file, size_bytes: null, bytes: null, reason: 'too_many' }
  if (!MAIL_TYPES.has(content_type)) return { ...file, size_bytes: null, bytes: null, reason: 'type_not_allowed' }
  if (leftOut) return { ...file, size_bytes: null, bytes: null, reason: 'left_out' }
  const bytes = decodeBase64(content)
  if (bytes === undefined) return { ...file, size_bytes: null, bytes: null, reason: 'bad_base64' }
  return screenBytes(file, bytes, remainingBytes)
}

/** Checks whether messages may carry files of a type. */
export const isMailType = (content_type: string): boolean => MAIL_TYPES.has(content_type)

/**
 * Accepts or rejects the bytes of a file of an allowed type. `remainingBytes` is the number of bytes left for its
 * message.
 */
export async function screenBytes(
  file: { file_name: string; content_type: string },
  bytes: Buffer,
  remainingBytes: number,
): Promise<ScreenedFile> {
  const sizedFile = { ...file, size_bytes: bytes.length }
  if (bytes.length > MAX_BYTES) return { ...sizedFile, bytes: null, reason: 'too_large' }
  if (!(await isOfType(bytes, file.content_type, MAIL_TYPES)))
    return { ...sizedFile, bytes: null, reason: 'type_mismatch' }
  if (bytes.length > remainingBytes) return { ...sizedFile, bytes: null, reason: 'total_too_large' }
  return { ...sizedFile, bytes, reason: null }
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
