import { http } from './http.ts'
import { address, listOf, oneOf, text, tryDecode, wholeNumber } from '../parsers.ts'
import { ConfigError, setting, topic, type Environment } from '../setting.ts'

/** Telemetry besides the log. Null turns it off. */
export type TelemetryConfig = {
  /** Port of /metrics, on the service's host. */
  metricsPort: number | null
  traces: TracesConfig | null
}

/** Destination of spans: OTLP over HTTP in protobuf. */
export type TracesConfig = { url: string; headers: Readonly<Record<string, string>>; serviceName: string }

const TRACES = { ignoredWithout: 'OTEL_EXPORTER_OTLP_ENDPOINT' }

/** Settings with the names and forms of the OpenTelemetry specification (OTLP Exporter Configuration). */
export const telemetry = topic(
  'Metrics and traces',
  {
    metricsPort: setting('METRICS_PORT', {
      parse: metricsPort,
      default: null,
      about: 'Port of `/metrics` on `HOST`, for Prometheus.',
    }),
    endpoint: setting('OTEL_EXPORTER_OTLP_ENDPOINT', {
      parse: address,
      default: null,
      about: 'Collector to send spans to, such as `http://127.0.0.1:4318`.',
    }),
    headers: setting('OTEL_EXPORTER_OTLP_HEADERS', {
      ...TRACES,
      parse: listOf(otlpHeader),
      default: [],
      defaultText: 'none',
      isSecret: true,
      about: 'Headers to send with spans: `name=value,name=value`, values percent-encoded.',
    }),
    protocol: setting('OTEL_EXPORTER_OTLP_PROTOCOL', {
      ...TRACES,
      parse: oneOf('http/protobuf'),
      default: 'http/protobuf',
      about: 'Protocol for spans; no other is supported.',
    }),
    serviceName: setting('OTEL_SERVICE_NAME', {
      ...TRACES,
      parse: text,
      default: 'callout',
      about: 'Service name in spans.',
    }),
  },
  ({ metricsPort, endpoint, headers, serviceName }): { telemetry: TelemetryConfig } => ({
    telemetry: {
      metricsPort,
      traces:
        endpoint === null ? null : { url: `${endpoint}/v1/traces`, headers: Object.fromEntries(headers), serviceName },
    },
  }),
)

function metricsPort(value: string, name: string, env: Environment): number {
  const port = wholeNumber(0, 65_535)(value, name)
  if (port === http.settings.port.read(env) && port !== 0)
    throw new ConfigError(`${name} must be a different port from PORT (got '${port}')`)
  return port
}

/** Parses `name=value`, percent-encoded. The value may be a secret, so no message shows it. */
function otlpHeader(part: string, name: string): [name: string, value: string] {
  const [, header = '', encoded = ''] = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x20-\x7e]*)$/.exec(part) ?? []
  const value = tryDecode(encoded)
  if (header === '' || value === undefined || !/^[\x20-\x7e]*$/.test(value))
    throw new ConfigError(`${name} must look like name=value,name=value, each value percent-encoded`)
  return [header, value]
}
