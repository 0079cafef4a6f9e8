import { faultAnswer } from './answer.ts'
import { metaOf, metaKeys } from '../protocol/envelope.ts'
import { classify, type ClassifiedBody } from '../protocol/eras.ts'
import { eraHeaders } from '../protocol/headers.ts'
import {
  clip,
  idOf,
  isObject,
  isRequest,
  messageStart,
  parse,
  type RpcFault,
  type Fields,
  type Id,
  type Request,
  type Response,
} from '../protocol/jsonrpc.ts'
import { DEFAULT_MAX_BYTES, answer } from '../methods.ts'
import { narrowServer } from '../protocol/narrowing.ts'
import { endStream, progressReporter, clientRequestSender } from '../protocol/stream.ts'
import { BODY_LIMITS, payloadTooLarge, transportFault } from '../protocol/transport.ts'
import { unavailableAnswer } from './unavailable.ts'
import { disconnectSignal, defaultDeadline, type Deadline } from '../../identity/deadline.ts'
import { readBody } from '../../platform/http/body.ts'
import { Unavailable } from '../../platform/errors/refusal.ts'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Answer, Exchange } from '../protocol/exchange.ts'
import type { Era, McpSession, Summary, ToolServer } from '../protocol/types.ts'

/**
 * Answers one authenticated request to the tool endpoint and returns its log entry. Rejects when the session does:
 * before anything is written, so that the caller can answer, or after ending a stream that had begun.
 */
export async function handle<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<Summary> {
  const httpFault = transportFault(req)
  if (httpFault) return refuse(res, httpFault)
  const body = await readBody(req, BODY_LIMITS)
  if (typeof body === 'string') return body === 'too_large' ? refuse(res, payloadTooLarge) : gone
  const parsed = parse(body)
  if ('fault' in parsed) return refuse(res, parsed.fault)
  const inbound = classify(eraHeaders(req.headers), parsed.value)
  if (inbound.kind === 'refused') return refuse(res, inbound.fault, parsed.value)
  const narrowed = narrowServer(server, req)
  if ('fault' in narrowed) return refuse(res, narrowed.fault, parsed.value)
  const details = {
    headers: req.headers,
    bytes: body.length,
    deadline: { by: defaultDeadline(), signal: disconnectSignal(res) },
  }
  if (inbound.kind === 'request') return answerRequest(narrowed, session, inbound, details, res)
  if (inbound.kind === 'batch') return answerBatch(narrowed, session, inbound.messages, details, res)
  if (inbound.kind === 'response') await handleResponse(narrowed, session, inbound.message)
  const method = inbound.kind === 'notification' ? clip(inbound.message.method) : null
  return accept(res, { ...unknownSender, era: inbound.era, method })
}

/** Passes on a client's response to a request of ours. Our request ids are strings. */
async function handleResponse<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  { id, result }: Response,
): Promise<void> {
  const { acceptResponse } = server
  if (acceptResponse !== undefined && typeof id === 'string')
    await session.run((caller) => acceptResponse(caller, id, result))
}

async function answerRequest<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  { era, message }: InboundRequest,
  details: RequestDetails,
  res: ServerResponse,
): Promise<Summary> {
  const meta = metaOf(message.params)
  const client = clientName(era, message, meta)
  const progress = meta?.progressToken === undefined ? undefined : progressReporter(res, meta.progressToken as Id)
  const sender = { method: clip(message.method), era, client, ...traceOf(message) }
  const sendRequest = era === 'handshake' ? clientRequestSender(res) : undefined
  const exchange: Exchange = { era, message, client, ...details, progress, sendRequest }
  try {
    const answered = await answer(server, session, exchange)
    return send(res, sender, answered, messageStart(JSON.stringify(message.id)), answered.closing)
  } catch (error) {
    if (!res.headersSent) throw error
    if (!(error instanceof Unavailable)) return abortStream(res, error)
    const answered = unavailableAnswer(server, exchange, error)
    return send(res, sender, answered, messageStart(JSON.stringify(message.id)), answered.closing)
  }
}

function abortStream(res: ServerResponse, error: unknown): never {
  res.end()
  throw error
}

/**
 * Answers the messages of a batch one after another, within its deadline, so that a batch costs the database no more at
 * a time than a single request. Once the database is unavailable for one message, the rest are not started.
 */
