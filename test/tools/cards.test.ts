import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { asker } from '../harness/protocol.ts'

let service: TestService
let company: Company
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
})
after(() => service.stop())

const asking = (query: string, headers = {}) => asker(service.url + query, company.owner.key, headers)
const toolsOf = async (query: string, headers = {}): Promise<Result[]> =>
  (await asking(query, headers).handshake('tools/list')).result!['tools'] as Result[]
const CARDS = { day: 1, quote: 3, invoice: 3 }

describe('a client that asks for cards', () => {
  it('is told which tools have one, by whose results it is drawn, and that no card may call a tool', async () => {
    const tools = await toolsOf('?ui=1')
    const drawn = tools.filter(({ _meta }) => _meta !== undefined)
    for (const [card, count] of Object.entries(CARDS)) {
      const uri = `ui://callout/${card}`
      const named = drawn.filter(({ _meta }) => _meta.ui.resourceUri === uri)
      assert.equal(named.length, count, card)
      for (const { _meta } of named) assert.deepEqual(_meta, { ui: { resourceUri: uri, visibility: ['model'] } })
    }
    assert.equal(drawn.length, 7)
    const plain = await toolsOf('')
    for (const [i, tool] of tools.entries())
      assert.deepEqual(tool, { ...plain[i], ...(tool['_meta'] && { _meta: tool['_meta'] }) })
    assert.deepEqual(await toolsOf('', { 'X-MCP-UI': '1' }), tools)
    assert.deepEqual(await toolsOf('?ui=1&mine=1'), tools)
    assert.deepEqual(
      (await toolsOf('?ui=1&readonly=1&toolsets=quotes')).map(({ name, _meta }) => [name, _meta?.ui.resourceUri]),
      [
        ['quotes_list', undefined],
        ['quotes_get', 'ui://callout/quote'],
      ],
    )
  })

  it('is told of the extension, and nobody else is', async () => {
    const extensions = { 'io.modelcontextprotocol/ui': {} }
    const given = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
    const { capabilities } = (await asking('?ui=1').handshake('initialize', given)).result!
    assert.deepEqual(capabilities.extensions, extensions)
    assert.deepEqual(
      (await asking('?ui=1').stateless('server/discover')).result!['capabilities'].extensions,
      extensions,
    )
    assert.equal((await asking('').handshake('initialize', given)).result!['capabilities'].extensions, undefined)
  })

  it('reads a page that loads nothing, runs its own script alone, and holds no record', async () => {
    for (const card of Object.keys(CARDS)) {
      const uri = `ui://callout/${card}`
      const [content, ...more] = (await asking('?ui=1').handshake('resources/read', { uri })).result!['contents']
      assert.equal(more.length, 0)
      const none: string[] = []
      const csp = { connectDomains: none, resourceDomains: none, frameDomains: none, baseUriDomains: none }
      assert.deepEqual(
        { ...content, text: '' },
        { uri, mimeType: 'text/html;profile=mcp-app', text: '', _meta: { ui: { csp, prefersBorder: true } } },
      )
      const { text } = content as { text: string }
      assert.ok(text.startsWith('<!doctype html>') && text.length < 15_000, String(text.length))
      assert.match(
        text.replaceAll('&#39;', "'"),
        /content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'/,
      )
      assert.ok(!/https?:\/\/|\bsrc=|\burl\(|@import/.test(text))
      assert.match(text, /data-zone="America\/New_York" data-country="US"/)
    }
  })

  it('finds no other card, and none where it did not ask for them', async () => {
    const absent = async (query: string, uri: string) =>
      assert.equal((await asking(query).handshake('resources/read', { uri })).error!.code, -32002)
    await absent('', 'ui://callout/day')
    for (const name of ['', 'days', 'constructor', 'day/x', 'DAY']) await absent('?ui=1', `ui://callout/${name}`)
  })
})
