import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeDemo, type Demo } from '../../../src/cli/installation/demo_company.ts'
import { findUser } from '../../../src/identity/people/users.ts'
import { isOperator } from '../../../src/identity/people/operators.ts'
import { sql } from '../../../src/platform/db/tenant.ts'
import { callerOf, type TestService } from '../../harness/harness.ts'
import { pageTextOf } from '../../harness/identity/people_pages.ts'
import { PASSWORD, createCompany, givePassword, startSite, newBrowser, type Browser } from '../../harness/web_client.ts'

const OWN = {
  act: 'own',
  company: 'Alder Plumbing',
  country: 'US',
  timezone: 'America/Denver',
  zones_of: 'US',
  name: 'Ana Ruiz',
  email: 'ana@alder.example',
  password: 'a long secret of mine',
}

let service: TestService
let demo: Demo
let dana: Browser
before(async () => {
  service = await startSite()
  demo = await makeDemo(service.database, service.config)
  dana = newBrowser(service)
  await dana.signIn(demo.owner.email, '/', demo.owner.password)
})
after(() => service.stop())

const at = (...steps: string[]): string => `/${[demo.tenant.id, ...steps].join('/')}`

describe('the demo company', () => {
  it('can be reset by its owner only, and two simultaneous resets load the data once', async () => {
    const { call } = callerOf(service.url, demo.key)
    await call('customers_create', { customer_type: 'individual', first_name: 'Zed', last_name: 'Newcomer' })
    const [shown, again] = await Promise.all([
      dana.post(at('demo'), { act: 'reset' }),
      dana.post(at('demo'), { act: 'reset' }),
    ])
    assert.deepEqual([shown.location, again.location], [at(), at()])
    assert.match(pageTextOf(await dana.get(at())), /The demo was reset\./)
    assert.equal((await call('customers_search', { query: 'Newcomer' })).rows.length, 0)
    assert.equal(
      (await call('customers_search', { query: 'June Whitaker' })).rows.length,
      1,
      'two presses make it once',
    )
    const priya = newBrowser(service)
    await givePassword(
      service.database,
      demo.tenant.id,
      (await findUser(service.database, 'priya@bartonridge.example')).id,
    )
    await priya.signIn('priya@bartonridge.example')
    assert.equal((await priya.get(at('demo'))).status, 404)
    assert.equal((await priya.post(at('demo'), { act: 'reset' })).status, 404)
  })

  it('has no demo page in another company, and refuses non-members', async () => {
    const company = await createCompany(service, 'Birch')
    const owner = newBrowser(service)
    await owner.signIn(company.owner.email)
    assert.equal((await owner.get(`/${company.id}/demo`)).status, 404)
    assert.equal((await owner.post(`/${company.id}/demo`, { act: 'reset' })).status, 404)
    assert.equal((await owner.post(`/${company.id}/demo`, OWN)).status, 404)
    assert.equal((await owner.post(at('demo'), OWN)).status, 404)
    assert.match((await newBrowser(service).get(at('demo'))).location ?? '', /^\/sign-in/)
  })

  it('can be replaced by an operator only, and rejects each invalid field with a message', async () => {
    const second = await makeDemo(service.database, service.config)
    const other = newBrowser(service)
    await other.signIn(second.owner.email, '/', second.owner.password)
    assert.doesNotMatch((await other.get(`/${second.tenant.id}/demo`)).text, /name="deletes_demo"/)
    assert.equal((await other.post(`/${second.tenant.id}/demo`, OWN)).status, 404)
    for (const [more, says] of [
      [{ company: '' }, /Enter the name of your company/],
      [{ name: '' }, /Enter your name/],
      [{ password: 'short' }, /12/],
      [{ email: demo.owner.email }, /can already sign in/],
      [{ email: 'nowhere' }, /e-?mail/i],
    ] as const) {
      const refused = await dana.post(at('demo'), { ...OWN, ...more, deletes_demo: 'yes' })
      assert.ok(refused.status >= 400 && refused.status < 500, `${refused.status} ${JSON.stringify(more)}`)
      assert.match(pageTextOf(refused), says)
    }
    assert.equal((await dana.post(at('demo'), { ...OWN, country: 'MX' })).status, 422, 'the zone of that country first')
    assert.equal((await dana.get(at())).status, 200, 'the demo is still there')
    const [made] = await service.database.send([sql`select from users where email = ${OWN.email}`])
    assert.equal(made.count, 0)
  })

  it('requires signing in again after 20 minutes before it is replaced', async () => {
    await service.database.send([
      sql`update sessions set confirmed_at = confirmed_at - interval '20 minutes'
        where user_id = ${demo.owner.id}`,
    ])
    const asked = await dana.post(at('demo'), { ...OWN, deletes_demo: 'yes' })
    assert.equal(asked.status, 401)
    await service.database.send([sql`update sessions set confirmed_at = moment() where user_id = ${demo.owner.id}`])
  })

  it('is deleted with its users when replaced, and the new owner becomes operator', async () => {
    const started = await dana.post(at('demo'), { ...OWN, deletes_demo: 'yes' })
    assert.equal(started.status, 303)
    const tenant = /^\/([0-9a-f-]{36})\/setup$/.exec(started.location ?? '')![1]!
    assert.match(pageTextOf(await dana.get(`/${tenant}/setup`)), /Set up your company/)
    const ana = await findUser(service.database, OWN.email)
    assert.equal(await isOperator(service.database, ana.id), true)
    assert.equal((await dana.get('/operator/health')).status, 200)
    assert.equal((await dana.get(at())).status, 404)
    for (const [email, password] of [
      [demo.owner.email, demo.owner.password],
      ['priya@bartonridge.example', PASSWORD],
    ] as const)
      assert.equal((await newBrowser(service).signIn(email, '/', password)).status, 422, email)
    assert.equal((await newBrowser(service).signIn(OWN.email, '/', OWN.password)).status, 303)
  })
})
