import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../../src/platform/config/config.ts'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { createCompany, startSite, newBrowser, type Browser } from '../harness/web_client.ts'
import type { TestService } from '../harness/harness.ts'
import { LOOPBACK_NETWORK } from '../harness/identity/company_provider.ts'
import { startProvider } from './provider.ts'

let service: TestService
let company: Awaited<ReturnType<typeof createCompany>>
let owner: Browser
before(async () => {
  service = await startSite({}, { network: { resolve: async () => ['10.0.0.7'], isAllowed: () => false } })
  company = await createCompany(service, 'Comfort Air')
  owner = newBrowser(service)
  await owner.signIn(company.owner.email)
})
after(() => service.stop())

const at = (...steps: string[]): string => `/${[company.id, ...steps].join('/')}`
const model = {
  act: 'model',
  provider: 'openai-compatible',
  model: 'own-1',
  url: 'https://models.example/v1',
  key: 'own-secret',
  input_price: '0.5',
  output_price: '2',
}

const ownRow = () =>
  writeTenant(service.database, { tenant: company.id }, (db) =>
    db.maybe<{ api_key: Buffer; url: string }>(sql`select api_key, url from assistant_models
      where tenant_id = ${db.tenant}`),
  )

describe('the assistant without a model', () => {
  it('has no button on pages, and its own page says how to connect one', async () => {
    assert.ok(!(await owner.get(at('customers'))).text.includes('assistant-link'))
    assert.match((await owner.get(at('assistant'))).text, /Connect a language model[^]*settings\/assistant/)
    const refused = await owner.post(at('assistant'), { text: 'Hello', page: '' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /No language model is connected yet/)
    const member = await company.hire('office')
    const office = newBrowser(service)
    await office.signIn(member.email)
    assert.match((await office.get(at('assistant'))).text, /Ask an owner of your company/)
    assert.ok(!(await office.get(at('settings', 'assistant'))).text.includes('name="key"'))
  })
})

describe("a company's own model", () => {
  it('can be connected only by owners, and its API key is encrypted and never shown', async () => {
    const member = await company.hire('office')
    const office = newBrowser(service)
    await office.signIn(member.email)
    assert.equal((await office.post(at('settings', 'assistant'), model)).status, 404)
    assert.equal(await ownRow(), undefined)

    assert.equal((await owner.post(at('settings', 'assistant'), model)).status, 303)
    const kept = await ownRow()
    assert.equal(kept?.url, 'https://models.example/v1')
    assert.equal(kept.api_key[0], 1)
    assert.ok(!kept.api_key.includes('own-secret'))
    const { text } = await owner.get(at('settings', 'assistant'))
    assert.ok(text.includes('own-1') && !text.includes('own-secret'))
    assert.match((await owner.get(at('customers'))).text, /assistant-link/)
  })

  it('keeps its API key only while its URL stays the same', async () => {
    await owner.post(at('settings', 'assistant'), { ...model, key: '', model: 'own-2' })
    assert.notEqual((await ownRow())?.api_key, null)
    await owner.post(at('settings', 'assistant'), { ...model, key: '', url: 'https://elsewhere.example/v1' })
    assert.equal((await ownRow())?.api_key, null)
    await owner.post(at('settings', 'assistant'), model)
  })

  it("isn't called at a private address", async () => {
    const sent = await owner.post(at('assistant'), { text: 'Hello', page: '' })
    assert.equal(sent.status, 303)
    assert.match((await owner.get(sent.location!.split('#')[0]!)).text, /can’t be reached/)
  })

  it('rejects a URL without https, a missing model or key, and an invalid price', async () => {
    for (const [fields, words] of [
      [{ ...model, url: 'http://models.example' }, /must begin with https/],
      [{ ...model, url: '' }, /must begin with https/],
      [{ ...model, model: '' }, /Enter the name of the model/],
      [{ ...model, provider: 'anthropic', key: '' }, /Enter the API key/],
      [{ ...model, input_price: 'cheap' }, /Enter dollars per million/],
    ] as const) {
      const refused = await owner.post(at('settings', 'assistant'), fields)
      assert.equal(refused.status, 422)
      assert.match(refused.text, words)
    }
  })

  it('can be removed by an owner', async () => {
    assert.equal((await owner.post(at('settings', 'assistant'), { act: 'remove' })).status, 303)
    assert.equal(await ownRow(), undefined)
    assert.ok(!(await owner.get(at('customers'))).text.includes('assistant-link'))
  })
})

describe("requests to a company's own model", () => {
  it("use https and the company's key and don't follow redirects", async () => {
    const provider = await startProvider({ isSecure: true })
    const site = await startSite({}, { network: LOOPBACK_NETWORK })
    try {
      const { id, owner: person } = await createCompany(site, 'Own Works')
      const browser = newBrowser(site)
      await browser.signIn(person.email)
      const own = { ...model, url: provider.url }
      assert.equal((await browser.post(`/${id}/settings/assistant`, own)).status, 303)
      const ask = async (): Promise<string> => {
        const { location } = await browser.post(`/${id}/assistant`, { text: 'Hello', page: '' })
        return (await browser.get(location?.split('#')[0] ?? '')).text
      }
      provider.play({ text: 'From our own model.' })
      assert.match(await ask(), /From our own model\./)
      assert.equal(provider.requests[0]?.headers.authorization, 'Bearer own-secret')
      provider.play({ status: 302, headers: { location: provider.url } }, { text: 'never' })
      assert.match(await ask(), /can’t be reached/)
      assert.equal(provider.requests.length, 1)
      provider.play({ status: 999 })
      assert.match(await ask(), /can’t be reached/)
    } finally {
      await site.stop()
      await provider.stop()
    }
  })
})

describe('the assistant settings of the installation', () => {
  const read = (env: Record<string, string>) => readConfig(env).assistant

  it('read the provider, model, key, URL and daily limit', () => {
    assert.equal(read({}).model, null)
    assert.deepEqual(read({ ASSISTANT_PROVIDER: 'anthropic', ASSISTANT_MODEL: 'm', ASSISTANT_KEY: 'k' }).model, {
      provider: 'anthropic',
      model: 'm',
      key: 'k',
      url: null,
      inputPrice: null,
      outputPrice: null,
    })
    const local = {
      ASSISTANT_PROVIDER: 'openai-compatible',
      ASSISTANT_MODEL: 'm',
      ASSISTANT_URL: 'http://localhost:1/v1/',
    }
    assert.equal(read(local).model?.url, 'http://localhost:1/v1')
    assert.equal(read({ ASSISTANT_DAY_TOKENS: '20' }).maxDayTokens, 20_000)
  })

  for (const [env, words] of [
    [{ ASSISTANT_PROVIDER: 'openai' }, /must be one of anthropic, openai-compatible/],
    [{ ASSISTANT_PROVIDER: 'anthropic' }, /ASSISTANT_MODEL is missing/],
    [{ ASSISTANT_MODEL: 'm' }, /ASSISTANT_PROVIDER is missing/],
    [{ ASSISTANT_PROVIDER: 'anthropic', ASSISTANT_MODEL: 'm' }, /ASSISTANT_KEY is missing/],
    [{ ASSISTANT_PROVIDER: 'openai-compatible', ASSISTANT_MODEL: 'm' }, /ASSISTANT_URL is missing/],
    [
      { ASSISTANT_PROVIDER: 'anthropic', ASSISTANT_MODEL: 'm', ASSISTANT_KEY: 'k', ASSISTANT_INPUT_PRICE: '-1' },
      /ASSISTANT_INPUT_PRICE must be dollars/,
    ],
  ] as const)
    it(`reject ${Object.keys(env).join(', ')} when a value is invalid or missing`, () => {
      assert.throws(() => read(env), words)
    })
})
