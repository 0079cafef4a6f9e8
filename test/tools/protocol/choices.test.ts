import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { newProtocolClient } from '../../harness/clients/protocol.ts'
import { toolHeaders } from '../../harness/http.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../../harness/harness.ts'

let service: TestService
let company: Company
let twins: string[]
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  twins = []
  for (const address_line1 of ['1 Pier Rd', '2 Elm St'])
    twins.push(String((await company.call('customers_create', { ...TWIN, locations: [{ address_line1 }] }))['id']))
})
after(() => service.stop())

const TWIN = { customer_type: 'individual', first_name: 'Twin', last_name: 'Smith' }
const JOB = { customer_id: 'Twin Smith', title: 'Boiler' }
const REFUSAL = /^invalid_input: customer_id must be an id: «Twin Smith» is the name of /

type Form = {
  mode?: string
  message: string
  requestedSchema: { properties: { id: { type: string; enum: string[]; enumNames: string[] } }; required: string[] }
}
type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> }
type Called = { content: { text: string }[]; isError?: boolean }
type Opened = { forms: Form[]; call(args?: object): Promise<Called>; close(): Promise<void> }
type Declared = Record<string, never>
type Wish = {
  key: string
  elicitation?: { url?: Declared; form?: Declared }
  answer(form: Form): Answer | Promise<Answer>
}

const self = { name: 'forms', version: '1' }
const init = (key: string) => ({
  requestInit: { headers: { Authorization: `Bearer ${key}`, 'User-Agent': 'Forms/1' } },
})

/** Opens the official handshake clients, which record the forms they are asked to show. */
const CLIENTS: Readonly<Record<string, (wish: Wish) => Promise<Opened>>> = {
  'client 2.x, legacy': async ({ key, elicitation, answer }) => {
    const forms: Form[] = []
    const capabilities = elicitation === undefined ? {} : { elicitation }
    const client = new Client(self, { capabilities, versionNegotiation: { mode: 'legacy' } })
    if (elicitation !== undefined)
      client.setRequestHandler('elicitation/create', ({ params }) => {
        forms.push(params as never)
        return answer(params as never)
      })
    await client.connect(new StreamableHTTPClientTransport(new URL(service.url), init(key)))
    const call = (args: object = JOB) => client.callTool({ name: 'jobs_create', arguments: { ...args } })
    return { forms, call: call as Opened['call'], close: () => client.close() }
  },
  'sdk 1.x': async ({ key, elicitation, answer }) => {
    const forms: Form[] = []
    const client = new FirstClient(self, { capabilities: elicitation === undefined ? {} : { elicitation } })
    if (elicitation !== undefined)
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        forms.push(params as never)
        return answer(params as never)
      })
    await client.connect(new FirstTransport(new URL(service.url), init(key)) as never)
    const call = (args: object = JOB) => client.callTool({ name: 'jobs_create', arguments: { ...args } })
    return { forms, call: call as Opened['call'], close: () => client.close() }
  },
}

const jobs = async (): Promise<number> => (await company.call('jobs_list', {})).rows.length
const accept = (id: string): Answer => ({ action: 'accept', content: { id } })

