import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../../harness/harness.ts'
import { setApprovalRules } from '../../../src/identity/companies/approval.ts'
import { newProtocolClient } from '../../harness/clients/protocol.ts'

let service: TestService
let company: Company
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
})
after(() => service.stop())

const asking = (query: string, headers = {}) => newProtocolClient(service.url + query, company.owner.key, headers)
const toolsOf = async (query: string, headers = {}): Promise<Result[]> =>
  (await asking(query, headers).handshake('tools/list')).result!['tools'] as Result[]
const CARDS = { day: 1, quote: 3, invoice: 3, approval: 0 }

describe('a client that requests cards (?ui=1)', () => {
  it('gets the card URI of seven tools, visible to the model only', async () => {
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

  it("gets the UI extension; other clients don't", async () => {
    const extensions = { 'io.modelcontextprotocol/ui': {} }
    const given = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
    const { capabilities } = (await asking('?ui=1').handshake('initialize', given)).result!
    assert.deepEqual(capabilities.extensions, extensions)
    const tasks = { 'io.modelcontextprotocol/tasks': {} }
    for (const [query, discovered] of [
      ['?ui=1', { ...extensions, ...tasks }],
      ['', tasks],
    ] as const)
      assert.deepEqual(
        (await asking(query).stateless('server/discover')).result!['capabilities'].extensions,
        discovered,
      )
    assert.equal((await asking('').handshake('initialize', given)).result!['capabilities'].extensions, undefined)
  })

  it('reads a self-contained page without external resources, with a strict CSP', async () => {
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
    }
  })

  it('gets error -32002 for an unknown card, and for any card without ?ui=1', async () => {
    const absent = async (query: string, uri: string) =>
      assert.equal((await asking(query).handshake('resources/read', { uri })).error!.code, -32002)
    await absent('', 'ui://callout/day')
    for (const name of ['', 'days', 'constructor', 'day/x', 'DAY']) await absent('?ui=1', `ui://callout/${name}`)
  })
})

describe('cards of a connection that only proposes', () => {
  const cardsFor = async (key: string, query = '?ui=1'): Promise<Record<string, string>> => {
    const tools = (await newProtocolClient(service.url + query, key).handshake('tools/list')).result![
      'tools'
    ] as Result[]
    return Object.fromEntries(
      tools.flatMap(({ name, _meta }) => (_meta === undefined ? [] : [[name, _meta.ui.resourceUri as string]])),
    )
  }

  it('show the approval card for every write that needs approval, and for no other tool', async () => {
    const { key } = await company.member('owner', { proposes: ['write:customers', 'write:quotes'] })
    const cards = await cardsFor(key)
    assert.equal(cards['customers_create'], 'ui://callout/approval')
    assert.equal(cards['tags_delete'], 'ui://callout/approval')
    assert.equal(cards['quotes_archive'], 'ui://callout/approval')
    assert.equal(cards['quotes_create'], 'ui://callout/quote')
    for (const name of ['customers_get', 'customers_search', 'jobs_create', 'invoices_void'])
      assert.equal(cards[name], undefined, name)
    assert.deepEqual(await cardsFor(key, '?ui=1&mine=1'), cards)
    assert.deepEqual(await cardsFor(key, ''), {})
  })

  it('show the approval card only for destructive tools if the company requires approval for those', async () => {
    const strict = await makeCompany(service)
    const owner = { user: strict.owner.id, credential: null, client: null }
    await setApprovalRules(
      service.database,
      strict.tenant,
      { destructive_proposes: true, burst_limit: '20', burst_limits_keys: true },
      owner,
    )
    const cards = await cardsFor(strict.owner.key)
    const drawn = Object.keys(cards).filter((name) => cards[name] === 'ui://callout/approval')
    assert.ok(drawn.includes('customers_archive') && drawn.includes('invoices_void') && !drawn.includes('jobs_update'))
    assert.ok(drawn.every((name) => /_(archive|delete|cancel|void|end)$/.test(name)))
  })

  it('come with the proposal, and with the same text as without cards', async () => {
    const { key } = await company.member('owner', { proposes: ['write:customers'] })
    const call = async (query: string) =>
      (
        await newProtocolClient(service.url + query, key).handshake('tools/call', {
          name: 'customers_create',
          arguments: { customer_type: 'individual', first_name: 'Ana\u2060', last_name: 'Ruiz' },
        })
      ).result!
    const [drawn, plain] = [await call('?ui=1'), await call('')]
    assert.equal(plain['_meta'], undefined)
    assert.match(drawn['content'][0].text as string, /^conflict: waits for approval at /)
    assert.equal(drawn['isError'], true)
    const { url, position } = drawn['_meta']['callout/approval'] as Result
    assert.equal(position, 1)
    assert.ok(String(drawn['content'][0].text).includes(url))
    const card = drawn['_meta']['callout/card'] as string
    assert.match(card, /<b>Create a customer<\/b><span class="status warning">Waiting for approval<\/span>/)
    assert.match(card, /<dt>Last name<\/dt>\s*<dd><ins>Ruiz<\/ins><\/dd>/)
    assert.ok(card.includes(url) && !/Total|class="warning"/.test(card))
    assert.ok(!JSON.stringify(drawn).includes('\u2060'))
  })

  it("hide fields that the member can't see", async () => {
    const { key } = await company.member('office', { proposes: ['write:catalog_items'] })
    const { result } = await newProtocolClient(`${service.url}?ui=1`, key).handshake('tools/call', {
      name: 'catalog_items_create',
      arguments: { kind: 'service', name: 'Tune-up', unit_price_cents: 9_900 },
    })
    const card = result!['_meta']['callout/card'] as string
    assert.ok(card.includes('<ins>$99.00</ins>'))
    assert.ok(!/cost|supplier/i.test(card))
  })
})
