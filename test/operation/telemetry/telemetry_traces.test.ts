import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from '../../../src/platform/config/config.ts'
import { openTelemetry } from '../../../src/platform/telemetry/telemetry.ts'
import { makeCompany } from '../../harness/harness.ts'
import { rpc, toolHeaders } from '../../harness/http.ts'
import { startCollector, type Span } from '../../harness/clients/otlp.ts'
import { captureLog, startMonitoredService, type Line } from '../../harness/monitored_service.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const OTHER = '5b8efff798038103d269b633813fc60c'
const traceparent = (trace: string, flags = '01'): string => `00-${trace}-${PARENT}-${flags}`

const SERVER = 2
const CLIENT = 3
const ERROR = 2

/** Spans that the collector has after all requests are sent and the service has stopped. */
let spans: Span[]
let lines: Line[]
let sent: Awaited<ReturnType<typeof startCollector>>['sent']
let who: { tenant: string; credential: string }

/** Calls by trace id, to find their spans. */
const CALLS = new Map<string, { body: string; headers?: Record<string, string>; key?: string }>()
let serial = 0
const call = (body: string, { headers = {}, key }: { headers?: Record<string, string>; key?: string } = {}): string => {
  const trace = (++serial).toString(16).padStart(32, '0')
  CALLS.set(trace, {
    body,
    headers: { traceparent: traceparent(trace), ...headers },
    ...(key === undefined ? {} : { key }),
  })
  return trace
}
const tool = (name: string, given: object = {}, meta: object = {}): string =>
  rpc('tools/call', { name, arguments: given, _meta: meta })

const TAG = call(tool('tags_create', { name: 'traced' }))
const MODERN = call(
  rpc('tools/call', {
    name: 'tags_list',
    arguments: {},
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'desk-agent', version: '2' },
    },
  }),
  { headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'tags_list' } },
)
const INVALID = call(tool('tags_create', { color: 'nothing' }))
const UNKNOWN_TOOL = call(tool('tags_invent'))
const UNKNOWN_METHOD = call(rpc('tags/invent'))
const LIST = call(rpc('tools/list'))
const PROMPT = call(rpc('prompts/get', { name: 'plan-my-day' }))
const NOTIFICATION = call('{"jsonrpc":"2.0","method":"notifications/initialized"}')
const NOT_JSON = call('{')
const STRANGER = call(rpc('tools/list'), { key: 'svc_uk_nobody' })
const BOTH = call(tool('tags_list', {}, { traceparent: traceparent(TRACE) }))
const IN_META = call(tool('tags_get', { id: 'no id' }, { traceparent: traceparent(OTHER) }), {
  headers: { traceparent: 'nothing' },
})
const UNSAMPLED = call(tool('tags_list'), { headers: { traceparent: traceparent('f'.repeat(32), '00') } })

before(async () => {
  const service = await startMonitoredService({
    OTEL_SERVICE_NAME: 'callout-test',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20key, x-team=ours',
  })
  await askAll(service).finally(service.stop)
  spans = service.collector.spans()
  lines = service.lines
  sent = service.collector.sent
})

async function askAll(service: Awaited<ReturnType<typeof startMonitoredService>>): Promise<void> {
  const company = await makeCompany(service)
  who = { tenant: company.tenant, credential: company.owner.credential }
  for (const { body, headers, key } of CALLS.values()) {
    await (
      await fetch(service.url, {
        method: 'POST',
        headers: { ...toolHeaders(key ?? company.owner.key), ...headers },
        body,
      })
    ).text()
  }
}

const ofTrace = (trace: string): Span[] => spans.filter((span) => span.trace === trace)
const of = (trace: string): Span => {
  const [span, more] = ofTrace(trace).filter(({ kind }) => kind === SERVER)
  assert.ok(span !== undefined && more === undefined, `${trace} has one span of a request`)
  return span
}

describe('a span', () => {
  it('is named by the method and the tool or prompt', () => {
    const names = [TAG, MODERN, LIST, PROMPT, NOTIFICATION].map((trace) => of(trace).name)
    assert.deepEqual(names, [
      'tools/call tags_create',
      'tools/call tags_list',
      'tools/list',
      'prompts/get plan-my-day',
      'notifications/initialized',
    ])
  })

  it('has the semantic convention attributes and the caller', () => {
    const common = { 'network.transport': 'tcp', 'network.protocol.name': 'http', 'http.route': '/api/mcp' }
    assert.deepEqual(of(TAG).attributes, {
      ...common,
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'tags_create',
      'callout.era': 'handshake',
      'callout.tenant': who.tenant,
      'callout.credential': who.credential,
      'http.response.status_code': 200,
    })
    assert.deepEqual(of(MODERN).attributes, {
      ...common,
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'tags_list',
      'mcp.protocol.version': '2026-07-28',
      'callout.era': 'stateless',
      'callout.client': 'desk-agent',
      'callout.tenant': who.tenant,
      'callout.credential': who.credential,
      'http.response.status_code': 200,
    })
    assert.equal(of(LIST).attributes['gen_ai.operation.name'], undefined)
    assert.deepEqual(
      [of(PROMPT).attributes['gen_ai.prompt.name'], of(PROMPT).attributes['gen_ai.tool.name']],
      ['plan-my-day', undefined],
    )
  })

  it('of a successful request has no error status', () =>
    assert.deepEqual(
      [TAG, MODERN, LIST, NOTIFICATION, BOTH].map((trace) => ofTrace(trace).some(({ status }) => status === ERROR)),
      Array(5).fill(false),
    ))

  it('of a failed request has an error status and type', () => {
    const error = (trace: string) => [
      of(trace).name,
      of(trace).status,
      of(trace).attributes['error.type'],
      of(trace).attributes['callout.error.code'] ?? of(trace).attributes['rpc.response.status_code'],
    ]
    assert.deepEqual([INVALID, UNKNOWN_TOOL, UNKNOWN_METHOD, NOT_JSON, STRANGER].map(error), [
      ['tools/call tags_create', ERROR, 'tool_error', 'invalid_input'],
      ['tools/call other', ERROR, '-32602', '-32602'],
      ['other', ERROR, '-32601', '-32601'],
      ['POST /api/mcp', ERROR, '-32700', '-32700'],
      ['POST /api/mcp', ERROR, 'invalid_token', undefined],
    ])
    assert.equal(of(STRANGER).attributes['http.response.status_code'], 401)
  })

  it('has the service name and is sent with the configured headers', () => {
    assert.deepEqual([...new Set(spans.map(({ resource }) => resource['service.name']))], ['callout-test'])
    assert.ok(sent.length > 0)
    for (const { path, headers } of sent)
      assert.deepEqual(
        [path, headers['x-key'], headers['x-team'], headers['content-type']],
        ['/v1/traces', 'a key', 'ours', 'application/x-protobuf'],
      )
  })
})

