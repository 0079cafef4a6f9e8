import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { openRemoteModel } from '../../src/exam/models/remote.ts'
import { TASKS } from '../../src/exam/tasks/index.ts'

type Request = { path: string; body: Record<string, unknown>; key: string | undefined }
type Fake = { url: string; requests: Request[]; answers: { status: number; body: object }[] }

let server: Server
const fake: Fake = { url: '', requests: [], answers: [] }
before(async () => {
  server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (text += part))
    request.on('end', () => {
      const { authorization, 'x-api-key': key } = request.headers
      fake.requests.push({
        path: request.url ?? '',
        body: JSON.parse(text),
        key: typeof key === 'string' ? key : authorization,
      })
      const { status, body } = fake.answers.shift() ?? { status: 500, body: {} }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  fake.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`
})
after(() => server.close())

const tools = [{ name: 'tags_list', description: 'Tags.', inputSchema: { type: 'object', properties: {} } }]
const [task] = TASKS
assert.ok(task)
const facts = { timezone: 'UTC', rows: () => [], person: () => '' }
const setting = {
  instructions: 'Be brief.',
  tools,
  signal: new AbortController().signal,
  subject: { task, facts, variant: 'acting' },
} as const

/** Answers in each wire format: two parallel calls, one with malformed JSON arguments where possible, then text. */
const FORMATS = {
  'openai-compatible': {
    model: 'local/small',
    path: '/v1/chat/completions',
    key: 'Bearer secret',
    calls: openAiAnswer({
      content: null,
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'tags_list', arguments: '{"limit":3}' } },
        { id: 'b', type: 'function', function: { name: 'tags_list', arguments: '{limit' } },
      ],
    }),
    broken: { not_json: '{limit' },
    words: openAiAnswer({ content: 'Three tags.' }),
  },
  anthropic: {
    model: 'anthropic/large',
    path: '/v1/messages',
    key: 'secret',
    calls: anthropicAnswer('tool_use', [
      { type: 'tool_use', id: 'a', name: 'tags_list', input: { limit: 3 } },
      { type: 'tool_use', id: 'b', name: 'tags_list', input: {} },
    ]),
    broken: {},
    words: anthropicAnswer('end_turn', [{ type: 'text', text: 'Three tags.' }]),
  },
}

function openAiAnswer(message: object): object {
  return {
    id: '1',
    object: 'chat.completion',
    created: 1,
    model: 'small',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } }],
    usage: { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 },
  }
}

function anthropicAnswer(stop_reason: string, content: object[]): object {
  const usage = { input_tokens: 100, output_tokens: 7 }
  return {
    id: '1',
    type: 'message',
    role: 'assistant',
    model: 'large',
    content,
    stop_reason,
    stop_sequence: null,
    usage,
  }
}

for (const [name, { model, path, key, calls, broken, words }] of Object.entries(FORMATS))
  describe(`a model over the ${name} API`, () => {
    it('sends tools and results, and parses calls, text and token usage', async () => {
      fake.answers = [
        { status: 200, body: calls },
        { status: 200, body: words },
      ]
      fake.requests.length = 0
      const conversation = (await openRemoteModel({ model, url: fake.url, key: 'secret' })).begin(setting)
      const first = await conversation.runTurn({ person: 'Which tags?' })
      assert.deepEqual(first.calls, [
        { id: 'a', name: 'tags_list', args: { limit: 3 } },
        { id: 'b', name: 'tags_list', args: broken },
      ])
      assert.deepEqual(first.usage, { inputTokens: 100, outputTokens: 7 })
      const results = [
        { id: 'a', name: 'tags_list', text: '{"rows":["«VIP»"]}', isError: false },
        { id: 'b', name: 'tags_list', text: 'invalid_input: no', isError: true },
      ]
      assert.equal((await conversation.runTurn({ results })).text, 'Three tags.')
      assert.deepEqual(
        fake.requests.map((request) => [request.path, request.key]),
        [
          [path, key],
          [path, key],
        ],
      )
      const sent = JSON.stringify(fake.requests[1]?.body)
      for (const part of ['Be brief.', 'Which tags?', 'tags_list', '«VIP»', 'invalid_input: no'])
        assert.ok(sent.includes(part), part)
    })

    it('retries after 429 and rejects on 401', async () => {
      fake.answers = [
        { status: 429, body: { error: { message: 'slow down', type: 'rate_limit_error' } } },
        { status: 200, body: words },
        { status: 401, body: { type: 'error', error: { message: 'wrong key', type: 'authentication_error' } } },
      ]
      const conversation = (await openRemoteModel({ model, url: fake.url, key: 'secret' })).begin(setting)
      assert.equal((await conversation.runTurn({ person: 'Which tags?' })).text, 'Three tags.')
      await assert.rejects(conversation.runTurn({ person: 'And now?' }), /wrong key|401|Unauthorized/)
    })
  })

describe("a model's name", () => {
  it('needs a provider, and the key or URL that the provider requires', async () => {
    await assert.rejects(openRemoteModel({ model: 'small' }), /--model must be provider\/model, not small/)
    await assert.rejects(openRemoteModel({ model: 'anthropic/large' }), /Set ASSISTANT_KEY/)
    await assert.rejects(openRemoteModel({ model: 'ollama/small' }), /Set --url to the address of ollama/)
  })
})
