import assert from 'node:assert/strict'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import type { Result } from '../harness/harness.ts'
import { faults, type Schema } from './schema.ts'

/** A tool as tools/list shows it. */
export type Shown = { name: string; description: string; inputSchema: Schema }

export type Agent = Awaited<ReturnType<typeof connect>>

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** In tokens of o200k. */
export const tokensOf = (text: string): number => encode(text).length

/**
 * A scripted client that knows what the instructions, tools/list, results and refusals told it, and nothing else. A tool it was not shown, an
 * id that no answer named, or arguments that the schema doesn't take fail the task.
 */
export async function connect(url: string, key: string) {
  const { tools } = (await ask(url, key, 'tools/list', {})) as { tools: Shown[] }
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
    const answer = (await ask(url, key, 'tools/call', { name: tool, arguments: given })) as {
      content: { text: string }[]
      isError: boolean
    }
    const { text } = answer.content[0]!
    used.calls += 1
    used.tokens += tokensOf(sent) + tokensOf(text)
    for (const [id] of text.matchAll(UUID)) seen.add(id)
    return { text, isError: answer.isError }
  }

  return {
    instructions,
    shown,
    used,
    /** The result of a call that is as the schema says. */
    call: async (tool: string, given: object = {}): Promise<Result> => {
      assert.deepEqual(faults(shown.get(tool)?.inputSchema, given), [], tool)
      const { text, isError } = await send(tool, given)
      assert.ok(!isError, `${tool}: ${text}`)
      return JSON.parse(text) as Result
    },
    /** The message of a call that is refused, for the agent to read. */
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
