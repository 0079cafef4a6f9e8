import { setTimeout } from 'node:timers/promises'
import { isRecord } from '../../platform/validation/is_record.ts'
import type { OfferedTool } from './agent.ts'

export type McpClient = Awaited<ReturnType<typeof connectClient>>

type CallAnswer = { text: string; isError: boolean }

/** Name of the tool by which a model reads a resource, as many hosts offer it. */
export const READ_RESOURCE = 'read_resource'

const readResource: OfferedTool = {
  name: READ_RESOURCE,
  description: 'Reads a resource from the server by its URI, such as callout://today.',
  inputSchema: { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] },
}

/** Connects to a tool endpoint as an external client does, over HTTP with a key. */
export async function connectClient(url: string, key: string) {
  const send = async (method: string, params: object): Promise<Readonly<Record<string, unknown>>> => {
    const response = await fetchWithRetry(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const answer: unknown = await response.json()
    const result = readProperty(answer, 'result')
    if (isRecord(result)) return result
    throw new McpError(readText(readProperty(answer, 'error'), 'message') || `HTTP ${response.status}`)
  }
  const [{ instructions }, { tools }] = await Promise.all([
    send('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'callout-exam', version: '1' },
    }),
    send('tools/list', {}),
  ])
  const offered: OfferedTool[] = [...(Array.isArray(tools) ? tools.flatMap(toOfferedTools) : []), readResource]
  return {
    instructions: String(instructions),
    tools: offered,
    async call(name: string, args: Readonly<Record<string, unknown>>): Promise<CallAnswer> {
      try {
        if (name === READ_RESOURCE)
          return { text: textOf(await send('resources/read', args), 'contents'), isError: false }
        const result = await send('tools/call', { name, arguments: args })
        return { text: textOf(result, 'content'), isError: result['isError'] === true }
      } catch (error) {
        if (error instanceof McpError) return { text: error.message, isError: true }
        throw error
      }
    },
  }
}

const MAX_RETRIES = 5
const MAX_WAIT_SECONDS = 60

/** Sends a request. Retries after Retry-After if the server is busy: the exam tests models, not servers. */
async function fetchWithRetry(url: string, init: RequestInit): Promise<Response> {
  for (let waits = 0; ; waits++) {
    const response = await fetch(url, init)
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    const isBusy = (response.status === 429 || response.status === 503) && seconds <= MAX_WAIT_SECONDS
    if (!isBusy || waits === MAX_RETRIES) return response
    await response.body?.cancel()
    await setTimeout(seconds * 1000)
  }
}

/** Error of the protocol, such as an unknown tool, which a model may read. */
class McpError extends Error {}

const toOfferedTools = (tool: unknown): OfferedTool[] => {
  const inputSchema = readProperty(tool, 'inputSchema')
  if (!isRecord(inputSchema)) return []
  return [
    { name: String(readProperty(tool, 'name')), description: String(readProperty(tool, 'description')), inputSchema },
  ]
}

/** Joins the text of all blocks, as models receive it. */
const textOf = (result: Readonly<Record<string, unknown>>, part: 'content' | 'contents'): string => {
  const blocks = result[part]
  return Array.isArray(blocks) ? blocks.map((block) => readText(block, 'text')).join('\n') : ''
}

const readProperty = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined)

const readText = (value: unknown, name: string): string => {
  const text = readProperty(value, name)
  return typeof text === 'string' ? text : ''
}
