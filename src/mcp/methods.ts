import { announced } from './announced.ts'
import { handshakeVersions } from './eras.ts'
import { clip, codes, errorClosing, isObject } from './jsonrpc.ts'
import type { Fault, Fields, Request } from './jsonrpc.ts'
import type { Era, Session, ToolServer } from './types.ts'

/** One request under way; `client` is the name its sender gave itself. */
export type Asked = { era: Era; message: Request; client: string | null }

/** `closing` is the JSON that follows the id; `tool` and `errorCode` are for the log. */
export type Answer = { status: number; closing: string | Buffer; tool: string | null; errorCode: number | string | null }

type Row = {
  eras: readonly Era[]
  answer<Caller>(server: ToolServer<Caller>, session: Session<Caller>, asked: Asked): Promise<Answer>
}

const methods = new Map<string, Row>([
  ['initialize', { eras: ['handshake'], answer: announcing(initialize) }],
  ['ping', { eras: ['handshake'], answer: announcing(ping) }],
  ['server/discover', { eras: ['stateless'], answer: announcing(discover) }],
  ['tools/list', { eras: ['handshake', 'stateless'], answer: announcing(listTools) }],
  ['tools/call', { eras: ['handshake', 'stateless'], answer: callTool }],
])

/** Answers a request with live access; rejects only when the session does. */
export async function answer<Caller>(
  server: ToolServer<Caller>, session: Session<Caller>, asked: Asked,
): Promise<Answer> {
  const row = methods.get(asked.message.method)
  if (!row?.eras.includes(asked.era)) return refused(unknownMethod(asked))
  return row.answer(server, session, asked)
}

/** An answer that reads no tenant row is given once the credential is known to admit still. */
function announcing(announce: (server: ToolServer<never>, asked: Asked) => Answer): Row['answer'] {
  return async (server, session, asked) => {
    await session.live()
    return announce(server, asked)
  }
}

function initialize(server: ToolServer<never>, { message }: Asked): Answer {
  const wanted = message.params?.protocolVersion
  if (typeof wanted !== 'string') return refused(invalidParams('protocolVersion must be a string'))
  const answers = announced(server).initialize
  return given(answers.get(wanted) ?? answers.get(handshakeVersions[0] ?? '') ?? '')
}

function ping(): Answer {
  return given('"result":{}}')
}

function discover(server: ToolServer<never>): Answer {
  return given(announced(server).discover)
}

/** The list is one page, so no cursor was ever given out. */
function listTools(server: ToolServer<never>, { era, message }: Asked): Answer {
  const cursor = message.params?.cursor ?? null
  if (cursor !== null) return refused(invalidParams('unknown cursor; tools/list is a single page'))
  return given(announced(server).toolsList[era])
}

async function callTool<Caller>(server: ToolServer<Caller>, session: Session<Caller>, asked: Asked): Promise<Answer> {
  const called = toolCalled(server, asked)
  if ('closing' in called) {
    await session.live()
    return called
  }
  const { name, args } = called
  const { text, isError } = await session.as((caller) => server.callTool(caller, name, args, { client: asked.client }))
  const closing = `"result":{"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":${isError}${announced(server).stamp[asked.era]}}}`
  return { status: 200, closing, tool: name, errorCode: isError ? clip(text.split(':', 1)[0] ?? '') : null }
}

/** The tool that is asked for and its arguments, or the refusal. */
function toolCalled<Caller>(server: ToolServer<Caller>, { message }: Asked): { name: string; args: Fields } | Answer {
  const { name, arguments: args = {} } = message.params ?? noParams
  if (typeof name !== 'string') return refused(invalidParams('name must be a string: the tool to call'))
  if (!server.hasTool(name)) return refused(invalidParams(unknownTool(server, name)), clip(name))
  if (!isObject(args)) return refused(invalidParams('arguments must be an object'), name)
  return { name, args }
}

const noParams: Fields = {}

const given = (closing: string | Buffer): Answer => ({ status: 200, closing, tool: null, errorCode: null })

export const refused = (fault: Fault, tool: string | null = null): Answer =>
  ({ status: fault.status, closing: errorClosing(fault), tool, errorCode: fault.code })

/** Told inside a 200: the exchange went well, the request did not. */
const invalidParams = (why: string): Fault =>
  ({ status: 200, code: codes.invalidParams, message: `Invalid params: ${why}` })

/** 2026-07-28 puts an unknown method under 404; the handshake revisions leave HTTP out of it. */
const unknownMethod = ({ era, message }: Asked): Fault => ({
  status: era === 'stateless' ? 404 : 200,
  code: codes.methodNotFound,
  message: `Method not found: ${clip(message.method)}`,
})

/** Nearness is measured only for names of a length that could be one. */
function unknownTool<Caller>(server: ToolServer<Caller>, name: string): string {
  const nearest = name.length <= 64 ? server.nearestTool(name) : undefined
  return `unknown tool ${JSON.stringify(clip(name))}; ${nearest ? `did you mean ${nearest}?` : 'tools/list names them all'}`
}
