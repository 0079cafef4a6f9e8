import { z } from 'zod'

/** Limits the characters of what a browser sends of a passkey, as JSON. */
export const PASSKEY_CHARS = 16 * 1024

const encoded = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\w-]+$/)

const common = { id: encoded(1_400), rawId: encoded(1_400), type: z.literal('public-key') }

const created = z.object({
  ...common,
  response: z.object({
    clientDataJSON: encoded(4_000),
    attestationObject: encoded(10_000),
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

const used = z.object({
  ...common,
  response: z.object({
    clientDataJSON: encoded(4_000),
    authenticatorData: encoded(2_000),
    signature: encoded(5_000),
    userHandle: encoded(100)
      .nullish()
      .transform((handle) => handle ?? undefined),
  }),
})

/** Is what a browser says of a passkey that it has just made (WebAuthn 5.1, RegistrationResponseJSON). */
export type CreatedPasskey = z.infer<typeof created>

/** Is what a browser says of a passkey that it has just used (WebAuthn 5.1, AuthenticationResponseJSON). */
export type UsedPasskey = z.infer<typeof used>

/** Reads what a browser sent of a new passkey; null when it has another form. */
export const readCreated = (text: string): CreatedPasskey | null => read(created, text)

/** Reads what a browser sent of a passkey in use; null when it has another form. */
export const readUsed = (text: string): UsedPasskey | null => read(used, text)

function read<T>(type: z.ZodType<T>, text: string): T | null {
  if (text.length > PASSKEY_CHARS) return null
  return type.safeParse(parsed(text)).data ?? null
}

/** Returns the challenge that was signed, as the browser says it; null when it says none. */
export function challengeIn({ response }: CreatedPasskey | UsedPasskey): string | null {
  const said = parsed(Buffer.from(response.clientDataJSON, 'base64url').toString())
  return z.object({ challenge: encoded(200) }).safeParse(said).data?.challenge ?? null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