describe("a span's parent", () => {
  it('is the span in the traceparent header', () => assert.equal(of(TAG).parent, PARENT))

  it("is the span in _meta if present, with a link to the header's", () => {
    assert.deepEqual(
      [of(TRACE).name, of(TRACE).parent, of(TRACE).links],
      ['tools/call tags_list', PARENT, [{ trace: BOTH, id: PARENT }]],
    )
    assert.deepEqual([of(OTHER).parent, of(OTHER).links, ofTrace(IN_META)], [PARENT, [], []])
  })

  it('prevents recording if it is not sampled', () => {
    assert.ok(CALLS.has(UNSAMPLED))
    assert.deepEqual(ofTrace('f'.repeat(32)), [])
  })
})

describe('a database round trip', () => {
  it("has a span within its request's span", () => {
    const request = of(TAG)
    const trips = ofTrace(TAG).filter(({ kind }) => kind === CLIENT)
    assert.ok(trips.length >= 2, 'the insert, and the commit with its audit row')
    for (const trip of trips) {
      assert.deepEqual(
        [trip.name, trip.parent, trip.attributes['db.system.name']],
        ['postgresql', request.id, 'postgresql'],
      )
      assert.ok(request.begun <= trip.begun && trip.begun <= trip.ended && trip.ended <= request.ended)
    }
  })
})

describe('the log line of a request', () => {
  it('has its trace id', () => {
    const [line] = lines.filter(({ tool, errorCode }) => tool === 'tags_create' && errorCode === null)
    assert.equal(line!['trace'], TAG)
  })
})

const nobody = {
  disks: {},
  readInstallation: () => Promise.resolve(undefined),
  names: { isMethod: () => true, isTool: () => true },
  load: () => ({ used: 0, idle: 0, max: 0, waiting: 0 }),
}

describe('without OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  /** Returns the OpenTelemetry modules that loading the service and opening telemetry loads. */
  const listLoadedModules = async (env: Record<string, string>): Promise<string> => {
    const program = `
      import { registerHooks } from 'node:module'
      const loaded = new Set()
      registerHooks({ resolve: (name, context, next) => (name.startsWith('@opentelemetry/') && loaded.add(name), next(name, context)) })
      await import('./src/start/service.ts')
      const { openTelemetry } = await import('./src/platform/telemetry/telemetry.ts')
      const { readConfig } = await import('./src/platform/config/config.ts')
      await openTelemetry({ config: readConfig(${JSON.stringify(env)}).telemetry, names: {} })
      process.stdout.write([...loaded].join(' '))
      process.exit(0)`
    return (
      await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
        cwd: join(import.meta.dirname, '..', '..', '..'),
      })
    ).stdout
  }

  it('no OpenTelemetry module is loaded', async () => {
    assert.equal(await listLoadedModules({}), '')
    assert.match(
      await listLoadedModules({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }),
      /@opentelemetry\/sdk-trace/,
    )
  })

  it('no database round trip is observed', async () => {
    const { startRoundTrip } = await openTelemetry({
      config: readConfig({}).telemetry,
      log: captureLog().log,
      ...nobody,
    })
    assert.equal(startRoundTrip, undefined)
  })
})

describe('a collector that rejects spans', () => {
  it('causes a log warning without the headers', async () => {
    const collector = await startCollector({ status: 400 })
    const { log, lines } = captureLog()
    const { telemetry: config } = readConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret',
    })
    const telemetry = await openTelemetry({ config, log, ...nobody })
    await telemetry.observeToolRequest({ headers: {} } as never, async () => ({
      method: 'tools/list',
      status: 200,
      errorCode: null,
      bytes: 2,
    }))
    await telemetry.close()
    await collector.stop()
    const [warning] = lines.filter(({ msg }) => msg === 'spans not taken')
    assert.deepEqual([warning?.['spans'], collector.sent.length], [1, 1])
    assert.ok(!JSON.stringify(lines).includes('secret'))
  })
})
