import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { STARTER_TRADES } from '../../../src/records/catalog_items/index.ts'
import { withReader } from '../../../src/platform/i18n/reader.ts'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../../src/identity/permissions/scopes.ts'
import { pngOf } from '../../browser/harness/png.ts'
import { callerOf, type TestService } from '../../harness/harness.ts'
import { pageTextOf } from '../../harness/identity/people_pages.ts'
import { createCompany, startSite, newBrowser } from '../../harness/web_client.ts'

let service: TestService
before(async () => {
  service = await startSite()
})
after(() => service.stop())

/** Returns a new company, a browser signed in as its owner, and a caller for its API key. */
async function openCompany(name: string, language?: string) {
  const company = await createCompany(service, name)
  const browser = newBrowser(service)
  await browser.signIn(company.owner.email)
  if (language !== undefined)
    await browser.post(`/${company.id}/settings/you`, { name: 'Ana Ruiz', language, keys: 'yes' })
  const at = (...steps: string[]): string => `/${[company.id, 'setup', ...steps].join('/')}`
  const { key } = await createKey(
    service.database,
    { tenant: company.id },
    { user: company.owner.user_id, name: 'Agent', scopes: SCOPES, expires_at: null },
  )
  return { company, browser, at, call: callerOf(service.url, key).call }
}

