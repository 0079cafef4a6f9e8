import { scheduler } from 'node:timers/promises'
import {
  fetchDirectly,
  openModel,
  type Model,
  type ModelMessage,
  type ModelPrompt,
} from '../../assistant/models/model.ts'
import { parseArguments } from '../../assistant/tools.ts'
import type { ExamSubject } from '../attempt.ts'
import type { Dialog, ExamAgent, ConversationOptions, ModelInput, ToolResult, Turn } from './agent.ts'

type ModelOptions = {
  /** `provider/model`: `anthropic/…`, or any other provider with an OpenAI-compatible API at `url`. */
  model: string
  url?: string | undefined
  key?: string | undefined
}

type Content = Awaited<ReturnType<Model['doGenerate']>>['content'][number]

/** Maximum milliseconds and tokens of one answer. */
const ANSWER_TIMEOUT_MS = 120_000
const MAX_OUTPUT_TOKENS = 4_000

/** Opens a model for the exam. Throws an error that names the missing option. */
export async function openRemoteModel({ model, url, key }: ModelOptions): Promise<ExamAgent<ExamSubject>> {
  const [, provider, name] = /^([^/]+)\/(.+)$/.exec(model) ?? []
  if (provider === undefined || name === undefined) throw new Error(`--model must be provider/model, not ${model}`)
  const kind = provider === 'anthropic' ? 'anthropic' : 'openai-compatible'
  if (kind === 'anthropic' && key === undefined) throw new Error("Set ASSISTANT_KEY to the provider's API key")
  if (kind === 'openai-compatible' && url === undefined)
    throw new Error(`Set --url to the address of ${provider}, such as http://localhost:11434/v1`)
  const languageModel = await openModel(
    { provider: kind, model: name, url: url ?? null, key: key ?? null },
    fetchDirectly,
  )
  return { name: model, begin: (options) => converse(languageModel, options) }
}

/** Keeps the messages of one conversation. Every turn is one answer of the model. */
function converse(model: Model, { instructions, tools: offered, signal }: ConversationOptions): Dialog {
  const prompt: ModelPrompt = [{ role: 'system', content: instructions }]
  const tools = offered.map((tool) => ({ type: 'function' as const, ...tool, inputSchema: { ...tool.inputSchema } }))
  return {
    async runTurn(message: ModelInput): Promise<Turn> {
      prompt.push(toPrompt(message))
      const { content, usage } = await generate(model, { prompt, tools, maxOutputTokens: MAX_OUTPUT_TOKENS }, signal)
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

/** Milliseconds to wait before each retry of a provider that is busy or down. */
const RETRY_DELAYS_MS = [2_000, 8_000, 30_000]

async function generate(
  model: Model,
  request: Parameters<Model['doGenerate']>[0],
  signal: AbortSignal,
): Promise<Awaited<ReturnType<Model['doGenerate']>>> {
  for (let tries = 0; ; tries++) {
    try {
      const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)])
      return await model.doGenerate({ ...request, abortSignal })
    } catch (error) {
      const wait = RETRY_DELAYS_MS[tries]
      if (wait === undefined || !(error instanceof Error && 'isRetryable' in error && error.isRetryable === true))
        throw error
      await scheduler.wait(wait, { signal })
    }
  }
}

/** Converts a part to a call. Arguments that aren't a JSON object become an object that the tool refuses. */
function toToolUse(part: Content): Turn['calls'] {
  if (part.type !== 'tool-call') return []
  const { toolCallId: id, toolName: name, input } = part
  return [{ id, name, args: parseArguments(input) ?? { not_json: input } }]
}

const toAssistantMessage = ({ text, calls }: Turn): ModelMessage => ({
  role: 'assistant',
  content: [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, name, args }) => ({ type: 'tool-call' as const, toolCallId: id, toolName: name, input: args })),
  ],
})

function toPrompt(message: ModelInput): ModelMessage {
  if ('person' in message) return { role: 'user', content: [{ type: 'text', text: message.person }] }
  return { role: 'tool', content: message.results.map(toToolResult) }
}

const toToolResult = ({ id, name, text, isError }: ToolResult) => ({
  type: 'tool-result' as const,
  toolCallId: id,
  toolName: name,
  output: isError ? { type: 'error-text' as const, value: text } : { type: 'text' as const, value: text },
})
