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

describe('ok', () => {
  it('is the stateless era where _meta names its version', () => {
    const inbound = classifyRequest({})
    assert.deepEqual({ kind: inbound.kind, era: inbound.era }, { kind: 'request', era: 'stateless' })
  })
  it('is the handshake era where it names none', () => {
    for (const version of [undefined, '2025-03-26', '2025-06-18', '2025-11-25']) {
      assert.equal(
        classifyRequest({ meta: { progressToken: 1 }, headers: { version, method: 'nonsense', name: 'nonsense' } }).era,
        'handshake',
      )
    }
  })
  it('is a stateless request even when it is called initialize', () => {
    assert.equal(classifyRequest({ method: 'initialize' }).era, 'stateless')
  })
  it('asks for no client name, and takes a full one', () => {
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
  it('needs Mcp-Name only where something is named', () => {
    assert.equal(classifyRequest({ method: 'tools/list', headers: { name: 'whatever' } }).kind, 'request')
    assert.equal(classifyRequest({ method: 'tools/call', params: {} }).kind, 'request')
  })
})

describe('-32602, an envelope that lacks something', () => {
  it('names what is missing behind a claim', () => {
    assertFault({ meta: { [`${prefix}protocolVersion`]: now } }, 400, -32602, {
      envelope: { key: `${prefix}clientCapabilities`, problem: 'missing' },
    })
  })
  it('names what is missing behind a header', () => {
    assertFault({ meta: null }, 400, -32602, { envelope: { missing: ['_meta'] } })
    assertFault({ meta: {} }, 400, -32602, {
      envelope: { missing: [`${prefix}protocolVersion`, `${prefix}clientCapabilities`] },
    })
  })
  it('names what is wrong, however deep', () => {
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

describe('-32022, a version nobody serves', () => {
  it('names what is served and what was asked', () => {
    for (const version of ['2027-01-01', 'v999.0.0', '2025-11-25']) {
      assertFault({ meta: metaOf(version), headers: { version } }, 400, -32022, {
        supported: [now],
        requested: version,
      })
    }
  })
})

describe('-32020, headers that do not say what the body says', () => {
  const mismatch = (given: Sent, header: string, body: string): void =>
    assertFault(given, 400, -32020, { mismatch: { header, body } })

  it('answers a header that is missing, in the order of the specification', () => {
    mismatch({ headers: { version: undefined, method: undefined } }, '(missing)', 'MCP-Protocol-Version is required')
    mismatch({ headers: { method: undefined } }, '(missing)', 'Mcp-Method is required')
    mismatch(
      { method: 'tools/call', params: { name: 'jobs_list' }, headers: { name: undefined } },
      '(missing)',
      'Mcp-Name is required',
    )
    mismatch({ method: 'resources/read', params: { uri: 'svc://job/1' } }, '(missing)', 'Mcp-Name is required')
  })
  it('answers a header that differs, in case too', () => {
    mismatch({ headers: { version: '2025-11-25' } }, '2025-11-25', `_meta says MCP-Protocol-Version ${now}`)
    mismatch({ headers: { method: 'Tools/list' } }, 'Tools/list', 'the method is tools/list')
    mismatch(
      { method: 'tools/call', params: { name: 'jobs_list' }, headers: { name: 'jobs_get' } },
      'jobs_get',
      'params.name is jobs_list',
    )
  })
  it('answers a handshake under the header of an era without one', () => {
    mismatch(
      { method: 'initialize', meta: null, params: { protocolVersion: '2025-11-25' } },
      now,
      'initialize opens an older revision',
    )
  })
  it('compares Base64 by what is inside, and refuses what is none', () => {
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
  it('outranks the list of versions where the two disagree', () => {
    mismatch({ meta: metaOf('v999.0.0') }, now, '_meta says MCP-Protocol-Version v999.0.0')
  })
})
