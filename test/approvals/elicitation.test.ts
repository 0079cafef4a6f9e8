import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { decide, formIn, idIn, openScene, type SceneCompany } from './scene.ts'

let scene: Awaited<ReturnType<typeof openScene>>
let company: SceneCompany
before(async () => {
  scene = await openScene()
  company = await scene.startCompany('Comfort Air')
})
after(() => scene.service.stop())

const PREFIX = 'io.modelcontextprotocol/'

type Answered = {
  resultType: string
  isError?: boolean
  content?: { text: string }[]
  inputRequests?: {
    approval: { method: string; params: { mode: string; url: string; elicitationId: string; message: string } }
  }
  requestState?: string
}

/** Calls a tool as a 2026-07-28 client that declares its elicitation modes. */
async function ask(key: string, given: object, elicitation: object | undefined, more: object = {}): Promise<Answered> {
  const response = await fetch(scene.service.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'customers_create',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'customers_create',
        arguments: given,
        ...more,
        _meta: {
          [`${PREFIX}protocolVersion`]: '2026-07-28',
          [`${PREFIX}clientCapabilities`]: elicitation === undefined ? {} : { elicitation },
        },
      },
    }),
  })
  return ((await response.json()) as { result: Answered }).result
}

const person = (first_name: string) => ({ customer_type: 'individual', first_name })
const accepted = { approval: { action: 'accept' } }

describe('a client that supports URL elicitation', () => {
  it('is asked to open the proposal page and gets the result after approval', async () => {
    const { key } = company.agent
    const asked = await ask(key, person('Ana'), { url: {} })
    assert.equal(asked.resultType, 'input_required')
    const { method, params } = asked.inputRequests!.approval
    assert.deepEqual([method, params.mode], ['elicitation/create', 'url'])
    const { pathname } = new URL(params.url)
    assert.equal(pathname, company.at('proposals', params.elicitationId))
    const again = { inputResponses: accepted, requestState: asked.requestState! }

    const early = await ask(key, person('Ana'), { url: {} }, again)
    assert.match(early.content![0]!.text, /^conflict: waits for approval at \S+; nobody has decided on it yet$/)
    const page = await company.owner.get(pathname)
    assert.equal(formIn(page).filter(([name]) => name === 'pick').length, 1)
    await decide(company.owner, pathname, [...formIn(page), ['act', 'approve']], scene.service.config.baseUrl)
    const done = await ask(key, person('Ana'), { url: {} }, again)
    assert.equal(done.isError, false)
    const { id } = JSON.parse(done.content![0]!.text) as { id: string }
    assert.equal((await company.agent.call('customers_get', { id }))['first_name'], 'Ana')
  })

  it("can't reuse a requestState from another call or connection", async () => {
    const asked = await ask(company.agent.key, person('Bo'), { url: {} })
    const again = { inputResponses: accepted, requestState: asked.requestState! }
    const stranger = await company.keyOf(company.ownerId)
    for (const [key, given, more] of [
      [stranger.key, person('Bo'), again],
      [company.agent.key, person('Cy'), again],
      [company.agent.key, person('Bo'), { ...again, requestState: 'nonsense' }],
    ] as const) {
      const { content } = await ask(key, given, { url: {} }, more)
      assert.match(content![0]!.text, /^conflict: waits for approval at \S+; proposed: Create a customer/)
    }
  })
})

describe('a client without URL elicitation', () => {
  it('gets an error with the link to the proposal', async () => {
    for (const elicitation of [undefined, {}, { form: {} }]) {
      const { content, isError } = await ask(company.agent.key, person('Di'), elicitation)
      assert.equal(isError, true)
      assert.ok(idIn({ text: content![0]!.text, isError: true }))
    }
  })
})

type Opened = { mode?: string; url?: string; elicitationId?: string; message: string }
type Handshaken = {
  opened: Opened[]
  propose(first: string): Promise<{ content: { text: string }[]; isError?: boolean }>
  close(): Promise<void>
}
type Declared = Record<string, never>
type Wish = { key: string; elicitation?: { url?: Declared; form?: Declared }; software: string }

