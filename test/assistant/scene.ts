import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import type { AnswerLimits } from '../../src/assistant/answer_limits.ts'
import { createCompany, startSite, newBrowser, type Browser } from '../harness/web_client.ts'
import type { Around } from '../harness/harness.ts'
import { startProvider, type WireFormat } from './provider.ts'

/** Opens a service whose assistant uses a fake provider, with a company and its owner's browser. */
export async function openAssistantScene(
  wire: WireFormat,
  { env = {}, pace, around = {} }: { env?: Record<string, string>; pace?: Partial<AnswerLimits>; around?: Around } = {},
) {
  const provider = await startProvider()
  const service = await startSite(
    { ...provider.settings(wire), ...env },
    { ...around, ...(pace && { assistantPace: pace }) },
  )
  const company = await createCompany(service, 'Comfort Air')
  const signIn = async (email: string): Promise<Browser> => {
    const browser = newBrowser(service)
    await browser.signIn(email)
    return browser
  }
  const owner = await signIn(company.owner.email)
  const at = (...steps: string[]): string => `/${[company.id, ...steps].join('/')}`
  const read = <T>(work: Parameters<typeof writeTenant<T>>[2]): Promise<T> =>
    writeTenant(service.database, { tenant: company.id }, work)
  return {
    provider,
    service,
    company,
    owner,
    signIn,
    at,
    read,
    /** Asks as the form does. Returns the path of the conversation and its page. */
    async ask(text: string, { browser = owner, path = at('assistant'), page = '' } = {}) {
      const sent = await browser.post(path, { text, page })
      const conversation = sent.location?.split('#')[0] ?? ''
      return {
        sent,
        path: conversation,
        page: conversation === '' ? sent.text : (await browser.get(conversation)).text,
      }
    },
    /** Asks as the script does. Returns a reader of the events. */
    async stream(text: string, { browser = owner, path = at('assistant'), signal }: StreamOptions = {}) {
      const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(new URL(path, service.config.baseUrl), {
        method: 'POST',
        body: new URLSearchParams({ text, page: '' }),
        headers: {
          accept: 'text/event-stream',
          origin: service.config.baseUrl,
          'sec-fetch-site': 'same-origin',
          cookie,
        },
        ...(signal && { signal }),
      })
      return { response, events: eventsIn(response) }
    },
    /** Waits until no answer is running. */
    async idle(): Promise<void> {
      for (;;) {
        const { count } = await read((db) =>
          db.one<{ count: number }>(sql`select count(*)::int as count from assistant_conversations
            where tenant_id = ${db.tenant} and running_until is not null`),
        )
        if (count === 0) return
      }
    },
    stop: async (): Promise<void> => {
      await service.stop()
      await provider.stop()
    },
  }
}

/** Reads the server-sent events of an answer. */
async function* eventsIn({ body }: Response): AsyncGenerator<{ event: string; data: Record<string, string> }> {
  let rest = ''
  for await (const text of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, event = '', data = '{}'] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? []
      yield { event, data: JSON.parse(data) as Record<string, string> }
    }
  }
}

type StreamOptions = { browser?: Browser; path?: string; signal?: AbortSignal }

export type AssistantScene = Awaited<ReturnType<typeof openAssistantScene>>

type Body = Readonly<Record<string, unknown>>

/** Returns the tool results in a request to the provider, in either wire format. */
export function resultsIn(body: Body): string[] {
  const messages = body['messages'] as { role: string; content: unknown }[]
  return messages.flatMap(({ role, content }) => {
    if (role === 'tool') return [textOf(content)]
    if (!Array.isArray(content)) return []
    return (content as { type: string; content?: unknown }[])
      .filter(({ type }) => type === 'tool_result')
      .map((block) => textOf(block.content))
  })
}

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : (content as { text?: string }[]).map(({ text = '' }) => text).join('')

/** Returns the system prompt in a request to the provider. */
export function systemIn(body: Body): string {
  const { system, messages } = body as { system?: { text: string }[]; messages: { role: string; content: unknown }[] }
  return system === undefined
    ? textOf(messages.find(({ role }) => role === 'system')?.content ?? '')
    : system.map(({ text }) => text).join('\n')
}

/** Returns the tool names in a request to the provider. */
export const toolsIn = ({ tools = [] }: { tools?: unknown }): string[] =>
  (tools as { name?: string; function?: { name: string } }[]).map((tool) => tool.name ?? tool.function?.name ?? '')
