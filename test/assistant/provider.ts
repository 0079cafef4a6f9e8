import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { once } from 'node:events'
import { scheduler } from 'node:timers/promises'
import type { AddressInfo } from 'node:net'
import { certificate, privateKey } from '../harness/identity/client_certificate.ts'

/** Call that the fake model makes. `input` is sent unchanged, valid or not. */
export type FakeCall = { tool: string; input: string | Record<string, unknown> }

/** Behavior of the fake provider for one request. */
export type FakeAnswer = {
  text?: string
  calls?: readonly FakeCall[]
  finish?: 'stop' | 'length' | 'refusal'
  usage?: { input: number; output: number } | null
  /** HTTP status of a refusal. */
  status?: number
  headers?: Record<string, string>
  /** Sends the text and then nothing more. */
  hangs?: true
  /** Breaks the connection in the middle of the text. */
  breaks?: true
  /** Bytes of comments after the text, which clients skip. */
  padding?: number
  /** Milliseconds between pieces of the text. */
  pause?: number
}

export type SentRequest = { path: string; headers: IncomingMessage['headers']; body: Record<string, unknown> }

export type WireFormat = 'anthropic' | 'openai-compatible'

/**
 * Starts a fake model provider on loopback that speaks both wire formats with server-sent events. It answers from its
 * script, one entry per request. A secure one is at `client.test`.
 */
export async function startProvider({ isSecure = false } = {}) {
  const requests: SentRequest[] = []
  let script: (FakeAnswer | ((request: SentRequest) => FakeAnswer))[] = []
  const closed: string[] = []

  const handle = (req: IncomingMessage, res: ServerResponse): void => void answer(req, res).catch(() => res.destroy())
  const server = isSecure ? createSecureServer({ cert: certificate, key: privateKey }, handle) : createServer(handle)
  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
    const request: SentRequest = {
      path: req.url ?? '',
      headers: req.headers,
      body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
    }
    requests.push(request)
    res.on('close', () => closed.push(res.writableFinished ? 'whole' : 'left'))
    const next = script.shift() ?? { text: 'The script is over.' }
    const entry = typeof next === 'function' ? next(request) : next
    if (entry.status !== undefined) {
      res.writeHead(entry.status, { 'Content-Type': 'application/json', ...entry.headers })
      res.end(JSON.stringify({ type: 'error', error: { type: 'fake_error', message: 'The fake provider refuses' } }))
      return
    }
    res.writeHead(200, { 'Content-Type': 'text/event-stream' })
    const events = request.path.endsWith('/messages') ? anthropicEvents(entry) : openAiEvents(entry)
    for (const event of events) {
      if (event === 'end of text' && entry.hangs) return
      if (event === 'end of text' && entry.breaks) return void res.destroy()
      if (event === 'end of text') {
        for (let bytes = 0; bytes < (entry.padding ?? 0); bytes += PADDING.length) res.write(PADDING)
        continue
      }
      res.write(event)
      if (entry.pause !== undefined) await scheduler.wait(entry.pause)
    }
    res.end()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = isSecure ? `https://client.test:${port}/v1` : `http://127.0.0.1:${port}/v1`
  return {
    url,
    requests,
    /** How each answer's connection ended. */
    closed,
    play(...entries: typeof script): void {
      script = [...entries]
      requests.length = 0
    },
    settings: (wire: WireFormat): Record<string, string> => ({
      ASSISTANT_PROVIDER: wire,
      ASSISTANT_MODEL: 'fake-1',
      ASSISTANT_KEY: 'fake-key',
      ASSISTANT_URL: url,
      ASSISTANT_INPUT_PRICE: '3',
      ASSISTANT_OUTPUT_PRICE: '15',
    }),
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const PADDING = `: ${'x'.repeat(65_532)}\n\n`

export type FakeProvider = Awaited<ReturnType<typeof startProvider>>

const DEFAULT_USAGE = { input: 100, output: 20 }

const inputText = ({ input }: FakeCall): string => (typeof input === 'string' ? input : JSON.stringify(input))

/** Splits a text in the middle of words, as streams do. */
const piecesOf = (text: string, size = 7): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []

/** Yields the events of Anthropic's Messages API. */
function* anthropicEvents({ text = '', calls = [], finish, usage = DEFAULT_USAGE }: FakeAnswer): Generator<string> {
  const event = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
  yield event('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'fake-1',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: usage?.input ?? 0, output_tokens: 1 },
    },
  })
  let index = 0
  if (text !== '') {
    yield event('content_block_start', { index, content_block: { type: 'text', text: '' } })
    for (const piece of piecesOf(text))
      yield event('content_block_delta', { index, delta: { type: 'text_delta', text: piece } })
  }
  yield 'end of text'
  if (text !== '') yield event('content_block_stop', { index: index++ })
  for (const [i, call] of calls.entries()) {
    yield event('content_block_start', {
      index,
      content_block: { type: 'tool_use', id: `toolu_${i}`, name: call.tool, input: {} },
    })
    for (const piece of piecesOf(inputText(call)))
      yield event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: piece } })
    yield event('content_block_stop', { index: index++ })
  }
  const reasons = { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' }
  yield event('message_delta', {
    delta: { stop_reason: calls.length > 0 ? 'tool_use' : reasons[finish ?? 'stop'], stop_sequence: null },
    usage: { output_tokens: usage?.output ?? 0 },
  })
  yield event('message_stop', {})
}

/** Yields the chunks of OpenAI's Chat Completions API. */
function* openAiEvents({ text = '', calls = [], finish, usage = DEFAULT_USAGE }: FakeAnswer): Generator<string> {
  const chunk = (delta: object, reason: string | null = null, more: object = {}): string =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'fake-1',
      choices: [{ index: 0, delta, finish_reason: reason }],
      ...more,
    })}\n\n`
  yield chunk({ role: 'assistant', content: '' })
  for (const piece of piecesOf(text)) yield chunk({ content: piece })
  yield 'end of text'
  for (const [index, call] of calls.entries()) {
    const [first = '', ...rest] = piecesOf(inputText(call))
    yield chunk({
      tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name: call.tool, arguments: first } }],
    })
    for (const piece of rest) yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  const reasons = { stop: 'stop', length: 'length', refusal: 'content_filter' }
  yield chunk({}, calls.length > 0 ? 'tool_calls' : reasons[finish ?? 'stop'])
  if (usage !== null)
    yield chunk({}, null, {
      choices: [],
      usage: { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output },
    })
  yield 'data: [DONE]\n\n'
}
