import { openAssistantCaller, type Caller } from '../identity/credentials/caller.ts'
import { retryStale } from '../identity/permissions/rights.ts'
import { SCOPES } from '../identity/permissions/scopes.ts'
import { StaleAccess, type Database } from '../platform/db/tenant.ts'
import { conflict, invalidField } from '../platform/errors/refusal.ts'
import type { AssistantConfig } from '../platform/config/config.ts'
import type { Language } from '../platform/i18n/reader.ts'
import { answerMessage, type AnswerEvent } from './answer.ts'
import { startAnswer, type Limits } from './conversations.ts'
import { DEFAULT_ANSWER_LIMITS, type AnswerLimits } from './answer_limits.ts'
import { openModel, type CompanyModel } from './models/model.ts'
import { refusals } from './refusals.ts'
import type { ToolPort } from './tools.ts'

/** Maximum length of a message in characters. */
export const MAX_MESSAGE = 8_000

/** Message to the assistant: its author, conversation (null for a new one), page and language. */
type Question = {
  tenant: string
  user: string
  conversation: string | null
  text: string
  page: string | null
  language: Language
  signal: AbortSignal
  /** Id of the customer's message to prepare an unrequested answer for. All writes of that answer wait for a person. */
  preparedFor?: string
}

export type Assistant = {
  /** Returns the model that a company uses; null if none is connected. */
  modelOf(tenant: string): Promise<CompanyModel | null>
  /** Stores a message. Returns its conversation and the answer as it arrives. Refuses a message over a limit. */
  ask(question: Question): Promise<{ conversation: string; events: AsyncGenerator<AnswerEvent, void> }>
  readonly config: AssistantConfig
}

type AssistantOptions = {
  database: Database
  config: AssistantConfig
  port: ToolPort
  report(reference: string, error: unknown): void
  modelOf(tenant: string): Promise<CompanyModel | null>
  pace?: Partial<AnswerLimits>
}

/** Opens the assistant, a client of our own tools on behalf of the person who talks to it. */
export function openAssistant({
  database,
  config,
  port,
  report,
  modelOf,
  pace: overrides,
}: AssistantOptions): Assistant {
  const { maxConversationTokens, maxDayTokens } = config
  const limits: Limits = {
    maxConversationTokens,
    maxDayTokens,
    maxRunningOfPerson: 3,
    maxRunningOfCompany: 20,
    maxMessages: 400,
  }
  const pace: AnswerLimits = { ...DEFAULT_ANSWER_LIMITS, limits, ...overrides }
  return {
    config,
    modelOf,
    async ask({ tenant, user, conversation, text, page, language, signal, preparedFor }) {
      const message = { role: 'user' as const, text: requireText(text), page }
      const companyModel = await modelOf(tenant)
      if (companyModel === null) throw conflict(refusals.noModel())
      const model = await openModel(companyModel.config, companyModel.fetchModel)
      const as = await openAccess(database, tenant, user, preparedFor !== undefined)
      // Nothing may fail between this claim and the answer, which releases it.
      const id = await as((by) => startAnswer(database, pace.limits, { by, conversation, message, preparedFor }))
      const run = { database, port, report, as, pace, model, prices: companyModel.config, language, signal }
      return { conversation: id, events: answerMessage(run, { tenant, conversation: id }) }
    },
  }
}

function requireText(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') throw invalidField('text', refusals.empty())
  if (trimmed.length > MAX_MESSAGE) throw invalidField('text', refusals.tooLong({ max: MAX_MESSAGE }))
  return trimmed
}

/** Returns the caller with all writes waiting for a person. */
const withAllProposed = (caller: Caller): Caller => ({
  ...caller,
  approval: caller.approval && { ...caller.approval, proposes: new Set(SCOPES) },
})

/** Returns a function that runs work under a person's current rights. It throws `StaleAccess` once they have none. */
async function openAccess(database: Database, tenant: string, user: string, isProposing: boolean) {
  const read = async (): Promise<Caller> => {
    const caller = await openAssistantCaller(database, tenant, user)
    if (caller === undefined) throw new StaleAccess()
    return isProposing ? withAllProposed(caller) : caller
  }
  let caller = await read()
  const refresh = async (): Promise<void> => void (caller = await read())
  return <T>(work: (caller: Caller) => Promise<T>): Promise<T> => retryStale(() => work(caller), refresh)
}
