import { scheduler } from 'node:timers/promises'
import { ModelTimeout, failureReason, retrySeconds, type EndReason } from './failures.ts'
import type { Model, ModelPart, ModelPrompt, ModelTool } from './model.ts'

/** Call as the model wrote it. `input` should be a JSON object but may be anything. */
export type ModelCall = { id: string; tool: string; input: string }

/** Model's answer to one request; `failure` is the reason if it is incomplete. */
export type ModelStep = {
  text: string
  calls: ModelCall[]
  inputTokens: number
  outputTokens: number
  failure?: EndReason
}

type StepRequest = {
  prompt: ModelPrompt
  tools: ModelTool[]
  maxOutputTokens: number
  /** Maximum milliseconds of silence from the provider. */
  maxSilence: number
  /** Aborts when the person stops the answer. */
  signal: AbortSignal
}

/** Maximum number of characters of an answer to one request, arguments included. */
const MAX_CHARACTERS = 200_000

/** Maximum number of calls in one answer of the model. */
const MAX_CALLS = 64

/** Piece of text as it arrives. */
type TextEvent = { type: 'text'; delta: string }

/** Sends one request and yields the text as it arrives. Returns the whole answer, or the part that arrived. */
export async function* streamStep(model: Model, request: StepRequest): AsyncGenerator<TextEvent, ModelStep> {
  const step: ModelStep = { text: '', calls: [], inputTokens: 0, outputTokens: 0 }
  const watch = watchSilence(request)
  try {
    const stream = await openStream(model, request, watch)
    for await (const part of readParts(stream)) {
      watch.restart()
      const delta = addPart(step, part)
      if (delta !== undefined) yield { type: 'text', delta }
      if (step.failure !== undefined) break
    }
  } catch (error) {
    step.failure = request.signal.aborted ? 'stopped' : failureReason(watch.timeoutError() ?? error)
  } finally {
    watch.end()
  }
  return withEstimate(step, request)
}

/** Opens the stream. Retries once if the provider is busy and the wait is short. */
async function openStream(model: Model, request: StepRequest, watch: SilenceWatch) {
  const { prompt, tools, maxOutputTokens, signal } = request
  const open = async () => (await model.doStream({ prompt, tools, maxOutputTokens, abortSignal: watch.signal })).stream
  try {
    return await open()
  } catch (error) {
    const seconds = retrySeconds(error)
    if (seconds === undefined || watch.signal.aborted) throw error
    watch.pause()
    await scheduler.wait(1_000 * seconds, { signal })
    watch.restart()
    return open()
  }
}

/** Adds a part to the answer. Returns the text in it. */
function addPart(step: ModelStep, part: ModelPart): string | undefined {
  switch (part.type) {
    case 'text-delta':
      step.text += part.delta
      if (charactersOf(step) > MAX_CHARACTERS) step.failure = 'cut'
      return part.delta
    case 'tool-call':
      step.calls.push({ id: part.toolCallId, tool: part.toolName, input: part.input })
      if (step.calls.length > MAX_CALLS || charactersOf(step) > MAX_CHARACTERS) step.failure = 'cut'
      return undefined
    case 'finish':
      step.inputTokens = toTokens(part.usage.inputTokens.total)
      step.outputTokens = toTokens(part.usage.outputTokens.total)
      if (part.finishReason.unified === 'content-filter') step.failure = 'declined'
      if (part.finishReason.unified === 'length') step.failure = 'cut'
      return undefined
    case 'error':
      throw part.error instanceof Error ? part.error : new Error("The provider's stream failed")
    default:
      return undefined
  }
}

const charactersOf = ({ text, calls }: ModelStep): number =>
  calls.reduce((sum, { id, tool, input }) => sum + id.length + tool.length + input.length, text.length)

/** Maximum plausible number of tokens of one request. */
const MAX_TOKENS = 1_000_000_000

/** Returns a count of tokens that can be stored and added, whatever the provider sent. */
const toTokens = (count = 0): number => Math.min(Math.max(Math.round(count) || 0, 0), MAX_TOKENS)

async function* readParts(stream: ReadableStream<ModelPart>): AsyncGenerator<ModelPart> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Approximate characters per token, to count an answer without usage, such as a stopped one. */
const CHARACTERS_PER_TOKEN = 4

/** Estimates an answer's tokens from its length if the provider doesn't report them, so that limits still apply. */
function withEstimate(step: ModelStep, { prompt, tools }: StepRequest): ModelStep {
  const wasAnswered = step.text !== '' || step.calls.length > 0 || step.failure === 'stopped'
  if (step.inputTokens > 0 || !wasAnswered) return step
  const sent = JSON.stringify(prompt).length + JSON.stringify(tools).length
  return {
    ...step,
    inputTokens: Math.ceil(sent / CHARACTERS_PER_TOKEN),
    outputTokens: Math.ceil(charactersOf(step) / CHARACTERS_PER_TOKEN),
  }
}

type SilenceWatch = {
  signal: AbortSignal
  restart(): void
  pause(): void
  end(): void
  /** Returns the error of a provider that was silent for too long, if it was. */
  timeoutError(): ModelTimeout | undefined
}

/** Aborts a request when its provider is silent for too long or the person stops it. */
function watchSilence({ maxSilence, signal }: StepRequest): SilenceWatch {
  const silent = new AbortController()
  const abort = (): void => silent.abort(new ModelTimeout('The provider sent nothing for too long'))
  let timer = setTimeout(abort, maxSilence)
  const pause = (): void => clearTimeout(timer)
  return {
    signal: AbortSignal.any([signal, silent.signal]),
    pause,
    end: pause,
    restart() {
      clearTimeout(timer)
      timer = setTimeout(abort, maxSilence)
    },
    timeoutError: () => (silent.signal.reason instanceof ModelTimeout ? silent.signal.reason : undefined),
  }
}
