import type { MessageKind } from '../kinds.ts'

/** Default texts of one kind of message in one language. */
type Wording = { email: { subject: string; body: string }; sms: { body: string } }
export type Wordings = Readonly<Record<MessageKind, Wording>>
