import assert from 'node:assert/strict'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import type { Result } from '../harness/harness.ts'
import { faults, type Schema } from './schema.ts'

/** Tool from tools/list. */
export type ListedTool = { name: string; description: string; inputSchema: Schema }

export type Agent = Awaited<ReturnType<typeof connect>>

/**
 * Person who immediately approves what an agent proposes. Their client opens the page for them, or shows them the
 * address.
 */
export type Approver = { opensPages: boolean; approve(proposal: string): Promise<void> }

type Answer = { content: { text: string }[]; isError: boolean }

const WAITS = /^conflict: waits for approval at \S+\/([0-9a-f-]{36});/

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Counts the o200k tokens of a text. */
export const tokensOf = (text: string): number => encode(text).length

/**
 * Makes a scripted client that knows only what the instructions, tools/list, results and refusals contain. The task
 * fails on a tool that the client wasn't shown, an id that no answer contained, or arguments that the schema doesn't
 * allow.
 */
export async function connect(url: string, key: string, person?: Approver) {
  const { tools } = (await ask(url, key, 'tools/list', {})) as { tools: ListedTool[] }
  const shown = new Map(tools.map((tool) => [tool.name, tool]))
  const { instructions } = (await ask(url, key, 'initialize', { protocolVersion: '2025-11-25' })) as {
    instructions: string
  }
  const seen = new Set<string>([...instructions.matchAll(UUID)].map(([id]) => id))
  /** Tokens of arguments, results and refusals. */
  const used = { calls: 0, tokens: 0 }

  async function send(tool: string, given: object): Promise<{ text: string; isError: boolean }> {
    assert.ok(shown.has(tool), `${tool} is not in tools/list`)
    const sent = JSON.stringify(given)
    for (const [id] of sent.matchAll(UUID)) assert.ok(seen.has(id), `${tool}: no answer named ${id}`)
    const answer = (await ask(url, key, 'tools/call', { name: tool, arguments: given })) as Answer
    const proposal = WAITS.exec(answer.content[0]!.text)?.[1]
    if (person === undefined || proposal === undefined) return read(sent, answer)
    await person.approve(proposal)
    const done = await askAgain(url, key, { tool, given, state: `${proposal}.1` })
    if (person.opensPages) return read(sent, done, 2)
    read(sent, answer)
    await readAgain(tool, done)
    for (const [id] of done.content[0]!.text.matchAll(UUID)) seen.add(id)
    return { text: done.content[0]!.text, isError: done.isError }
  }

  /** Records what a model read of an answer, and the number of requests. */
  function read(sent: string, { content, isError }: Answer, requests = 1): { text: string; isError: boolean } {
    const { text } = content[0]!
    used.calls += requests
    used.tokens += tokensOf(sent) + tokensOf(text)
    for (const [id] of text.matchAll(UUID)) seen.add(id)
    return { text, isError }
  }

  /** Reads the approved records, as a model that got only the address does. Skips removed records. */
  async function readAgain(tool: string, { content }: Answer): Promise<void> {
    const { id } = JSON.parse(content[0]!.text) as { id: string }
    const name = `${tool.slice(0, tool.lastIndexOf('_'))}_get`
    if (/_(create|update)$/.test(tool))
      read(JSON.stringify({ id }), (await ask(url, key, 'tools/call', { name, arguments: { id } })) as Answer)
  }

  return {
    instructions,
    shown,
    used,
    /** Calls a tool with arguments that match the schema. Returns the result. */
    call: async (tool: string, given: object = {}): Promise<Result> => {
      assert.deepEqual(faults(shown.get(tool)?.inputSchema, given), [], tool)
      const { text, isError } = await send(tool, given)
      assert.ok(!isError, `${tool}: ${text}`)
      return JSON.parse(text) as Result
    },
    /** Makes a call that must be refused. Returns the message. */
    stumble: async (tool: string, given: object): Promise<string> => {
      const { text, isError } = await send(tool, given)
      assert.ok(isError, `${tool} succeeded: ${text}`)
      return text
    },
  }
}

async function ask(url: string, key: string, method: string, params: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  assert.ok(result !== undefined, `${method}: HTTP ${response.status} ${error?.message}`)
  return result
}

type Asked = { tool: string; given: object; state: string }

/** Retries a call after its page was opened, as a client of 2026-07-28 does. */
async function askAgain(url: string, key: string, { tool, given, state }: Asked): Promise<Answer> {
  const prefix = 'io.modelcontextprotocol/'
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': tool,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: tool,
        arguments: given,
        inputResponses: { approval: { action: 'accept' } },
        requestState: state,
        _meta: {
          [`${prefix}protocolVersion`]: '2026-07-28',
          [`${prefix}clientCapabilities`]: { elicitation: { url: {} } },
        },
      },
    }),
  })
  return ((await response.json()) as { result: Answer }).result
}
