import type { MessageKind } from '../kinds.ts'

/** The default words of a kind of message in one language. */
type Wording = { email: { subject: string; body: string }; sms: { body: string } }
export type Wordings = Readonly<Record<MessageKind, Wording>>
