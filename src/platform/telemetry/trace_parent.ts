import type { SpanContext } from '@opentelemetry/api'

/** Matches version, trace ID, span ID and flags (W3C Trace Context 3.2.2); later versions may append more. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Returns the parent span of a traceparent header. Undefined if the header is invalid. */
export function parentOf(traceparent: unknown): SpanContext | undefined {
  const [, version, traceId, spanId, flags = '', suffix] =
    TRACEPARENT.exec(typeof traceparent === 'string' ? traceparent : '') ?? []
  if (traceId === undefined || spanId === undefined || (version === '00' && suffix !== undefined)) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}
