import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { classify, type ClassifiedBody } from './eras.ts'
import type { EraHeaders } from './headers.ts'
import type { RpcFault } from './jsonrpc.ts'

const prefix = 'io.modelcontextprotocol/'
const now = '2026-07-28'
const metaOf = (version: unknown): Record<string, unknown> => ({
  [`${prefix}protocolVersion`]: version,
  [`${prefix}clientCapabilities`]: {},
})

type Sent = { method?: string; meta?: unknown; params?: Record<string, unknown>; headers?: Partial<EraHeaders> }

function classifyRequest({
  method = 'tools/list',
  meta = metaOf(now),
  params = {},
  headers = {},
}: Sent): ClassifiedBody {
  const mirrored = { version: now, method, name: typeof params.name === 'string' ? params.name : undefined }
  return classify(
    { ...mirrored, ...headers },
    { jsonrpc: '2.0', id: 1, method, params: { ...params, ...(meta !== null && { _meta: meta }) } },
  )
}

function faultOf(given: Sent): RpcFault {
  const inbound = classifyRequest(given)
  assert.equal(inbound.kind, 'refused')
  return inbound.kind === 'refused' ? inbound.fault : assert.fail()
}

function assertFault(given: Sent, status: number, code: number, data: object): void {
  const fault = faultOf(given)
  assert.deepEqual({ status: fault.status, code: fault.code, data: fault.data }, { status, code, data })
}

describe('classification of a request', () => {
  it('chooses the stateless era when _meta has a protocol version', () => {
    const inbound = classifyRequest({})
    assert.deepEqual({ kind: inbound.kind, era: inbound.era }, { kind: 'request', era: 'stateless' })
  })
  it('chooses the handshake era when _meta has none', () => {
    for (const version of [undefined, '2025-03-26', '2025-06-18', '2025-11-25']) {
      assert.equal(
        classifyRequest({ meta: { progressToken: 1 }, headers: { version, method: 'nonsense', name: 'nonsense' } }).era,
        'handshake',
      )
    }
  })
  it('treats initialize with a version in _meta as a stateless request', () => {
    assert.equal(classifyRequest({ method: 'initialize' }).era, 'stateless')
  })
  it('accepts a request without client info, and with complete client info', () => {
    const info = {
      name: 'c',
      version: '1',
      title: 'C',
      icons: [{ src: 'a:b', sizes: ['1x1'], theme: 'dark' }],
      websiteUrl: 'https://c',
      description: 'd',
      more: 1,
    }
    const capabilities = {
      elicitation: { form: { applyDefaults: true } },
      sampling: { tools: {} },
      roots: { listChanged: true },
      extensions: { 'a/b': {} },
    }
    assert.equal(
      classifyRequest({
        meta: { ...metaOf(now), [`${prefix}clientInfo`]: info, [`${prefix}clientCapabilities`]: capabilities },
      }).kind,
      'request',
    )
  })
  it('requires Mcp-Name only where the params have a name', () => {
    assert.equal(classifyRequest({ method: 'tools/list', headers: { name: 'whatever' } }).kind, 'request')
    assert.equal(classifyRequest({ method: 'tools/call', params: {} }).kind, 'request')
  })
})

describe('-32602, an incomplete envelope', () => {
  it('names the missing key after a version in _meta', () => {
    assertFault({ meta: { [`${prefix}protocolVersion`]: now } }, 400, -32602, {
      envelope: { key: `${prefix}clientCapabilities`, problem: 'missing' },
    })
  })
  it('names the missing keys after a version header', () => {
    assertFault({ meta: null }, 400, -32602, { envelope: { missing: ['_meta'] } })
    assertFault({ meta: {} }, 400, -32602, {
      envelope: { missing: [`${prefix}protocolVersion`, `${prefix}clientCapabilities`] },
    })
  })
  it('names the invalid key at any depth', () => {
    const wrong = (members: object, key: string): void =>
      assertFault({ meta: { ...metaOf(now), ...members } }, 400, -32602, {
        envelope: { key: prefix + key, problem: 'invalid' },
      })
    wrong({ [`${prefix}protocolVersion`]: 1 }, 'protocolVersion')
    wrong({ [`${prefix}clientInfo`]: { name: 'c' } }, 'clientInfo.version')
    wrong(
      { [`${prefix}clientInfo`]: { name: 'c', version: '1', icons: [{ src: 'a:b' }, { src: 2 }] } },
      'clientInfo.icons.1.src',
    )
    wrong(
      { [`${prefix}clientCapabilities`]: { elicitation: { form: { applyDefaults: 'yes' } } } },
      'clientCapabilities.elicitation.form.applyDefaults',
    )
    wrong({ [`${prefix}logLevel`]: 'loud' }, 'logLevel')
  })
})

describe('-32022, an unsupported version', () => {
  it('returns the supported and the requested versions', () => {
    for (const version of ['2027-01-01', 'v999.0.0', '2025-11-25']) {
      assertFault({ meta: metaOf(version), headers: { version } }, 400, -32022, {
        supported: [now],
        requested: version,
      })
    }
  })
})

describe('-32020, headers that differ from the body', () => {
  const mismatch = (given: Sent, header: string, body: string): void =>
    assertFault(given, 400, -32020, { mismatch: { header, body } })

  it('answers a missing header, in the order of the specification', () => {
    mismatch({ headers: { version: undefined, method: undefined } }, '(missing)', 'MCP-Protocol-Version is required')
    mismatch({ headers: { method: undefined } }, '(missing)', 'Mcp-Method is required')
    mismatch(
      { method: 'tools/call', params: { name: 'jobs_list' }, headers: { name: undefined } },
      '(missing)',
      'Mcp-Name is required',
    )
    mismatch({ method: 'resources/read', params: { uri: 'svc://job/1' } }, '(missing)', 'Mcp-Name is required')
  })
  it('answers a different header, case-sensitively', () => {
    mismatch({ headers: { version: '2025-11-25' } }, '2025-11-25', `_meta has MCP-Protocol-Version ${now}`)
    mismatch({ headers: { method: 'Tools/list' } }, 'Tools/list', 'the method is tools/list')
    mismatch(
      { method: 'tools/call', params: { name: 'jobs_list' }, headers: { name: 'jobs_get' } },
      'jobs_get',
      'params.name is jobs_list',
    )
  })
  it('answers initialize under the version header of the stateless era', () => {
    mismatch(
      { method: 'initialize', meta: null, params: { protocolVersion: '2025-11-25' } },
      now,
      'initialize belongs to an older revision',
    )
  })
  it('compares decoded Base64 and rejects invalid Base64', () => {
    const toolCallOf = (name: string, header: string): Sent => ({
      method: 'tools/call',
      params: { name },
      headers: { name: header },
    })
    assert.equal(classifyRequest(toolCallOf('Müller', '=?base64?TcO8bGxlcg==?=')).kind, 'request')
    assert.equal(classifyRequest(toolCallOf('=?base64?x', '=?base64?x')).kind, 'request')
    mismatch(toolCallOf('Müller', '=?base64?TcO8bGxlcg?='), '=?base64?TcO8bGxlcg?=', 'Mcp-Name is not Base64 of UTF-8')
    mismatch(toolCallOf('x', '=?base64?/w==?='), '=?base64?/w==?=', 'Mcp-Name is not Base64 of UTF-8')
    mismatch(toolCallOf('x', '=?base64?eQ==?='), '=?base64?eQ==?=', 'params.name is x')
  })
  it('takes precedence over -32022', () => {
    mismatch({ meta: metaOf('v999.0.0') }, now, '_meta has MCP-Protocol-Version v999.0.0')
  })
})
