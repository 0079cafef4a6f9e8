import { z } from 'zod'

/** Maximum length of a message id in bytes: one line (RFC 5322 2.1.1). */
export const MAX_ID_LENGTH = 998

/** Attachment; inline parts may have no name, unusual ones no type. */
const attachment = z.object({
  filename: z
    .string()
    .nullish()
    .transform((name) => name ?? ''),
  content: z.string(),
  contentType: z
    .string()
    .nullish()
    .transform((type) => type ?? ''),
  // set by `truncateMail`
  leftOut: z.literal(true).optional(),
})

/** Body that the email provider posts (docs/spec/webhooks.md#inbound-email-fields); other fields are allowed. */
const payload = z.object({
  from: z.string(),
  to: z.union([z.string(), z.array(z.string())]),
  messageId: z
    .string()
    .trim()
    .min(1)
    .refine((id) => Buffer.byteLength(id) <= MAX_ID_LENGTH),
  subject: z.string().nullish(),
  text: z.string().nullish(),
  html: z.string().nullish(),
  inReplyTo: z.string().nullish(),
  dmarc: z.string().nullish(),
  attachments: z.array(attachment).nullish(),
})

export type Mail = z.infer<typeof payload>

/** Parses a posted body; returns undefined if it doesn't match the schema. */
export function parseMail(body: Buffer): Mail | undefined {
  try {
    return payload.safeParse(JSON.parse(body.toString())).data
  } catch {
    return undefined
  }
}
