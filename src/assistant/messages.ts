import type { EndReason } from './models/failures.ts'
import type { ModelCall } from './models/step.ts'
import type { ModelCallResult } from './tools.ts'

/** Message of a conversation. */
export type ChatMessage =
  /** `page` is the path of the page that the person was looking at. */
  | { role: 'user'; text: string; page: string | null }
  | { role: 'assistant'; text: string; calls: readonly ModelCall[] }
  | { role: 'tool'; results: readonly ModelCallResult[] }
  /** Reason why an answer ended before the model was done. */
  | { role: 'notice'; reason: EndReason }

export type StoredMessage = ChatMessage & { position: number; created_at: string }

export type MessageRow = { position: number; role: ChatMessage['role']; content: string; created_at: string }

/** Serializes a message for storage. */
export const toContent = (message: ChatMessage): string => JSON.stringify({ ...message, role: undefined })

/** Parses a message that `toContent` wrote. */
export const parseMessage = ({ role, content, ...row }: MessageRow): StoredMessage => ({
  ...row,
  role,
  ...JSON.parse(content),
})

/** Maximum length of a title in characters. */
const MAX_TITLE = 80

/** Returns the title of a conversation: the beginning of its first message. */
export function titleOf(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length <= MAX_TITLE ? line : `${line.slice(0, MAX_TITLE - 1).trimEnd()}…`
}
