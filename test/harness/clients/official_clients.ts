import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

type Named = { name: string }
type Ref = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }

/** Common interface of the official clients. */
export type AnyClient = {
  listTools(): Promise<{ tools: Named[] }>
  callTool(call: Named & { arguments: Record<string, unknown> }): Promise<unknown>
  listResources(): Promise<{
    resources: (Named & { uri: string; title?: string; description?: string; mimeType?: string })[]
  }>
  listResourceTemplates(): Promise<{ resourceTemplates: (Named & { uriTemplate: string })[] }>
  readResource(what: { uri: string }): Promise<{ contents: { uri: string; mimeType?: string; text?: string }[] }>
  listPrompts(): Promise<{ prompts: (Named & { arguments?: Named[] })[] }>
  getPrompt(
    what: Named & { arguments?: Record<string, string> },
  ): Promise<{ messages: { role: string; content: { type: string; text?: string } }[] }>
  complete(what: {
    ref: Ref
    argument: { name: string; value: string }
  }): Promise<{ completion: { values: string[]; total?: number; hasMore?: boolean } }>
  getServerCapabilities(): object | undefined
  getInstructions(): string | undefined
  close(): Promise<void>
}

const self = { name: 'clients-test', version: '1.0.0' }
const optionsOf = (key: string) => ({ requestInit: { headers: { Authorization: `Bearer ${key}` } } })

/** Connects a client of the second SDK, which detects the server's revision or starts with a handshake. */
export async function connect(url: string, key: string, mode: 'auto' | 'legacy'): Promise<AnyClient> {
  const client = new Client(self, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), optionsOf(key)))
  return client as unknown as AnyClient
}

/** Connects each official client with a key. */
export const CLIENTS: Readonly<Record<string, (url: string, key: string) => Promise<AnyClient>>> = {
  'client 2.x, auto': (url, key) => connect(url, key, 'auto'),
  'client 2.x, legacy': (url, key) => connect(url, key, 'legacy'),
  'sdk 1.x': async (url, key) => {
    const client = new FirstClient(self)
    await client.connect(new FirstTransport(new URL(url), optionsOf(key)))
    return client as unknown as AnyClient
  },
}

export type Answer = { content: { text: string }[]; isError?: boolean }

/** Calls a tool through a client. Returns the text of the answer. */
export const textOf = async (client: AnyClient, name: string, given: Record<string, unknown>): Promise<string> =>
  ((await client.callTool({ name, arguments: given })) as Answer).content[0]!.text