describe('company setup', () => {
  it('shows eight steps and continues at the first unfinished one', async () => {
    const { browser, at, company } = await openCompany('Alder')
    const page = await browser.get(at())
    assert.match(pageTextOf(page), /Set up your company .* 1 of 8 done/)
    assert.match(page.text, new RegExp(`class="button main" href="${at('profile')}">Continue setup`))
    for (const step of ['profile', 'hours', 'services', 'tax', 'messages', 'team', 'customers', 'assistant']) {
      const shown = await browser.get(at(step))
      assert.equal(shown.status, 200, step)
      assert.match(pageTextOf(shown), /Step \d of 8/)
    }
    assert.equal((await browser.get(at('payments'))).status, 404, 'where the installation takes no cards')
    assert.equal((await browser.get(at('nothing'))).status, 404)
    const saved = await browser.post(at('profile'), { address: '1 Shop Rd', phone: '', email: '', license_number: '' })
    assert.equal(saved.location, at('hours'))
    const form = new FormData()
    form.set('to', at('profile'))
    form.set('logo', new Blob([new Uint8Array(pngOf(10, 10, [1, 2, 3]))], { type: 'image/png' }), 'logo.png')
    const logo = await browser.send(`/${company.id}/settings/company/logo`, {
      method: 'POST',
      body: form,
      headers: { origin: service.config.baseUrl, 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(logo.location, at('profile'))
    assert.match((await browser.get(at())).text, new RegExp(`class="button main" href="${at('hours')}">`))
    assert.match((await browser.get(`/${company.id}`)).text, new RegExp(`href="${at('hours')}">Continue setup`))
  })

  it('is available to the owner only', async () => {
    const { company, at } = await openCompany('Aspen')
    const clerk = newBrowser(service)
    await clerk.signIn((await company.hire('office')).email)
    for (const path of [at(), at('services')]) assert.equal((await clerk.get(path)).status, 404, path)
    for (const step of ['profile', 'hours', 'services', 'tax'])
      assert.equal((await clerk.post(at(step), {})).status, 404, step)
  })

  it('saves working hours and the tax rate, and redisplays invalid values', async () => {
    const { browser, at, call } = await openCompany('Ash')
    const week = { 'mon.0.from': '07:00', 'mon.0.to': '15:30' }
    const names = [...(await browser.get(at('hours'))).text.matchAll(/name="(\w+)\.0\.from"/g)].map(([, name]) => name!)
    const [first] = names
    assert.equal(names.length, 7)
    const refused = await browser.post(at('hours'), { [`${first}.0.from`]: '15:00', [`${first}.0.to`]: '07:00' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /value="15:00"/)
    assert.equal(
      (
        await browser.post(at('hours'), {
          [`${first}.0.from`]: week['mon.0.from'],
          [`${first}.0.to`]: week['mon.0.to'],
        })
      ).location,
      at('services'),
    )
    assert.match((await browser.get(at('hours'))).text, /value="15:30"/)
    const bad = await browser.post(at('tax'), { name: 'Sales tax', rate_percentage: 'eight' })
    assert.equal(bad.status, 422)
    assert.match(bad.text, /value="eight"/)
    assert.equal((await browser.post(at('tax'), { name: 'Texas', rate_percentage: '8.25' })).location, at('messages'))
    const { rows } = await call('tax_rates_list', {})
    assert.deepEqual(
      rows.map((row: Record<string, unknown>) => [row['name'], row['rate_percentage'], row['is_default']]),
      [['Texas', 8.25, true]],
    )
  })
})

describe('the starter catalog', () => {
  it('has named, categorized and priced items for each trade in English and Spanish', () => {
    for (const { name, categories, items } of Object.values(STARTER_TRADES)) {
      const inBoth = (text: () => string): string[] =>
        (['en', 'es'] as const).map((language) => withReader({ language, country: 'US' }, text))
      assert.equal(new Set(inBoth(name)).size, 2)
      assert.ok(items.length >= 15)
      assert.equal(new Set(items.map(({ key }) => key)).size, items.length)
      assert.equal(new Set(items.map((item) => inBoth(item.name)[1])).size, items.length)
      for (const item of items) {
        assert.notEqual(...(inBoth(item.name) as [string, string]))
        assert.ok(item.category in categories, item.key)
        assert.ok(Number.isInteger(item.cents) && item.cents > 0, item.key)
        assert.equal(item.kind === 'service', item.minutes !== undefined, item.key)
      }
      for (const key of Object.keys(categories))
        assert.ok(
          items.some(({ category }) => category === key),
          key,
        )
    }
  })

  it('adds the checked items at the typed prices in one change that can be undone', async () => {
    const { browser, at, call } = await openCompany('Birch')
    const page = await browser.get(`${at('services')}?trade=plumbing`)
    assert.match(page.text, /name="item.faucet" value="yes" checked/)
    assert.match(page.text, /name="price.faucet" value="285.00"/)
    const sent = {
      trade: 'plumbing',
      'item.faucet': 'yes',
      'price.faucet': '1,234.50',
      'item.hour': 'yes',
      'price.hour': '150',
      'item.supply': 'yes',
      'price.supply': '18.00',
      'price.toilet': 'not checked, so it is not read',
    }
    const added = await browser.post(at('services'), sent)
    assert.equal(added.location, at('tax'))
    const next = await browser.get(at('tax'))
    assert.match(pageTextOf(next), /3 items added to your catalog Undo/)
    const { rows } = await call('catalog_items_list', {})
    assert.deepEqual(
      rows
        .map((row: Record<string, unknown>) => [row['name'], row['kind'], row['unit_price_cents'], row['taxable']])
        .sort(),
      [
        ['Plumber', 'labor', 15_000, false],
        ['Replace faucet', 'service', 123_450, true],
        ['Supply line', 'product', 1_800, true],
      ],
    )
    const { rows: categories } = await call('catalog_categories_list', {})
    assert.deepEqual(categories.map((row: Record<string, unknown>) => row['name']).sort(), [
      'Labor & fees',
      'Parts',
      'Plumbing service',
    ])
    await browser.post(at('services'), sent)
    assert.equal((await call('catalog_items_list', {})).rows.length, 3, 'the same form sent twice adds them once')
    assert.match(pageTextOf(await browser.get(`${at('services')}?trade=plumbing`)), /Replace faucet In your catalog/)
    const undo = /href="([^"]*\/undo\?[^"]+)"/.exec(next.text)![1]!.replaceAll('&amp;', '&')
    const preview = await browser.get(undo)
    const fields = Object.fromEntries(
      [...preview.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
        name!,
        value!.replaceAll('&amp;', '&'),
      ]),
    )
    assert.equal((await browser.post(new URL(undo, service.config.baseUrl).pathname, fields)).status, 303)
    assert.equal((await call('catalog_items_list', {})).rows.length, 0)
    assert.equal((await call('catalog_categories_list', {})).rows.length, 0)
  })

  it('refuses items with a missing or invalid price, and adds nothing', async () => {
    const { browser, at, call } = await openCompany('Cedar')
    for (const price of ['', 'cheap', '-5']) {
      const refused = await browser.post(at('services'), {
        trade: 'hvac',
        'item.uv': 'yes',
        'price.uv': price,
        'item.media': 'yes',
        'price.media': '51.00',
      })
      assert.equal(refused.status, 422, price)
      assert.match(refused.text, /name="item.uv" value="yes" checked/)
      assert.match(refused.text, /name="price.media" value="51.00"/)
      assert.doesNotMatch(refused.text, /name="item.filter" value="yes" checked/)
    }
    assert.equal((await call('catalog_items_list', {})).rows.length, 0)
    const none = await browser.post(at('services'), { trade: 'hvac' })
    assert.equal(none.location, `${at('services')}?trade=hvac`)
    assert.match(pageTextOf(await browser.get(none.location!)), /Nothing was selected/)
    assert.equal((await browser.post(at('services'), { trade: '__proto__' })).location, at('tax'))
  })

  it('is created in the language of the user', async () => {
    const { browser, at, call } = await openCompany('Dogwood', 'es')
    assert.match(pageTextOf(await browser.get(`${at('services')}?trade=landscaping`)), /Fertilizar/)
    await browser.post(at('services'), { trade: 'landscaping', 'item.sod': 'yes', 'price.sod': '300' })
    const { rows } = await call('catalog_items_list', {})
    assert.deepEqual([rows[0].name, rows[0].unit], ['Césped en rollo, por tarima', 'tarima'])
  })
})
