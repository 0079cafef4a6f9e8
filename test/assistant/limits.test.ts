import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import { createCompany } from '../harness/web_client.ts'
import { openAssistantScene, type AssistantScene } from './scene.ts'

let scene: AssistantScene
before(async () => {
  scene = await openAssistantScene('openai-compatible', {
    env: { ASSISTANT_CONVERSATION_TOKENS: '1', ASSISTANT_DAY_TOKENS: '5' },
  })
})
after(() => scene.stop())

const forgetDay = (): Promise<number> =>
  scene.read((db) => db.run(sql`delete from assistant_days where tenant_id = ${db.tenant}`))

describe('assistant limits', () => {
  it('end a conversation during an answer and before the next one', async () => {
    scene.provider.play(
      { calls: [{ tool: 'jobs_list', input: {} }], usage: { input: 900, output: 200 } },
      { text: 'never' },
    )
    const { path, page } = await scene.ask('Work')
    assert.match(page, /This conversation has reached its limit/)
    assert.equal(scene.provider.requests.length, 1)
    const again = await scene.owner.post(path, { text: 'Go on', page: '' })
    assert.equal(again.status, 409)
    assert.match(again.text, /reached its limit[^]*Go on<\/textarea>/)
    assert.equal(scene.provider.requests.length, 1)
    await forgetDay()
  })

  it("end a company's day even when conversations are deleted, and don't affect other companies", async () => {
    scene.provider.play({ text: 'Much.', usage: { input: 4_000, output: 1_000 } })
    const { path } = await scene.ask('Work')
    await scene.owner.post(`${path}/delete`, {})
    const refused = await scene.owner.post(scene.at('assistant'), { text: 'More', page: '' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /used up the assistant’s limit for today/)
    const { response } = await scene.stream('More')
    assert.equal(response.status, 409)
    const other = await createCompany(scene.service, 'Other Works')
    const browser = await scene.signIn(other.owner.email)
    scene.provider.play({ text: 'Fresh.' })
    assert.equal((await scene.ask('Work', { browser, path: `/${other.id}/assistant` })).sent.status, 303)
    await forgetDay()
  })

  it('reject a second answer in one conversation and a fourth answer of one person at once', async () => {
    const hang = { text: 'Wait', hangs: true } as const
    scene.provider.play({ text: 'Begun.' }, hang, hang, hang)
    const { path } = await scene.ask('Begin')
    const stopping = new AbortController()
    const waiting = []
    for (const one of [path, scene.at('assistant'), scene.at('assistant')]) {
      const { events } = await scene.stream('Work', { path: one, signal: stopping.signal })
      const reader = events[Symbol.asyncIterator]()
      while ((await reader.next()).value?.event !== 'text');
      waiting.push(reader)
    }
    const second = await scene.owner.post(path, { text: 'Again', page: '' })
    assert.equal(second.status, 409)
    assert.match(second.text, /still answering/)
    const fourth = await scene.owner.post(scene.at('assistant'), { text: 'Again', page: '' })
    assert.equal(fourth.status, 409)
    assert.match(fourth.text, /busy with other answers/)
    stopping.abort()
    await scene.idle()
    await forgetDay()
    scene.provider.play({ text: 'Free again.' })
    assert.match((await scene.ask('Again')).page, /Free again/)
  })

  it('reject an empty message and one that is too long', async () => {
    scene.provider.play()
    assert.equal((await scene.owner.post(scene.at('assistant'), { text: '  ', page: '' })).status, 422)
    const long = await scene.owner.post(scene.at('assistant'), { text: 'x'.repeat(8_001), page: '' })
    assert.equal(long.status, 422)
    assert.match(long.text, /Write at most 8,?000 characters/)
    assert.equal(scene.provider.requests.length, 0)
  })
})
