import { z } from 'zod'
import { readJson } from '../../../platform/validation/json_fields.ts'

/** Maximum characters of a browser's passkey response, as JSON. */
export const MAX_PASSKEY_CHARS = 16 * 1024

const base64urlText = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/)

const common = { id: base64urlText(1_400), rawId: base64urlText(1_400), type: z.literal('public-key') }

const createdPasskeySchema = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64urlText(4_000),
    attestationObject: base64urlText(10_000),
    transports: z
      .array(
        z
          .string()
          .max(20)
          .regex(/^[\w-]+$/),
      )
      .max(10)
      .optional()
      .catch(undefined),
  }),
})

const usedPasskeySchema = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64urlText(4_000),
    authenticatorData: base64urlText(2_000),
    signature: base64urlText(5_000),
    userHandle: base64urlText(100)
      .nullish()
      .transform((handle) => handle ?? undefined),
  }),
})

/** Browser's response for a new passkey (WebAuthn 5.1, RegistrationResponseJSON). */
export type CreatedPasskey = z.infer<typeof createdPasskeySchema>

/** Browser's response for a passkey in use (WebAuthn 5.1, AuthenticationResponseJSON). */
export type UsedPasskey = z.infer<typeof usedPasskeySchema>

/** Parses a browser's response for a new passkey; null if malformed. */
export const parseCreatedPasskey = (text: string): CreatedPasskey | null => parseResponse(createdPasskeySchema, text)

/** Parses a browser's response for a passkey in use; null if malformed. */
export const parseUsedPasskey = (text: string): UsedPasskey | null => parseResponse(usedPasskeySchema, text)

function parseResponse<T>(type: z.ZodType<T>, text: string): T | null {
  if (text.length > MAX_PASSKEY_CHARS) return null
  return type.safeParse(readJson(text)).data ?? null
}

/** Returns the signed challenge from the client data; null if there is none. */
export function challengeIn({ response }: CreatedPasskey | UsedPasskey): string | null {
  const clientData = readJson(Buffer.from(response.clientDataJSON, 'base64url'))
  return z.object({ challenge: base64urlText(200) }).safeParse(clientData).data?.challenge ?? null
}
