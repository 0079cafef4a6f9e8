import { address, oneOf, text, wholeNumber } from '../../parsers.ts'
import { ConfigError, setting, topic } from '../../setting.ts'

export type ModelProvider = 'anthropic' | 'openai-compatible'

/** Language model that the assistant uses. Prices are dollars per million tokens; null: costs aren't computed. */
export type ModelConfig = {
  provider: ModelProvider
  model: string
  key: string | null
  url: string | null
  inputPrice: number | null
  outputPrice: number | null
}

/** `keepDays` is the retention of a conversation after its last message; a limit of 0 means no limit. */
export type AssistantConfig = {
  model: ModelConfig | null
  maxConversationTokens: number
  maxDayTokens: number
  keepDays: number
}

const missingMessage = (name: string): string => `${name} is missing: the assistant needs a provider and a model`

/** Maximum value of a token limit, in thousands. */
const MAX_THOUSANDS = 1_000_000

export const assistant = topic(
  'Assistant',
  {
    provider: setting('ASSISTANT_PROVIDER', {
      parse: oneOf('anthropic', 'openai-compatible'),
      default: null,
      requires: { ASSISTANT_MODEL: missingMessage('ASSISTANT_MODEL') },
      about: 'Provider of the assistant’s language model: `anthropic` or `openai-compatible`.',
      more:
        "`openai-compatible` is anything with OpenAI's chat completions API, " +
        'including Ollama and vLLM on your own machine. ' +
        'Without it there is no assistant, unless a company connects its own model. ' +
        'What is sent to it: docs/spec/assistant.md#what-is-sent-to-the-provider.',
    }),
    model: setting('ASSISTANT_MODEL', {
      parse: text,
      default: null,
      requires: { ASSISTANT_PROVIDER: missingMessage('ASSISTANT_PROVIDER') },
      about: 'Name of the model.',
    }),
    key: setting('ASSISTANT_KEY', {
      parse: text,
      default: null,
      isSecret: true,
      ignoredWithout: 'ASSISTANT_PROVIDER',
      about: 'API key for that provider, required for `anthropic`.',
    }),
    url: setting('ASSISTANT_URL', {
      parse: address,
      default: null,
      ignoredWithout: 'ASSISTANT_PROVIDER',
      about:
        'Address of the API, such as `http://localhost:11434/v1`, required for `openai-compatible`; ' +
        '`anthropic` has a default.',
    }),
    inputPrice: setting('ASSISTANT_INPUT_PRICE', {
      parse: price,
      default: null,
      ignoredWithout: 'ASSISTANT_PROVIDER',
      about: 'Dollars per million tokens sent to the model, such as `3`; without both prices no cost is shown.',
    }),
    outputPrice: setting('ASSISTANT_OUTPUT_PRICE', {
      parse: price,
      default: null,
      ignoredWithout: 'ASSISTANT_PROVIDER',
      about: 'Dollars per million tokens that the model writes.',
    }),
    conversationThousands: setting('ASSISTANT_CONVERSATION_TOKENS', {
      parse: wholeNumber(0, MAX_THOUSANDS),
      default: 1_000,
      about: 'Maximum number of tokens per conversation, in thousands; 0 for no limit.',
    }),
    dayThousands: setting('ASSISTANT_DAY_TOKENS', {
      parse: wholeNumber(0, MAX_THOUSANDS),
      default: 10_000,
      about: 'Maximum number of tokens per company per day, in thousands; 0 for no limit.',
    }),
    keepDays: setting('ASSISTANT_DAYS', {
      parse: wholeNumber(0, 36_500),
      default: 90,
      about: 'Days to keep a conversation with the assistant after its last message; 0 means forever.',
    }),
  },
  ({ conversationThousands, dayThousands, keepDays, ...model }): { assistant: AssistantConfig } => ({
    assistant: {
      model: toModelConfig(model),
      maxConversationTokens: 1_000 * conversationThousands,
      maxDayTokens: 1_000 * dayThousands,
      keepDays,
    },
  }),
)

type ModelValues = Omit<ModelConfig, 'provider' | 'model'> & { provider: ModelProvider | null; model: string | null }

function toModelConfig({ provider, model, ...rest }: ModelValues): ModelConfig | null {
  if (provider === null || model === null) return null
  if (provider === 'anthropic' && rest.key === null)
    throw new ConfigError('ASSISTANT_KEY is missing: anthropic requires an API key')
  if (provider === 'openai-compatible' && rest.url === null)
    throw new ConfigError('ASSISTANT_URL is missing: openai-compatible requires an address')
  return { provider, model, ...rest }
}

/** Parses dollars per million tokens. */
function price(value: string, name: string): number {
  if (!/^\d{1,5}(?:\.\d{1,4})?$/.test(value))
    throw new ConfigError(`${name} must be dollars per million tokens, such as 3 or 0.25 (got '${value}')`)
  return Number(value)
}
