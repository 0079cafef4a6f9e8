import type { Caller } from '../identity/credentials/caller.ts'
import type { Language } from '../platform/i18n/reader.ts'
import { isId } from '../platform/validation/id.ts'
import type { ChatMessage } from './messages.ts'
import { PROMPT_CACHING, type ModelMessage, type ModelPrompt } from './models/model.ts'
import { parseArguments } from './tools.ts'

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', es: 'Spanish' }

/** Instructions in addition to those that every client of the tools gets. */
const HOUSE_RULES = [
  "You talk with this person in a panel next to the service's pages.",
  'Be brief: a few plain sentences, or a short list of lines that begin with "- ". No tables or headings.',
  'Link to a record by its url as [its name](url); never show an id.',
  "The person sees each of your calls, so don't describe them.",
  'A change that waits for approval appears under your answer with a button to approve it: say in one sentence what it',
  "does, don't repeat its address, and don't send it again.",
  'If something important is missing, ask for it, one question at a time.',
].join(' ')

/** Returns the instructions of the tool endpoint, with the rules of the panel. */
export const systemPrompt = (instructions: string, language: Language): string =>
  `${instructions}\n${HOUSE_RULES}\nWrite in ${LANGUAGE_NAMES[language]}, unless the person writes in another language.`

/** Converts a conversation to a prompt for the model. */
export function toPrompt(
  system: string,
  messages: readonly ChatMessage[],
  { tenant }: Pick<Caller, 'tenant'>,
): ModelPrompt {
  const list = messages.flatMap((message, i) => [
    ...toModelMessages(message, tenant.id),
    ...(messages[i + 1]?.role === 'tool' ? [] : lostResults(message, tenant.id)),
  ])
  const last = list.at(-1)
  return [
    { role: 'system', content: system, providerOptions: PROMPT_CACHING },
    ...list.slice(0, -1),
    ...(last === undefined ? [] : [{ ...last, providerOptions: PROMPT_CACHING }]),
  ]
}

function toModelMessages(message: ChatMessage, tenant: string): ModelMessage[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: [{ type: 'text', text: pageText(message.page, tenant) + message.text }] }]
    case 'assistant':
      if (message.text.trim() === '' && message.calls.length === 0) return []
      return [
        {
          role: 'assistant',
          content: [
            ...(message.text.trim() === '' ? [] : [{ type: 'text' as const, text: message.text }]),
            ...message.calls.map(({ id, tool, input }) => ({
              type: 'tool-call' as const,
              toolCallId: id,
              toolName: tool,
              input: parseArguments(input) ?? {},
            })),
          ],
        },
      ]
    case 'tool':
      return [
        {
          role: 'tool',
          content: message.results.map(({ id, tool, text, isError }) => ({
            type: 'tool-result' as const,
            toolCallId: id,
            toolName: tool,
            output: { type: isError ? ('error-text' as const) : ('text' as const), value: text },
          })),
        },
      ]
    case 'notice':
      return []
  }
}

/**
 * Returns results for calls whose answer ended before any result was stored, for example after lost access or a crash.
 * Providers refuse a conversation in which a call has no result.
 */
function lostResults(message: ChatMessage, tenant: string): ModelMessage[] {
  if (message.role !== 'assistant' || message.calls.length === 0) return []
  const results = message.calls.map(({ id, tool }) => ({ id, tool, text: LOST_RESULT, isError: true }))
  return toModelMessages({ role: 'tool', results }, tenant)
}

const LOST_RESULT =
  'internal: the answer ended before the result was stored; check whether it was done before you send it again'

/** Names the page that the person looks at: the kind of record and its id. Sends nothing of the record itself. */
function pageText(page: string | null, tenant: string): string {
  const [, company, name = '', id = ''] = page?.split('/') ?? []
  if (company !== tenant || !/^[a-z_-]{1,40}$/.test(name)) return ''
  return `[They are looking at ${isId(id) ? `the record ${id} of ${name}` : `the page ${name}`}]\n`
}
