import type { AnthropicProvider } from '@ai-sdk/anthropic'
import type { ExamSubject } from '../attempt.ts'
import type { Dialog, Examinee, ModelInput, OfferedTool, ToolResult, Turn } from './examinee.ts'

export type ModelOptions = {
  /** `provider/model`: `anthropic/…`, or any other provider that speaks the format of OpenAI at `url`. */
  model: string
  url?: string | undefined
  key?: string | undefined
}

/** A language model of any provider, as the packages of the AI SDK describe it. */
type Model = ReturnType<AnthropicProvider['languageModel']>
type Prompt = Parameters<Model['doGenerate']>[0]['prompt']
type PromptMessage = Prompt[number]
type Content = Awaited<ReturnType<Model['doGenerate']>>['content'][number]

/** Maximum time of one answer in milliseconds, and of its tokens. */
const ANSWER_MS = 120_000
const MAX_OUTPUT_TOKENS = 4_000

/** Opens a model for the exam. Throws a sentence about what is missing. */
export async function openModel({ model, url, key }: ModelOptions): Promise<Examinee<ExamSubject>> {
  const [, provider, name] = /^([^/]+)\/(.+)$/.exec(model) ?? []
  if (provider === undefined || name === undefined) throw new Error(`--model is provider/model, not ${model}`)
  const language = await openLanguageModel(provider, name, { url, key })
  return { name: model, begin: ({ instructions, tools }) => converse(language, instructions, tools) }
}

/** The packages are read when one is needed. */
async function openLanguageModel(
  provider: string,
  name: string,
  { url, key }: Pick<ModelOptions, 'url' | 'key'>,
): Promise<Model> {
  if (provider === 'anthropic') {
    if (key === undefined) throw new Error('Set ASSISTANT_KEY to the API key of the provider')
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ apiKey: key, ...(url !== undefined && { baseURL: url }) }).languageModel(name)
  }
  if (url === undefined)
    throw new Error(`Name the address of ${provider} with --url, such as http://localhost:11434/v1`)
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name: 'provider',
    baseURL: url,
    ...(key !== undefined && { apiKey: key }),
  }).chatModel(name)
}

/** Holds the messages of one conversation; every turn is one answer of the model. */
function converse(model: Model, instructions: string, offered: readonly OfferedTool[]): Dialog {
  const prompt: Prompt = [{ role: 'system', content: instructions }]
  const tools = offered.map(({ name, description, inputSchema }) => ({
    type: 'function' as const,
    name,
    description,
    inputSchema,
  }))
  return {
    async runTurn(message: ModelInput): Promise<Turn> {
      prompt.push(toPrompt(message))
      const { content, usage } = await generate(model, {
        prompt,
        tools,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        abortSignal: AbortSignal.timeout(ANSWER_MS),
      })
      const turn = {
        text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
        calls: content.flatMap(toToolUse),
        usage: { inputTokens: usage.inputTokens.total ?? 0, outputTokens: usage.outputTokens.total ?? 0 },
      }
      prompt.push(toAssistantMessage(turn))
      return turn
    },
  }
}

/** Waits in milliseconds before a provider that is busy or down is asked again. */
const RETRIES_MS = [2_000, 8_000, 30_000]

async function generate(
  model: Model,
  request: Parameters<Model['doGenerate']>[0],
): Promise<Awaited<ReturnType<Model['doGenerate']>>> {
  for (const wait of RETRIES_MS) {
    try {
      return await model.doGenerate(request)
    } catch (error) {
      if (!(error instanceof Error && 'isRetryable' in error && error.isRetryable === true)) throw error
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
  return model.doGenerate(request)
}

/** Returns a call. Arguments that are no JSON object become one that the tool refuses. */
function toToolUse(part: Content): Turn['calls'] {
  if (part.type !== 'tool-call') return []
  return [{ id: part.toolCallId, name: part.toolName, args: readArguments(part.input) }]
}

function readArguments(input: string): Record<string, unknown> {
  try {
    const args: unknown = JSON.parse(input === '' ? '{}' : input)
    return typeof args === 'object' && args !== null && !Array.isArray(args) ? { ...args } : { not_an_object: args }
  } catch {
    return { not_json: input }
  }
}

const toAssistantMessage = ({ text, calls }: Turn): PromptMessage => ({
  role: 'assistant',
  content: [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, name, args }) => ({ type: 'tool-call' as const, toolCallId: id, toolName: name, input: args })),
  ],
})

function toPrompt(message: ModelInput): PromptMessage {
  if ('person' in message) return { role: 'user', content: [{ type: 'text', text: message.person }] }
  return { role: 'tool', content: message.results.map(toToolResult) }
}

const toToolResult = ({ id, name, text, isError }: ToolResult) => ({
  type: 'tool-result' as const,
  toolCallId: id,
  toolName: name,
  output: isError ? { type: 'error-text' as const, value: text } : { type: 'text' as const, value: text },
})
