import type { AnthropicProvider } from '@ai-sdk/anthropic'
import type { ModelConfig } from '../../platform/config/config.ts'

/** A language model of any provider, as the packages of the AI SDK describe it. */
export type Model = ReturnType<AnthropicProvider['languageModel']>
type ModelRequest = Parameters<Model['doStream']>[0]
export type ModelPrompt = ModelRequest['prompt']
export type ModelMessage = ModelPrompt[number]
export type ModelTool = Extract<NonNullable<ModelRequest['tools']>[number], { type: 'function' }>
export type ModelPart =
  Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

export type FetchModel = typeof globalThis.fetch

/** Model of a company, how its requests are sent, and whether it is the company's own. */
export type CompanyModel = { config: ModelConfig; fetchModel: FetchModel; isOwn: boolean }

/** Returns a model. The packages are read when one is needed first, since most processes need none. */
export async function openModel(config: ModelConfig, fetchModel: FetchModel): Promise<Model> {
  const { model, key, url } = config
  if (config.provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    const provider = createAnthropic({ apiKey: key ?? '', fetch: fetchModel, ...(url !== null && { baseURL: url }) })
    return provider.languageModel(model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const provider = createOpenAICompatible({
    name: 'provider',
    baseURL: url ?? '',
    includeUsage: true,
    fetch: fetchModel,
    ...(key !== null && { apiKey: key }),
  })
  return provider.chatModel(model)
}

/** Sends a request of the operator's own model, and follows no redirect with its key. */
export const fetchDirectly: FetchModel = (input, init) => fetch(input, { ...init, redirect: 'error' })

/**
 * Option that makes Anthropic keep what comes before it for five minutes, at a tenth of the price; others ignore it.
 */
export const KEPT_FOR_REUSE = { anthropic: { cacheControl: { type: 'ephemeral' } } }
