import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openAssistant } from '../../src/assistant/assistant.ts'
import { fetchDirectly } from '../../src/assistant/models/model.ts'
import { requireValue } from '../../src/platform/errors/require_value.ts'
import { Unavailable } from '../../src/platform/errors/refusal.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import type { WireFormat } from './provider.ts'
import { openAssistantScene, type AssistantScene } from './scene.ts'

for (const wire of ['anthropic', 'openai-compatible'] satisfies WireFormat[])
  describe(`a failing ${wire} provider`, () => {
    let scene: AssistantScene
    before(async () => {
      scene = await openAssistantScene(wire, { pace: { maxSilence: 2_000, maxSteps: 3, maxCallsAtOnce: 2 } })
    })
    after(() => scene.stop())

    it('is retried once after 429 with Retry-After', async () => {
      scene.provider.play({ status: 429, headers: { 'retry-after': '1' } }, { text: 'Now I can.' })
      const begun = performance.now()
      const { page } = await scene.ask('Hello')
      assert.match(page, /Now I can\./)
      assert.ok(performance.now() - begun >= 950)
      assert.equal(scene.provider.requests.length, 2)
    })

    it("isn't retried a second time, or when Retry-After is long", async () => {
      scene.provider.play({ status: 429, headers: { 'retry-after': '0' } }, { status: 429 })
      assert.match((await scene.ask('Hello')).page, /provider is busy/)
      assert.equal(scene.provider.requests.length, 2)
      scene.provider.play({ status: 429, headers: { 'retry-after': '3600' } })
      assert.match((await scene.ask('Hello')).page, /provider is busy/)
      assert.equal(scene.provider.requests.length, 1)
    })

    for (const [status, words] of [
      [401, /accept the API key/],
      [404, /no such model/],
      [400, /refused the request/],
      [500, /can’t be reached/],
    ] as const)
      it(`shows a message for HTTP ${status}`, async () => {
        scene.provider.play({ status })
        const { page } = await scene.ask('Hello')
        assert.match(page, words)
        assert.equal(scene.provider.requests.length, 1)
      })

    it('keeps the text received before the connection broke', async () => {
      scene.provider.play({ text: 'The first half of it', breaks: true, pause: 5 })
      assert.match((await scene.ask('Hello')).page, /The first[^]*can’t be reached/)
    })

    it('times out when it sends nothing for too long', async () => {
      scene.provider.play({ text: 'Hm', hangs: true })
      assert.match((await scene.ask('Hello')).page, /Hm[^]*took too long/)
    })

    it('shows that it declined to answer or that the answer was cut', async () => {
      scene.provider.play({ text: 'No', finish: 'refusal' })
      assert.match((await scene.ask('Hello')).page, /declined to answer/)
      scene.provider.play({ text: 'And so', finish: 'length' })
      assert.match((await scene.ask('Hello')).page, /was cut/)
    })

    it("is cut when the calls together exceed the answer's size limit", async () => {
      const call = { tool: 'jobs_list', input: { title: 'x'.repeat(120_000) } }
      scene.provider.play({ calls: [call, call] }, { text: 'never' })
      assert.match((await scene.ask('Hello')).page, /was cut/)
      assert.equal(scene.provider.requests.length, 1)
    })

    it("isn't called when the person leaves first, and no error is reported", async () => {
      const stopping = new AbortController()
      const faults: unknown[] = []
      const port = {
        instructions: () => {
          stopping.abort()
          return Promise.reject(new Unavailable('the caller no longer waits for the answer'))
        },
      }
      const config = scene.service.config.assistant
      const assistant = openAssistant({
        database: scene.service.database,
        config,
        port: port as never,
        report: (_, error) => faults.push(error),
        modelOf: async () => ({
          config: requireValue(config.model, 'The model'),
          fetchModel: fetchDirectly,
          isOwn: false,
        }),
      })
      scene.provider.play()
      const { events } = await assistant.ask({
        tenant: scene.company.id,
        user: scene.company.owner.user_id,
        conversation: null,
        text: 'Hello',
        page: null,
        language: 'en',
        signal: stopping.signal,
      })
      const ended = await Array.fromAsync(events)
      assert.deepEqual(ended, [{ type: 'message', message: { role: 'notice', reason: 'stopped' } }])
      assert.deepEqual(faults, [])
      assert.equal(scene.provider.requests.length, 0)
    })

    it("can't exceed the maximum number of steps and concurrent calls", async () => {
      const calls = [1, 2, 3].map(() => ({ tool: 'jobs_list', input: {} }))
      scene.provider.play({ calls }, { calls }, { calls }, { text: 'never' })
      const { page } = await scene.ask('Hello')
      assert.match(page, /more steps than one answer can have/)
      assert.equal(scene.provider.requests.length, 3)
      assert.match(JSON.stringify(scene.provider.requests[1]!.body), /not run: at most 2 calls at once/)
    })

    it('is dropped when the person stops the answer, and the received text is kept', async () => {
      scene.provider.play({ text: 'A very long answer that goes on', hangs: true })
      const stopping = new AbortController()
      const { events } = await scene.stream('Hello', { signal: stopping.signal })
      await assert.rejects(async () => {
        for await (const { event } of events) if (event === 'text') stopping.abort()
      })
      await scene.idle()
      const [message, notice] = await scene
        .read((db) =>
          db.all<{ role: string; content: string }>(sql`select role, content from assistant_messages
          where tenant_id = ${db.tenant} order by created_at desc, position desc limit 2`),
        )
        .then((rows) => rows.toReversed())
      assert.equal(message?.role, 'assistant')
      assert.match(message.content, /A very/)
      assert.deepEqual(JSON.parse(notice!.content), { reason: 'stopped' })
    })
  })
