import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import type * as OpenTelemetry from '@opentelemetry/api'
import type { Attributes, Context, Tracer } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { TracesConfig } from '../config/config.ts'
import { VERSION } from '../version.ts'
import { toLabel } from './names.ts'
import { outcomeOf, type KnownNames, type ToolLine } from './tool_requests.ts'
import { parentOf } from './trace_parent.ts'
import { errorCode } from '../errors/error_code.ts'

/** Round trip to the database. Times are in milliseconds of `performance.now()`. */
type RoundTrip = { startedAt: number; endedAt: number; statements: number; error: unknown }

/** Values for the span of a request. */
type FinishedRequest = {
  line: ToolLine
  headers: IncomingMessage['headers']
  startedAt: number
  endedAt: number
  roundTrips: readonly RoundTrip[]
}

/** Maximum number of round trips in the span of one request. */
const MAX_ROUND_TRIPS = 64
/** Time in milliseconds for the collector to receive the last spans when the service stops. */
const SHUTDOWN_TIMEOUT_MS = 3_000

/**
 * Sends a span for each request to the tool endpoint, with its round trips, to a collector. Spans are created at the
 * end from the log line, so nothing else can get into them.
 */
export async function openTraces(config: TracesConfig, names: KnownNames, log: Logger) {
  const { api, provider } = await openProvider(config, log)
  const tracer = provider.getTracer('callout', VERSION)
  const currentRoundTrips = new AsyncLocalStorage<RoundTrip[]>()
  const labels = { method: toLabel(names.isMethod), tool: toLabel(names.isTool) }
  return {
    /** Runs a request and collects its round trips. */
    async runTraced<T>(answer: () => Promise<T>): Promise<{ line: T; roundTrips: readonly RoundTrip[] }> {
      const roundTrips: RoundTrip[] = []
      return { line: await currentRoundTrips.run(roundTrips, answer), roundTrips }
    },
    /** Records the span of a finished request, and returns its trace ID. */
    record: (request: FinishedRequest): string => {
      const { line, headers, startedAt, endedAt, roundTrips } = request
      const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api
      const clock = Date.now() - performance.now()
      const [meta, http] = [parentOf(line.traceparent), parentOf(headers['traceparent'])]
      const parent = meta ?? http
      const [method, tool] = [labels.method(line.method), labels.tool(line.tool)]
      const span = tracer.startSpan(
        nameOf(method, tool),
        {
          kind: SpanKind.SERVER,
          startTime: clock + startedAt,
          attributes: attributesOf(line, method, tool, headers),
          links: meta !== undefined && http !== undefined ? [{ context: http }] : [],
        },
        parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
      )
      if (outcomeOf(line) !== 'ok') span.setStatus({ code: SpanStatusCode.ERROR })
      if (span.isRecording()) recordRoundTrips(api, tracer, roundTrips, trace.setSpan(ROOT_CONTEXT, span), clock)
      span.end(clock + endedAt)
      return span.spanContext().traceId
    },
    /** Called when a round trip begins. Returns the function to call when it ends. */
    startRoundTrip: (statements: number): ((error?: unknown) => void) => {
      const roundTrips = currentRoundTrips.getStore()
      const startedAt = performance.now()
      return (error) => {
        if (roundTrips !== undefined && roundTrips.length < MAX_ROUND_TRIPS)
          roundTrips.push({ startedAt, endedAt: performance.now(), statements, error })
      }
    },
    /** Sends the remaining spans. */
    close: async (): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, SHUTDOWN_TIMEOUT_MS)
      await Promise.race([provider.shutdown().catch(() => {}), promise])
      clearTimeout(timer)
    },
  }
}

/** Loads OpenTelemetry, which only a service with a collector needs. */
async function openProvider({ url, headers, serviceName }: TracesConfig, log: Logger) {
  const [api, { BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/resources'),
    ])
  const exporter = withWarnings(new OTLPTraceExporter({ url, headers: { ...headers } }), log)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': VERSION }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  return { api, provider }
}

/** Records a child span for each round trip. */
function recordRoundTrips(
  { SpanKind, SpanStatusCode }: typeof OpenTelemetry,
  tracer: Tracer,
  roundTrips: readonly RoundTrip[],
  parent: Context,
  clock: number,
): void {
  for (const { startedAt, endedAt, statements, error } of roundTrips) {
    const batch = statements > 1 ? { 'db.operation.batch.size': statements } : {}
    const span = tracer.startSpan(
      'postgresql',
      { kind: SpanKind.CLIENT, startTime: clock + startedAt, attributes: { 'db.system.name': 'postgresql', ...batch } },
      parent,
    )
    if (error !== undefined) {
      span.setAttribute('error.type', errorType(error))
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    span.end(clock + endedAt)
  }
}

/** Wraps an exporter to log spans that the collector refuses; the service continues without it. */
const withWarnings = (exporter: SpanExporter, log: Logger): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      if (result.error !== undefined) log.warn({ spans: spans.length, err: result.error }, 'spans not taken')
      done(result)
    }),
  shutdown: () => exporter.shutdown(),
})

/**
 * Returns a span's name by OpenTelemetry's conventions for MCP: the method and the tool. A request that was refused
 * before it was read has neither.
 */
const nameOf = (method: string, tool: string): string =>
  method === '' ? 'POST /api/mcp' : tool === '' ? method : `${method} ${tool}`

function attributesOf(
  { era, client, credential, tenant, status, errorCode }: ToolLine,
  method: string,
  tool: string,
  headers: IncomingMessage['headers'],
): Attributes {
  const version = /^\d{4}-\d{2}-\d{2}$/.exec(String(headers['mcp-protocol-version']))?.[0]
  const isCall = method === 'tools/call'
  return {
    ...(method === '' ? {} : { 'mcp.method.name': method }),
    ...(isCall ? { 'gen_ai.operation.name': 'execute_tool' } : {}),
    ...(tool === '' ? {} : { [method === 'prompts/get' ? 'gen_ai.prompt.name' : 'gen_ai.tool.name']: tool }),
    ...(era === null || era === undefined
      ? {}
      : { 'callout.era': era, ...(version === undefined ? {} : { 'mcp.protocol.version': version }) }),
    ...(client === null || client === undefined ? {} : { 'callout.client': client }),
    ...(credential === undefined ? {} : { 'callout.credential': credential }),
    ...(tenant === undefined ? {} : { 'callout.tenant': tenant }),
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
    'http.route': '/api/mcp',
    ...(status === 499 ? {} : { 'http.response.status_code': status }),
    ...(outcomeOf({ status, errorCode }) === 'ok' ? {} : errorOf(status, errorCode, isCall)),
  }
}

/** Returns the error attributes: `tool_error` for a tool's own error with any code. */
function errorOf(status: number, errorCode: ToolLine['errorCode'], isCall: boolean): Attributes {
  if (typeof errorCode === 'number')
    return { 'error.type': String(errorCode), 'rpc.response.status_code': String(errorCode) }
  if (errorCode === null) return { 'error.type': outcomeOf({ status, errorCode }) }
  return isCall && status === 200
    ? { 'error.type': 'tool_error', 'callout.error.code': errorCode }
    : { 'error.type': errorCode }
}

const errorType = (error: unknown): string =>
  errorCode(error) ?? (error instanceof Error ? error.constructor.name : '_OTHER')
