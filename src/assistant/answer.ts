import type { Caller } from '../identity/credentials/caller.ts'
import { StaleAccess, type Database } from '../platform/db/tenant.ts'
import { Unavailable } from '../platform/errors/refusal.ts'
import { newId } from '../platform/validation/id.ts'
import type { ModelConfig } from '../platform/config/config.ts'
import type { Language } from '../platform/i18n/reader.ts'
import type { AnswerLimits } from './answer_limits.ts'
import { addMessages, endAnswer, readMessages } from './conversations.ts'
import type { ChatMessage } from './messages.ts'
import type { EndReason } from './models/failures.ts'
import type { Model } from './models/model.ts'
import { streamStep, type ModelCall, type ModelStep } from './models/step.ts'
import { systemPrompt, toPrompt } from './prompt.ts'
import { runCall, toolsFor, type ModelCallResult, type ToolPort } from './tools.ts'

/** Event while an answer is written. A `message` is already stored. */
export type AnswerEvent = { type: 'text'; delta: string } | { type: 'message'; message: ChatMessage }

type AnswerRun = {
  database: Database
  port: ToolPort
  report(reference: string, error: unknown): void
  as<T>(work: (caller: Caller) => Promise<T>): Promise<T>
  pace: AnswerLimits
  model: Model
  prices: Pick<ModelConfig, 'inputPrice' | 'outputPrice'>
  language: Language
  /** Aborts when the person stops the answer, or leaves. */
  signal: AbortSignal
}

type Target = { tenant: string; conversation: string }

/** Time limit for the instructions and rights of an answer, in milliseconds. */
const PREPARE_MS = 5_000

/**
 * Answers a message: asks the model, runs the calls that it requests as the person's connection, and repeats until it
 * requests none. Stores everything as it arrives, so that a stopped answer keeps what it has.
 */
export async function* answerMessage(run: AnswerRun, target: Target): AsyncGenerator<AnswerEvent, void> {
  const total = AbortSignal.timeout(run.pace.maxDuration)
  const limitedRun = { ...run, signal: AbortSignal.any([run.signal, total]) }
  try {
    const reason = yield* runSteps(limitedRun, target)
    if (reason !== undefined) yield await storeNotice(run, target, total.aborted ? 'timeout' : reason)
  } catch (error) {
    const wasStopped = limitedRun.signal.aborted && error instanceof Unavailable
    const reason = error instanceof StaleAccess ? 'access' : wasStopped ? 'stopped' : 'internal'
    if (reason === 'internal') run.report(newId(), error)
    yield await storeNotice(run, target, reason)
  } finally {
    await endAnswer(run.database, target.tenant, target.conversation)
  }
}

/** Asks the model step by step. Returns the reason if the answer ended early. */
async function* runSteps(run: AnswerRun, target: Target): AsyncGenerator<AnswerEvent, EndReason | undefined> {
  const { pace, model, signal } = run
  const { system, caller, tools, readOnly } = await run.as((caller) => prepare(run, caller))
  const messages: ChatMessage[] = await readMessages(run.database, target.tenant, target.conversation)
  const zone = caller.tenant.timezone
  for (let step = 0; step < pace.maxSteps; step++) {
    const prompt = toPrompt(system, messages, caller)
    const { maxOutputTokens, maxSilence } = pace
    const answer = yield* streamStep(model, { prompt, tools, maxOutputTokens, maxSilence, signal })
    const calls = answer.failure === undefined ? answer.calls : []
    const message: ChatMessage = { role: 'assistant', text: answer.text, calls }
    const replies = answer.text.trim() !== '' || calls.length > 0 ? [message] : []
    const used = await addMessages(run.database, { ...target, zone, messages: replies, usage: usageOf(run, answer) })
    if (used === undefined) return undefined
    for (const one of replies) yield { type: 'message', message: one }
    if (answer.failure !== undefined) return answer.failure
    if (calls.length === 0) return undefined

    const results: ChatMessage = { role: 'tool', results: await runCalls(run, calls, readOnly) }
    await addMessages(run.database, { ...target, zone, messages: [results] })
    yield { type: 'message', message: results }
    if (signal.aborted) return 'stopped'
    const limit = limitReached(pace.limits, used)
    if (limit !== undefined) return limit
    messages.push(message, results)
  }
  return 'steps'
}

async function prepare({ port, language, signal }: AnswerRun, caller: Caller) {
  const instructions = await port.instructions(caller, { by: performance.now() + PREPARE_MS, signal })
  return { system: systemPrompt(instructions, language), caller, ...toolsFor(port, caller) }
}

/** Runs calls in parallel if all of them only read, otherwise one after another in the model's order. */
async function runCalls(
  run: AnswerRun,
  calls: readonly ModelCall[],
  readOnly: ReadonlySet<string>,
): Promise<ModelCallResult[]> {
  const max = run.pace.maxCallsAtOnce
  const [accepted, refused] = [calls.slice(0, max), calls.slice(max)]
  const results: ModelCallResult[] = []
  const isAborted = () => run.signal.aborted
  if (accepted.every(({ tool }) => readOnly.has(tool)))
    results.push(...(await Promise.all(accepted.map((call) => runCall(run, call)))))
  else
    for (const call of accepted)
      results.push(isAborted() ? skippedResult(call, 'the person stopped the answer') : await runCall(run, call))
  return [...results, ...refused.map((call) => skippedResult(call, `at most ${max} calls at once; send it again`))]
}

const skippedResult = ({ id, tool }: ModelCall, reason: string): ModelCallResult => ({
  id,
  tool,
  text: `conflict: not run: ${reason}`,
  isError: true,
})

/** Returns the tokens and cost of an answer. Dollars per million tokens equal millionths of a dollar per token. */
function usageOf({ prices }: AnswerRun, { inputTokens, outputTokens }: ModelStep) {
  const { inputPrice, outputPrice } = prices
  const costMicros =
    inputPrice === null || outputPrice === null ? 0 : Math.round(inputTokens * inputPrice + outputTokens * outputPrice)
  return { inputTokens, outputTokens, costMicros }
}

function limitReached(
  { maxConversationTokens, maxDayTokens }: AnswerLimits['limits'],
  used: { conversationTokens: number; dayTokens: number },
): EndReason | undefined {
  if (maxConversationTokens > 0 && used.conversationTokens >= maxConversationTokens) return 'conversation_limit'
  return maxDayTokens > 0 && used.dayTokens >= maxDayTokens ? 'day_limit' : undefined
}

async function storeNotice({ database }: AnswerRun, target: Target, reason: EndReason): Promise<AnswerEvent> {
  const message: ChatMessage = { role: 'notice', reason }
  await addMessages(database, { ...target, zone: 'UTC', messages: [message] })
  return { type: 'message', message }
}
