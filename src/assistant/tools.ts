import type { Caller } from '../identity/credentials/caller.ts'
import type { Deadline } from '../identity/deadline.ts'
import { StaleAccess } from '../platform/db/tenant.ts'
import { Unavailable } from '../platform/errors/refusal.ts'
import { newId } from '../platform/validation/id.ts'
import { isRecord } from '../platform/validation/is_record.ts'
import type { ModelCall } from './models/step.ts'
import type { ModelTool } from './models/model.ts'

type Fields = Readonly<Record<string, unknown>>
type CallMeta = { client: string | null; params: Record<string, unknown>; deadline: Deadline }

/** Tools as every client of the tool endpoint has them; the assistant reads and writes only through them. */
export type ToolPort = {
  instructions(caller: Caller, deadline: Deadline): Promise<string>
  ownToolsJson?(caller: Caller): string
  hasTool(name: string): boolean
  bytesOf(name: string): number
  nearestTool(name: string): string | undefined
  callTool(caller: Caller, name: string, args: Record<string, unknown>, meta: CallMeta): Promise<object>
  resources: { read(caller: Caller, uri: string, meta: CallMeta): Promise<object> }
}

/** Result of a call as the model reads it; `proposal` is the plan in which it waits for a person. */
export type ModelCallResult = { id: string; tool: string; text: string; isError: boolean; proposal?: string }

/** Client name of the assistant in the audit and in proposals. */
const CLIENT = 'Assistant'

/** Tool that reads the resources of the tool endpoint by address: overviews, and records. */
const READ_RESOURCE: ModelTool = {
  type: 'function',
  name: 'resources_read',
  description:
    'Reads an overview by its callout:// address, such as callout://today, callout://unbilled, ' +
    'callout://receivables or callout://messages/{customer_id}',
  inputSchema: {
    type: 'object',
    properties: { uri: { type: 'string', description: 'Address' } },
    required: ['uri'],
    additionalProperties: false,
  },
}

/** Maximum number of characters of a result that the model gets. */
const MAX_RESULT_LENGTH = 30_000

/** Time limit of one call in milliseconds. */
const CALL_MS = 10_000

type Annotated = { name?: unknown; description?: unknown; inputSchema?: unknown; annotations?: unknown }

/** Returns the tools that a caller may use, for the model, and the names of those that only read. */
export function toolsFor(port: ToolPort, caller: Caller): { tools: ModelTool[]; readOnly: ReadonlySet<string> } {
  const listed: unknown = JSON.parse(port.ownToolsJson?.(caller) ?? '[]')
  const described = Array.isArray(listed) ? listed.filter((one): one is Annotated => isRecord(one)) : []
  const tools = described.map(({ name, description, inputSchema }): ModelTool => ({
    type: 'function',
    name: String(name),
    description: String(description),
    inputSchema: isRecord(inputSchema) ? inputSchema : { type: 'object' },
  }))
  const readOnly = described.filter(({ annotations }) => isRecord(annotations) && annotations['readOnlyHint'] === true)
  return {
    tools: [...tools, READ_RESOURCE],
    readOnly: new Set([READ_RESOURCE.name, ...readOnly.map(({ name }) => String(name))]),
  }
}

type Run = {
  port: ToolPort
  /** Runs work under the person's current rights. */
  as<T>(work: (caller: Caller) => Promise<T>): Promise<T>
  report(reference: string, error: unknown): void
  signal: AbortSignal
}

/** Runs one call as the person's connection. Every error but lost access becomes a result that the model reads. */
export async function runCall(run: Run, call: ModelCall): Promise<ModelCallResult> {
  const refuse = (text: string): ModelCallResult => ({ id: call.id, tool: call.tool, text, isError: true })
  const args = parseArguments(call.input)
  if (call.tool !== READ_RESOURCE.name && !run.port.hasTool(call.tool)) {
    const nearest = run.port.nearestTool(call.tool)
    return refuse(`not_found: no such tool${nearest === undefined ? '' : `; did you mean ${nearest}?`}`)
  }
  if (args === undefined)
    return refuse('invalid_input: the arguments must be a JSON object; send the call again with valid JSON')
  try {
    const reply = await run.as((caller) => send(run, caller, call, args))
    return { id: call.id, tool: call.tool, ...readReply(reply) }
  } catch (error) {
    if (error instanceof StaleAccess) throw error
    if (error instanceof Unavailable)
      return refuse('unavailable: nothing was done; try again in a moment, or ask the person to try again')
    const reference = newId()
    run.report(reference, error)
    return refuse(`internal: an unexpected error occurred (reference ${reference})`)
  }
}

function send({ port, signal }: Run, caller: Caller, call: ModelCall, args: Record<string, unknown>): Promise<object> {
  const meta = { client: CLIENT, params: {}, deadline: { by: performance.now() + CALL_MS, signal } }
  const { uri } = args
  if (call.tool === READ_RESOURCE.name) return port.resources.read(caller, typeof uri === 'string' ? uri : '', meta)
  const bytes = Buffer.byteLength(call.input)
  const max = port.bytesOf(call.tool)
  if (bytes > max)
    return Promise.resolve({
      refused: 'invalid',
      message:
        `invalid_input: a call to ${call.tool} can have at most ${max} bytes of JSON (got ${bytes}); ` +
        'send less at a time',
    })
  return port.callTool(caller, call.tool, args, meta)
}

/** Returns the arguments of a call; undefined if they aren't a JSON object. An empty text means no arguments. */
export function parseArguments(input: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = input.trim() === '' ? {} : JSON.parse(input)
    return isRecord(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Returns the text of a reply of the tool endpoint, with the plan in which its call waits. */
function readReply(reply: object): Pick<ModelCallResult, 'text' | 'isError' | 'proposal'> {
  if ('refused' in reply && 'message' in reply) return { text: String(reply.message), isError: true }
  const result: Fields = 'result' in reply && isRecord(reply.result) ? reply.result : {}
  const blocks = result['content'] ?? result['contents']
  const texts = (Array.isArray(blocks) ? blocks : []).flatMap((block: unknown) =>
    isRecord(block) && typeof block['text'] === 'string'
      ? [{ text: block['text'] + customerTextNote(block), type: block['mimeType'] }]
      : [],
  )
  const markdown = texts.filter(({ type }) => type === 'text/markdown')
  const text = (markdown.length > 0 ? markdown : texts).map((block) => block.text).join('\n')
  const proposal = proposalIn(result)
  return { text: clip(text), isError: result['isError'] === true, ...(proposal !== undefined && { proposal }) }
}

/** Marks the parts of a resource that customers wrote. Tools mark theirs in a text block of their own. */
function customerTextNote({ _meta: meta }: Fields): string {
  const fields = isRecord(meta) ? meta['callout/customer_text'] : undefined
  return Array.isArray(fields) && fields.length > 0 ? `\ncustomer text in: ${fields.join(', ')}` : ''
}

/** Key in a result's `_meta`: the plan in which its call waits (docs/spec/tools.md). */
const APPROVAL_META = 'callout/approval'

function proposalIn({ _meta: meta }: Fields): string | undefined {
  const approval = isRecord(meta) ? meta[APPROVAL_META] : undefined
  const url = isRecord(approval) ? approval['url'] : undefined
  return typeof url === 'string' ? url.split('/').at(-1) : undefined
}

const clip = (text: string): string =>
  text.length <= MAX_RESULT_LENGTH
    ? text
    : `${text.slice(0, MAX_RESULT_LENGTH)}\n[cut: ${text.length - MAX_RESULT_LENGTH} more characters; request less at once]`
