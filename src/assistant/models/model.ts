import type { AnthropicProvider } from '@ai-sdk/anthropic'
import type { ModelConfig } from '../../platform/config/config.ts'
import { ModelAnswerTooLong } from './failures.ts'

/** Language model of any provider, as the packages of the AI SDK define it. */
export type Model = ReturnType<AnthropicProvider['languageModel']>
type ModelRequest = Parameters<Model['doStream']>[0]
export type ModelPrompt = ModelRequest['prompt']
export type ModelMessage = ModelPrompt[number]
export type ModelTool = Extract<NonNullable<ModelRequest['tools']>[number], { type: 'function' }>
export type ModelPart =
  Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

export type FetchModel = typeof globalThis.fetch

/** Model of a company, the function that sends its requests, and whether it is the company's own. */
export type CompanyModel = { config: ModelConfig; fetchModel: FetchModel; isOwn: boolean }

/** Returns a model. Loads its package on first use, since most processes need none. */
export async function openModel(
  { provider: kind, model, key, url }: Omit<ModelConfig, 'inputPrice' | 'outputPrice'>,
  fetchModel: FetchModel,
): Promise<Model> {
  const fetchBounded = limitAnswers(fetchModel)
  if (kind === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    const provider = createAnthropic({ apiKey: key ?? '', fetch: fetchBounded, ...(url !== null && { baseURL: url }) })
    return provider.languageModel(model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const provider = createOpenAICompatible({
    name: 'provider',
    baseURL: url ?? '',
    includeUsage: true,
    fetch: fetchBounded,
    ...(key !== null && { apiKey: key }),
  })
  return provider.chatModel(model)
}

/** Maximum bytes of a provider's answer: the packages buffer incomplete parts, and a refusal as one text. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024

/** Returns a fetch function that ends answers that are too long. */
const limitAnswers =
  (fetchModel: FetchModel): FetchModel =>
  async (input, init) => {
    const response = await fetchModel(input, init)
    return response.body === null ? response : new Response(response.body.pipeThrough(byteLimit()), response)
  }

function byteLimit(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes > MAX_ANSWER_BYTES) throw new ModelAnswerTooLong(`The answer has more than ${MAX_ANSWER_BYTES} bytes`)
      controller.enqueue(chunk)
    },
  })
}

/** Sends a request to the operator's own model. Follows no redirect, since the request has the key. */
export const fetchDirectly: FetchModel = (input, init) => fetch(input, { ...init, redirect: 'error' })

/**
 * Option that makes Anthropic cache the prompt up to here for five minutes, at a tenth of the price. Others ignore it.
 */
export const PROMPT_CACHING = { anthropic: { cacheControl: { type: 'ephemeral' } } }