const init = (key: string, software: string) => ({
  requestInit: { headers: { Authorization: `Bearer ${key}`, 'User-Agent': software } },
})
const self = { name: 'opener', version: '1' }

/** Opens the official handshake clients, which record the pages that they are asked to open. */
const HANDSHAKES: Readonly<Record<string, (wish: Wish) => Promise<Handshaken>>> = {
  'client 2.x, legacy': async ({ key, elicitation, software }) => {
    const opened: Opened[] = []
    const capabilities = elicitation === undefined ? {} : { elicitation }
    const client = new Client(self, { capabilities, versionNegotiation: { mode: 'legacy' } })
    if (elicitation !== undefined)
      client.setRequestHandler('elicitation/create', ({ params }) => {
        opened.push(params as Opened)
        return { action: 'accept' }
      })
    await client.connect(new StreamableHTTPClientTransport(new URL(scene.service.url), init(key, software)))
    const propose = (first: string) => client.callTool({ name: 'customers_create', arguments: person(first) })
    return { opened, propose: propose as Handshaken['propose'], close: () => client.close() }
  },
  'sdk 1.x': async ({ key, elicitation, software }) => {
    const opened: Opened[] = []
    const client = new FirstClient(self, { capabilities: elicitation === undefined ? {} : { elicitation } })
    if (elicitation !== undefined)
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        opened.push(params as Opened)
        return { action: 'decline' }
      })
    await client.connect(new FirstTransport(new URL(scene.service.url), init(key, software)))
    const propose = (first: string) => client.callTool({ name: 'customers_create', arguments: person(first) })
    return { opened, propose: propose as Handshaken['propose'], close: () => client.close() }
  },
}

describe('URL elicitation for a client with a handshake', () => {
  for (const [name, open] of Object.entries(HANDSHAKES)) {
    it(`${name}: asks once to open the page of a new proposal, and the answer has the same link`, async () => {
      const { key } = await company.keyOf(company.ownerId)
      const client = await open({ key, elicitation: { url: {} }, software: 'Opener/1' })
      const { content, isError } = await client.propose('Eva')
      assert.equal(isError, true)
      const url = /waits for approval at (\S+);/.exec(content[0]!.text)![1]!
      assert.deepEqual(
        client.opened.map(({ mode, elicitationId, ...said }) => [mode, elicitationId, said.url, said.message]),
        [['url', url.split('/').at(-1), url, 'Waiting for your approval: Create a customer. Open the page to decide.']],
      )
      await client.propose('Fay')
      assert.equal(client.opened.length, 1)
      await client.close()
    })

    it(`${name}: is not used when the latest handshake didn't declare it`, async () => {
      for (const elicitation of [undefined, {}, { form: {} }]) {
        const { key } = await company.keyOf(company.ownerId)
        const before = await open({ key, elicitation: { url: {} }, software: 'Opener/1' })
        await before.close()
        const client = await open({ key, ...(elicitation && { elicitation }), software: 'Opener/1' })
        const { content } = await client.propose('Gus')
        assert.match(content[0]!.text, /^conflict: waits for approval at /)
        assert.deepEqual(client.opened, [])
        await client.close()
      }
    })
  }

  it('is not used for other software on the same connection, or in a batch', async () => {
    const { key } = await company.keyOf(company.ownerId)
    const opener = await HANDSHAKES['sdk 1.x']!({ key, elicitation: { url: {} }, software: 'Opener/1' })
    const other = await HANDSHAKES['sdk 1.x']!({ key, elicitation: {}, software: 'Other/1' })
    assert.equal((await other.propose('Hal')).isError, true)
    assert.deepEqual([other.opened, opener.opened], [[], []])
    await Promise.all([opener.close(), other.close()])

    const fresh = await company.keyOf(company.ownerId)
    const again = await HANDSHAKES['sdk 1.x']!({ key: fresh.key, elicitation: { url: {} }, software: 'Opener/1' })
    await again.close()
    const response = await fetch(scene.service.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${fresh.key}`,
        'user-agent': 'Opener/1',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify([
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'customers_create', arguments: person('Ida') } },
      ]),
    })
    assert.match(response.headers.get('content-type')!, /^application\/json/)
    assert.equal(((await response.json()) as unknown[]).length, 1)
  })
})