async function answerBatch<Caller>(
  server: ToolServer<Caller>,
  session: McpSession<Caller>,
  messages: readonly unknown[],
  details: RequestDetails,
  res: ServerResponse,
): Promise<Summary> {
  const sender: Sender = { method: 'batch', era: 'handshake', client: null }
  const texts: string[] = []
  let errorCode: Answer['errorCode'] = null
  let outage: Unavailable | undefined
  await session.countMessages(messages.length - 1)
  for (const message of messages.filter(isRequest)) {
    const bytes = details.bytes > DEFAULT_MAX_BYTES ? Buffer.byteLength(JSON.stringify(message)) : details.bytes
    const exchange: Exchange = { era: 'handshake', message, client: null, ...details, bytes }
    const answered =
      outage === undefined
        ? await answer(server, session, exchange).catch((error: unknown) => {
            if (!(error instanceof Unavailable)) throw error
            outage = error
            return unavailableAnswer(server, exchange, error)
          })
        : unavailableAnswer(server, exchange, outage)
    texts.push(messageStart(JSON.stringify(message.id)) + answered.closing.toString())
    errorCode ??= answered.errorCode
  }
  if (texts.length === 0) return accept(res, sender)
  return send(res, sender, { status: 200, tool: null, errorCode }, `[${texts.join(',')}]`)
}

function accept(res: ServerResponse, sender: Sender): Summary {
  const status = res.destroyed ? clientLeft : 202
  if (status === 202) res.writeHead(202).end()
  return { ...sender, tool: null, status, errorCode: null, bytes: 0 }
}

function refuse(res: ServerResponse, fault: RpcFault, body?: unknown): Summary {
  if (fault.status === 405) res.setHeader('Allow', 'POST')
  const answered = faultAnswer(fault)
  const method = isObject(body) && typeof body.method === 'string' ? clip(body.method) : null
  return send(res, { ...unknownSender, method }, answered, messageStart(idOf(body)), answered.closing)
}

/** Sends two pieces separately, so that precomputed bytes are never copied or encoded again. */
function send(
  res: ServerResponse,
  sender: Sender,
  answered: LoggedAnswer,
  start: string,
  rest: string | Buffer = '',
): Summary {
  const { status, tool, errorCode } = answered
  if (res.destroyed) return { ...sender, tool, status: clientLeft, errorCode, bytes: 0 }
  if (res.headersSent)
    return { ...sender, tool, status: 200, errorCode, bytes: endStream(res, start + rest.toString()) }
  const text = typeof rest === 'string' ? start + rest : start
  const bytes = Buffer.byteLength(text) + (typeof rest === 'string' ? 0 : rest.length)
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': bytes })
  if (typeof rest === 'string') {
    // ASCII text encodes to itself, so latin1 is enough.
    res.end(text, bytes === text.length ? 'latin1' : 'utf8')
  } else {
    res.cork()
    res.write(text)
    res.end(rest)
  }
  return { ...sender, tool, status, errorCode, bytes }
}

/** Returns the client's name: from `_meta` of a stateless request, or from the params of `initialize`. */
function clientName(era: Era, { method, params }: Request, meta: Fields | undefined): string | null {
  const clientInfo = method === 'initialize' ? params?.clientInfo : null
  const info = era === 'stateless' ? meta?.[metaKeys.clientInfo] : clientInfo
  return isObject(info) && typeof info.name === 'string' ? clip(info.name) : null
}

function traceOf({ params }: Request): Pick<Summary, 'traceparent'> {
  const traceparent = metaOf(params)?.traceparent
  return typeof traceparent === 'string' ? { traceparent } : {}
}

/** Request data outside its messages. */
type RequestDetails = { headers: IncomingHttpHeaders; bytes: number; deadline: Deadline }
type InboundRequest = Extract<ClassifiedBody, { kind: 'request' }>
type Sender = Pick<Summary, 'method' | 'era' | 'client' | 'traceparent'>
type LoggedAnswer = Omit<Answer, 'closing'>

const unknownSender: Sender = { method: null, era: null, client: null }
const clientLeft = 499
const gone: Summary = { ...unknownSender, tool: null, status: clientLeft, errorCode: null, bytes: 0 }
