import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { decide, formIn, idIn, openScene, type SceneCompany } from './scene.ts'

let scene: Awaited<ReturnType<typeof openScene>>
let company: SceneCompany
before(async () => {
  scene = await openScene()
  company = await scene.found('Comfort Air')
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

/** Calls a tool as a client of 2026-07-28 that declares how it asks its person. */
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

describe('a client that opens pages', () => {
  it('is asked to open the one of the plan, and is answered what was decided there, once', async () => {
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

  it('gains nothing by a state that is not of this call and connection', async () => {
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

describe('another client', () => {
  it('is told the address', async () => {
    for (const elicitation of [undefined, {}, { form: {} }]) {
      const { content, isError } = await ask(company.agent.key, person('Di'), elicitation)
      assert.equal(isError, true)
      assert.ok(idIn({ text: content![0]!.text, isError: true }))
    }
  })
})
