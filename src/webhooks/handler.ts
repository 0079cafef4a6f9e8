import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { newId } from '../platform/validation/id.ts'
import { HttpRefusal, jsonAnswer, type HttpAnswer } from '../platform/errors/http_refusal.ts'
import { MISCONFIGURED } from './answer.ts'
import { requireLength, readSenderBody, type WebhookBody, type EndpointLimits } from './body/body.ts'
import { openBodySlots } from './body/body_slots.ts'
import type { SignatureCheck, SignatureScheme } from './signatures/signature.ts'
import { textBefore } from '../platform/validation/text/before.ts'

/** Webhook endpoint of a provider. */
export type Endpoint = EndpointLimits & {
  /** Name in the log. */
  name: string
  contentType: 'application/json' | 'application/x-www-form-urlencoded'
  scheme: SignatureScheme
  /** Answer to a missing or wrong signature. */
  unsigned: HttpAnswer
  /**
   * Processes a signed body, with the query of its signed address, and returns the answer. If it throws, the answer is
   * `failed`.
   */
  handle(body: Buffer, query: string): Promise<HttpAnswer>
  failed: HttpAnswer
}

/** Factory of node:http handlers, one per endpoint. */
type HandlerFactory = (endpoint: Endpoint) => (req: IncomingMessage, res: ServerResponse) => Promise<void>

/** Returns a factory of webhook handlers. `senderOf` returns the address of a request's sender. */
export function newWebhookHandlers(log: Logger, senderOf: (req: IncomingMessage) => string): HandlerFactory {
  const slots = openBodySlots()

  /**
   * Handles a request with the steps all webhooks share. Runs every check that doesn't need the body before it is read.
   * Returns undefined if the sender has disconnected.
   */
  async function receive(endpoint: Endpoint, req: IncomingMessage): Promise<HttpAnswer | undefined> {
    requirePost(req)
    requireContent(req, endpoint)
    const sender = senderOf(req)
    requireLength(req, endpoint, slots, sender)
    requireSecret(endpoint)
    const check = requireSignature(req, endpoint)
    const body = await readSenderBody(req, endpoint, slots, sender, check.update)
    if (body === undefined) return undefined
    try {
      requireMatch(check, body, endpoint)
      return await endpoint.handle(await body.readVerified(), (req.url ?? '').split('?')[1] ?? '')
    } finally {
      body.release()
    }
  }

  return (endpoint) => async (req, res) => {
    const startedAt = performance.now()
    const { answer, fault } = await receive(endpoint, req).then(
      (answer) => ({ answer, fault: undefined }),
      (error: unknown) => outcomeOf(endpoint, error),
    )
    const reference = fault && newId()
    if (fault !== undefined) log.error({ reference, endpoint: endpoint.name, err: fault }, 'webhook fault')
    if (answer !== undefined) await send(req, res, answer)
    log.info(
      {
        endpoint: endpoint.name,
        status: answer?.status,
        reference,
        ms: Math.round((performance.now() - startedAt) * 100) / 100,
      },
      'webhook',
    )
  }
}

function outcomeOf({ failed }: Endpoint, error: unknown): { answer: HttpAnswer; fault?: unknown } {
  if (error instanceof HttpRefusal) return { answer: error.answer }
  return { answer: failed, fault: error }
}

function requirePost({ method }: IncomingMessage): void {
  if (method !== 'POST') throw new HttpRefusal(jsonAnswer(405, { error: 'method_not_allowed' }, { Allow: 'POST' }))
}

function requireContent({ headers }: IncomingMessage, { contentType }: Endpoint): void {
  const type = textBefore(headers['content-type'] ?? '', ';')
    .trim()
    .toLowerCase()
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (type !== contentType || encoding !== 'identity')
    throw new HttpRefusal(jsonAnswer(415, { error: 'unsupported_media_type' }, { Accept: contentType }))
}

function requireSecret({ scheme }: Endpoint): void {
  if (!scheme.isConfigured) throw new HttpRefusal(MISCONFIGURED)
}

function requireSignature(req: IncomingMessage, { scheme, unsigned }: Endpoint): SignatureCheck {
  const signed = {
    target: req.url ?? '',
    headers: req.headers,
    headersDistinct: req.headersDistinct,
    peer: req.socket.remoteAddress ?? '',
  }
  const check = scheme.open(signed, Math.floor(Date.now() / 1000))
  if (check === undefined) throw new HttpRefusal(unsigned)
  return check
}

function requireMatch(check: SignatureCheck, { bytes }: WebhookBody, { unsigned }: Endpoint): void {
  if (!check.accepts(bytes)) throw new HttpRefusal(unsigned)
}

/**
 * Sends the answer. A sender that is still sending doesn't read it, so the rest of its body is drained for up to a
 * second before the socket closes.
 */
async function send(
  req: IncomingMessage,
  res: ServerResponse,
  { status, body = '', headers = {} }: HttpAnswer,
): Promise<void> {
  if (res.destroyed) return
  const isComplete = req.complete
  res.writeHead(status, {
    'Content-Length': Buffer.byteLength(body),
    ...headers,
    ...(isComplete ? {} : { Connection: 'close' }),
  })
  if (isComplete) return void res.end(body)
  res.write(body)
  await drainRequest(req)
  res.end()
}

const DRAIN_MS = 1_000

function drainRequest(req: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, DRAIN_MS)
  req
    .on('end', resolve)
    .on('close', resolve)
    .on('error', () => resolve())
    .resume()
  return promise.finally(() => clearTimeout(timer))
}
