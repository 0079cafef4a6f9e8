import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import { decide, formIn } from '../approvals/scene.ts'
import type { WireFormat } from './provider.ts'
import { openAssistantScene, resultsIn, systemIn, toolsIn, type AssistantScene } from './scene.ts'

const PLAN = /<form class="form" method="post" action="([^"]+\/plans\/[0-9a-f-]{36})">/

for (const wire of ['anthropic', 'openai-compatible'] satisfies WireFormat[])
  describe(`an assistant answer over ${wire}`, () => {
    let scene: AssistantScene
    before(async () => {
      scene = await openAssistantScene(wire)
    })
    after(() => scene.stop())

    const countCustomers = (name: string): Promise<number> =>
      scene
        .read((db) =>
          db.one<{ count: number }>(sql`select count(*)::int as count from customers
            where tenant_id = ${db.tenant} and display_name = ${name}`),
        )
        .then(({ count }) => count)

    const person = (first_name: string) => ({ customer_type: 'individual', first_name })

    it('is stored and shown, and the request has the system prompt and page but no email address', async () => {
      scene.provider.play({ text: 'Two jobs today. **Both** are booked.' })
      const answered = await scene.ask('What is on today?', { page: scene.at('customers', scene.company.id) })
      assert.equal(answered.sent.status, 303)
      assert.match(answered.page, /Two jobs today\. <b>Both<\/b> are booked\./)
      assert.match(answered.page, /What is on today\?/)
      const [request] = scene.provider.requests
      const { headers, body, path } = request!
      assert.equal(path, wire === 'anthropic' ? '/v1/messages' : '/v1/chat/completions')
      assert.equal(wire === 'anthropic' ? headers['x-api-key'] : headers.authorization?.slice(7), 'fake-key')
      assert.equal(body['model'], 'fake-1')
      const system = systemIn(body)
      assert.match(system, /back-office assistant of Comfort Air/)
      assert.match(system, /Write in English/)
      assert.deepEqual(toolsIn(body).length, 66)
      const sent = JSON.stringify(body['messages'])
      assert.ok(sent.includes(`They are looking at the record ${scene.company.id} of customers`), sent)
      assert.ok(!JSON.stringify(body).includes(scene.company.owner.email))
    })

    it('proposes a write that the person approves in place, and the audit log names both', async () => {
      scene.provider.play(
        { calls: [{ tool: 'customers_create', input: person('Nia') }] },
        { text: 'It waits for you.' },
      )
      const { path, page } = await scene.ask('Add Nia')
      assert.equal(await countCustomers('Nia'), 0)
      const action = PLAN.exec(page)?.[1]
      assert.ok(action, page)
      assert.match(resultsIn(scene.provider.requests[1]!.body)[0]!, /^conflict: waits for approval at /)

      const form = formIn({ text: page } as never)
      const decided = await decide(scene.owner, action, [...form, ['act', 'approve']], scene.service.config.baseUrl)
      assert.equal(decided.status, 303)
      assert.equal(await countCustomers('Nia'), 1)
      const [entry] = await scene.read((db) =>
        db.all<{ kind: string; client: string; user_id: string; approved_by: string }>(sql`
          select c.kind, a.client, a.user_id, a.approved_by from audit a
          join credentials c on c.tenant_id = a.tenant_id and c.id = a.credential_id
          where a.tenant_id = ${db.tenant} and a.tool = 'customers.create' order by a.at desc`),
      )
      const { user_id } = scene.company.owner
      assert.deepEqual({ ...entry }, { kind: 'assistant', client: 'Assistant', user_id, approved_by: user_id })
      const after = await scene.owner.get(path)
      assert.match(after.text, /Approved/)
      const undo = /<a href="([^"]+\/undo\?[^"]+)"[^>]*>Undo<\/a>/.exec(after.text)?.[1]?.replaceAll('&amp;', '&')
      assert.ok(undo, after.text)
      assert.equal((await scene.owner.get(undo)).status, 200)
    })

    it('returns only the proposal section to a script that decides on it', async () => {
      scene.provider.play({ calls: [{ tool: 'customers_create', input: person('Ola') }] }, { text: 'Done.' })
      const { page } = await scene.ask('Add Ola')
      const action = PLAN.exec(page)![1]!
      const undecided = await decide(scene.owner, action, formIn({ text: page } as never), scene.service.config.baseUrl)
      assert.equal(undecided.status, 404)
      const decided = await scene.owner.send(action, {
        method: 'POST',
        body: new URLSearchParams([...formIn({ text: page } as never), ['act', 'decline'], ['word', 'Not now']]),
        headers: { origin: scene.service.config.baseUrl, 'sec-fetch-site': 'same-origin', 'x-part': 'plan' },
      })
      assert.equal(decided.status, 200)
      assert.match(decided.text, /^\s*<section class="plan"[^]*Declined/)
      assert.equal(await countCustomers('Ola'), 0)
      scene.provider.play({ calls: [{ tool: 'customers_create', input: person('Oma') }] }, { text: 'Noted.' })
      await scene.ask('And Oma?')
      assert.match(resultsIn(scene.provider.requests[1]!.body)[0]!, /Not now/)
    })

    it('runs several calls and shows their results in order', async () => {
      const calls = ['tags_list', 'jobs_list', 'invoices_list'].map((tool) => ({ tool, input: {} }))
      scene.provider.play({ text: 'Let me look.', calls }, { text: 'Nothing there.' })
      const { page } = await scene.ask('Anything new?')
      const results = resultsIn(scene.provider.requests[1]!.body)
      assert.equal(results.length, 3)
      for (const result of results) assert.match(result, /^\{"rows":/)
      assert.match(page, /Let me look\.[^]*Looked up: Tags[^]*Looked up: Jobs[^]*Looked up: Invoices[^]*Nothing there/)
    })

    it('runs writes in order, so a job can refer to a customer proposed just before', async () => {
      let customer = ''
      scene.provider.play(
        { calls: [{ tool: 'customers_create', input: person('Pia') }] },
        ({ body }) => {
          customer = /under the id ([0-9a-f-]{36})/.exec(resultsIn(body)[0]!)![1]!
          return {
            calls: [
              { tool: 'jobs_create', input: { customer_id: customer, title: 'Boiler' } },
              { tool: 'customers_update', input: { id: customer, notes: 'x', first_name: 'Pia' } },
              { tool: 'jobs_list', input: {} },
            ],
          }
        },
        { text: 'Both wait.' },
      )
      const { page } = await scene.ask('Add Pia and a job')
      const results = resultsIn(scene.provider.requests[2]!.body)
      assert.match(results[1]!, /waits for approval/)
      assert.match(results[3]!, /^\{"rows":/)
      assert.match(page, /Builds on: \d\. Pia/)
    })

    it('returns malformed arguments, unknown tools and refusals to the model', async () => {
      scene.provider.play(
        {
          calls: [
            { tool: 'customers_search', input: '{"query": ' },
            { tool: 'customers_search', input: '[1]' },
            { tool: 'customer_search', input: {} },
            { tool: 'customers_get', input: { id: 'nobody' } },
            { tool: 'customers_create', input: { customer_type: 'individual' } },
          ],
        },
        { text: 'I could not.' },
      )
      const { page } = await scene.ask('Try')
      const results = resultsIn(scene.provider.requests[1]!.body)
      assert.match(results[0]!, /^invalid_input: the arguments must be a JSON object/)
      assert.match(results[1]!, /^invalid_input: the arguments must be a JSON object/)
      assert.equal(results[2], 'not_found: no such tool; did you mean customers_search?')
      assert.match(results[3]!, /^(?:not_found|invalid_input): /)
      assert.match(results[4]!, /^invalid_input: /)
      assert.equal([...page.matchAll(/<span class="status ended">Refused<\/span>/g)].length, 5)
    })

    it('reads overviews by URI and marks customer text in results', async () => {
      scene.provider.play(
        {
          calls: [
            { tool: 'resources_read', input: { uri: 'callout://today' } },
            { tool: 'resources_read', input: { uri: 'callout://nowhere' } },
            { tool: 'customers_search', input: { query: 'Nia' } },
          ],
        },
        { text: 'Quiet.' },
      )
      await scene.ask('How is today?')
      const [today, nowhere, customers] = resultsIn(scene.provider.requests[1]!.body)
      assert.match(today!, /^# /)
      assert.doesNotMatch(nowhere!, /^# /)
      assert.match(customers!, /\ncustomer text in: .*display_name/)
    })

    it("escapes HTML and links only to this installation's pages", async () => {
      const { baseUrl } = scene.service.config
      scene.provider.play({
        text:
          `<img src=x onerror=alert(1)> [Nia](${baseUrl}${scene.at('customers')}) ` +
          '[evil](https://evil.example/?q=1) [script](javascript:alert(1))\n- one\n- two',
      })
      const { page } = await scene.ask('<script>alert(2)</script>')
      assert.ok(!page.includes('<img src=x') && !page.includes('<script>alert'))
      assert.ok(page.includes(`<a href="${scene.at('customers')}">Nia</a>`))
      assert.ok(!page.includes('href="https://evil') && !page.includes('href="javascript'))
      assert.match(page, /<ul><li>one<\/li><li>two<\/li><\/ul>/)
    })

    it('counts tokens and cost by conversation and day', async () => {
      scene.provider.play({ text: 'Yes.', usage: { input: 1_000_000, output: 100_000 } })
      const { path } = await scene.ask('Cost?')
      const row = await scene.read((db) =>
        db.one<{ input: number; output: number; cost: number }>(sql`
          select input_tokens::int as input, output_tokens::int as output, cost_micros::int as cost
          from assistant_conversations where tenant_id = ${db.tenant} and id = ${path.split('/').at(-1)}`),
      )
      assert.deepEqual({ ...row }, { input: 1_000_000, output: 100_000, cost: 4_500_000 })
      const { text } = await scene.owner.get(scene.at('settings', 'assistant'))
      assert.match(text, /1,100,000[^]*\$4\.50/)
    })

    it('is cut when the response exceeds the maximum size', async () => {
      scene.provider.play({ text: 'So far.', padding: 9 * 2 ** 20 })
      assert.match((await scene.ask('Tell me')).page, /So far\.[^]*was cut/)
      assert.equal(scene.provider.requests.length, 1)
    })

    it('stores token counts as whole, non-negative numbers', async () => {
      scene.provider.play({ text: 'Yes.', usage: { input: 10.5, output: -3 } })
      const { path, page } = await scene.ask('Count?')
      assert.match(page, /Yes\./)
      assert.doesNotMatch(page, /bubble-notice/)
      const row = await scene.read((db) =>
        db.one<{ input: number; output: number }>(sql`
          select input_tokens::int as input, output_tokens::int as output from assistant_conversations
          where tenant_id = ${db.tenant} and id = ${path.split('/').at(-1)}`),
      )
      assert.deepEqual({ ...row }, { input: 11, output: 0 })
    })

    it('estimates its tokens from its length when usage is missing', async () => {
      scene.provider.play({ text: 'x'.repeat(400), usage: null })
      const { path } = await scene.ask('How long?')
      const { input, output } = await scene.read((db) =>
        db.one<{ input: number; output: number }>(sql`
          select input_tokens::int as input, output_tokens::int as output from assistant_conversations
          where tenant_id = ${db.tenant} and id = ${path.split('/').at(-1)}`),
      )
      assert.ok(input > 1_000 && output >= 100, `${input} ${output}`)
    })
  })