describe('a form for a name that several customers share', () => {
  for (const [name, open] of Object.entries(CLIENTS)) {
    it(`${name}: lets the person pick the customer, and the call runs with their choice`, async () => {
      for (const elicitation of [{}, { form: {} }]) {
        const { key } = await company.member('owner')
        const client = await open({
          key,
          elicitation,
          answer: (form) => accept(form.requestedSchema.properties.id.enum[1]!),
        })
        const { content, isError } = await client.call()
        assert.notEqual(isError, true, content[0]!.text)
        const [form] = client.forms
        const { id } = form!.requestedSchema.properties
        assert.match(form!.message, /^More than one customer is called “Twin Smith”/)
        assert.deepEqual(id.enum.toSorted(), twins.toSorted())
        assert.equal(id.enumNames.length, 2)
        assert.match(id.enumNames.join(), /1 Pier Rd/)
        assert.equal((JSON.parse(content[0]!.text) as Result)['customer_id'], id.enum[1])
        assert.equal(client.forms.length, 1)
        await client.close()
      }
    })

    it(`${name}: leaves the call refused if declined, canceled or answered with an id not offered`, async () => {
      const before = await jobs()
      for (const answer of [
        { action: 'decline' },
        { action: 'cancel' },
        accept('5c7b7b5e-0000-4000-8000-000000000000'),
        { action: 'accept', content: {} },
      ] as Answer[]) {
        const { key } = await company.member('owner')
        const client = await open({ key, elicitation: {}, answer: () => answer })
        const { content, isError } = await client.call()
        assert.equal(isError, true)
        assert.match(content[0]!.text, REFUSAL)
        assert.equal(client.forms.length, 1)
        await client.close()
      }
      assert.equal(await jobs(), before)
    })

    it(`${name}: isn't opened for a client without form elicitation, whose call is refused`, async () => {
      for (const elicitation of [undefined, { url: {} }]) {
        const { key } = await company.member('owner')
        const client = await open({ key, ...(elicitation && { elicitation }), answer: () => ({ action: 'decline' }) })
        assert.match((await client.call()).content[0]!.text, REFUSAL)
        assert.deepEqual(client.forms, [])
        await client.close()
      }
    })
  }

  it('resolves a call that then waits for approval', async () => {
    const { key } = await company.member('owner', { proposes: ['write:jobs'] })
    const answer = (form: Form) => accept(form.requestedSchema.properties.id.enum[0]!)
    const client = await CLIENTS['sdk 1.x']!({ key, elicitation: {}, answer })
    assert.match((await client.call()).content[0]!.text, /^conflict: waits for approval at /)
    assert.equal(client.forms.length, 1)
    await client.close()
  })

  it('is open once per connection, until it is answered or times out', async () => {
    const { key } = await company.member('owner')
    const gate = Promise.withResolvers<Answer>()
    const client = await CLIENTS['sdk 1.x']!({ key, elicitation: {}, answer: () => gate.promise })
    const first = client.call()
    while (client.forms.length === 0) await setTimeout(20)
    assert.match((await client.call()).content[0]!.text, REFUSAL)
    assert.equal(client.forms.length, 1)
    await writeTenant(service.database, { tenant: company.tenant }, (db) =>
      db.run(sql`update credentials set question_at = moment() - interval '1 minute'
        where tenant_id = ${db.tenant} and question_id is not null`),
    )
    assert.match((await first).content[0]!.text, REFUSAL)
    gate.resolve({ action: 'decline' })
    await client.call()
    assert.equal(client.forms.length, 2)
    await client.close()
  })

  it('is closed when its client disconnects', async () => {
    const { key, id } = await company.member('owner')
    const client = await CLIENTS['sdk 1.x']!({ key, elicitation: {}, answer: () => new Promise<Answer>(() => {}) })
    const call = client.call()
    call.catch(() => {})
    const open = async (): Promise<number> =>
      (
        await writeTenant(service.database, { tenant: company.tenant }, (db) =>
          db.all(
            sql`select from credentials where tenant_id = ${db.tenant} and user_id = ${id} and question_id is not null`,
          ),
        )
      ).length
    while ((await open()) === 0) await setTimeout(20)
    await client.close()
    for (let tries = 0; (await open()) > 0; tries++) {
      assert.ok(tries < 100)
      await setTimeout(50)
    }
  })

  it('accepts an answer only from its own connection', async () => {
    const [mine, theirs] = [await company.member('owner'), await company.member('owner')]
    const gate = Promise.withResolvers<Answer>()
    const client = await CLIENTS['sdk 1.x']!({ key: mine.key, elicitation: {}, answer: () => gate.promise })
    const call = client.call()
    while (client.forms.length === 0) await setTimeout(20)
    const { question } = await writeTenant(service.database, { tenant: company.tenant }, (db) =>
      db.one<{ question: string }>(sql`select question_id as question from credentials
        where tenant_id = ${db.tenant} and user_id = ${mine.id} and question_id is not null`),
    )
    const [first, second] = client.forms[0]!.requestedSchema.properties.id.enum
    const answered = await fetch(service.url, {
      method: 'POST',
      headers: toolHeaders(theirs.key),
      body: JSON.stringify({ jsonrpc: '2.0', id: question, result: accept(first!) }),
    })
    assert.equal(answered.status, 202)
    gate.resolve(accept(second!))
    assert.equal((JSON.parse((await call).content[0]!.text) as Result)['customer_id'], second)
    await client.close()
  })
})

describe('a name that several members share', () => {
  const NAME = 'Tomas Reed'
  let reeds: string[]
  before(async () => {
    const members = [await company.member('tech'), await company.member('tech')]
    reeds = members.map(({ id }) => id)
    await writeTenant(service.database, { tenant: company.tenant }, (db) =>
      db.run(sql`update users set name = ${NAME} where id = any(${reeds}::uuid[])`),
    )
  })

  const calls: [tool: string, args: object, field: string][] = [
    ['jobs_create', { title: 'Leak', assignees: [`${NAME} `] }, 'assignees'],
    ['jobs_list', { assignee: NAME }, 'assignee'],
  ]
  for (const [name, args, field] of calls)
    it(`is resolved by a form for ${name}, and the call runs with the chosen member`, async () => {
      const given = name === 'jobs_create' ? { ...args, customer_id: twins[0] } : args
      const ask = (more: object, capabilities: object = { elicitation: { form: {} } }) =>
        newProtocolClient(service.url, company.owner.key, {}, capabilities).stateless('tools/call', {
          name,
          arguments: given,
          ...more,
        })
      const { result } = await ask({})
      const { message, requestedSchema } = result!['inputRequests'][field].params as Form
      assert.equal(message, `More than one member is called “${NAME}”. Which one do you mean?`)
      const { id } = requestedSchema.properties
      assert.deepEqual(id.enum.toSorted(), reeds.toSorted())
      assert.ok(id.enumNames.every((one) => one.startsWith(`${NAME}, `)) && new Set(id.enumNames).size === 2)
      const again = { inputResponses: { [field]: accept(reeds[1]!) }, requestState: result!['requestState'] }
      const done = JSON.parse((await ask(again)).result!['content'][0].text) as Result
      if (name === 'jobs_create') assert.equal(done['assignments'][0].user_id, reeds[1])
      else assert.ok(Array.isArray(done.rows))
      const declined = { inputResponses: { [field]: { action: 'decline' } }, requestState: result!['requestState'] }
      for (const refused of [await ask(declined), await ask({}, {})])
        assert.match(refused.result!['content'][0].text, /^invalid_input: assignee\S* is the name of Tomas Reed, /)
    })

  it('is resolved by a form in a handshake client', async () => {
    const { key } = await company.member('owner')
    const client = await CLIENTS['sdk 1.x']!({ key, elicitation: {}, answer: () => accept(reeds[0]!) })
    const { content } = await client.call({ customer_id: twins[0], title: 'Leak', assignees: [NAME] })
    assert.equal((JSON.parse(content[0]!.text) as Result)['assignments'][0].user_id, reeds[0])
    await client.close()
  })

  it('is refused without a form if another assignee is unknown', async () => {
    const job = { customer_id: twins[0], title: 'Leak', assignees: [NAME, 'Nobody Here'] }
    const { result } = await newProtocolClient(
      service.url,
      company.owner.key,
      {},
      { elicitation: { form: {} } },
    ).stateless('tools/call', { name: 'jobs_create', arguments: job })
    assert.match(
      result!['content'][0].text,
      /^invalid_input: assignees\[0\] is the name of .*; assignees\[1\] is not an active member/,
    )
  })
})

describe('a 2026-07-28 call with a name that several customers share', () => {
  const ask = (params: object, elicitation?: object) =>
    newProtocolClient(service.url, company.owner.key, {}, elicitation && { elicitation }).stateless('tools/call', {
      name: 'jobs_create',
      arguments: JOB,
      ...params,
    })

  it('returns input_required with a form, then runs with the choice', async () => {
    const { result } = await ask({}, { form: {} })
    assert.equal(result!['resultType'], 'input_required')
    const form = result!['inputRequests'].customer_id.params as Form
    assert.equal(form.mode, 'form')
    const [, second] = form.requestedSchema.properties.id.enum
    const again = await ask(
      { inputResponses: { customer_id: accept(second!) }, requestState: result!['requestState'] },
      { form: {} },
    )
    assert.equal((JSON.parse(again.result!['content'][0].text) as Result)['customer_id'], second)
  })

  it("is refused if the choice is missing or invalid, or the client doesn't support forms", async () => {
    const before = await jobs()
    for (const [params, elicitation] of [
      [{ inputResponses: { customer_id: { action: 'decline' } }, requestState: 'chosen:Twin Smith' }, { form: {} }],
      [{ inputResponses: { customer_id: 'x' }, requestState: 'chosen:Twin Smith' }, { form: {} }],
      [{ inputResponses: { customer_id: accept(twins[0]!) }, requestState: 'chosen:Twin' }, { form: {} }],
      [{ inputResponses: { title: accept(twins[0]!) }, requestState: 'chosen:Twin Smith' }, { form: {} }],
      [{ inputResponses: { customer_id: accept(twins[0]!) }, requestState: 'other' }, { form: {} }],
      [{}, undefined],
      [{}, { url: {} }],
    ] as const)
      assert.match((await ask(params, elicitation)).result!['content'][0].text, REFUSAL)
    assert.equal(await jobs(), before)
  })
})
