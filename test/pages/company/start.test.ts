import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { entities } from '../../../src/records/index.ts'
import type { TestService } from '../../harness/harness.ts'
import { createCompany, startSite, newBrowser } from '../../harness/web_client.ts'

let service: TestService
before(async () => {
  service = await startSite()
})
after(() => service.stop())

describe('the landing page', () => {
  it('shows the MCP address and sign-in link, and redirects a signed-in member to their company', async () => {
    const browser = newBrowser(service)
    const { status, text } = await browser.get('/')
    assert.equal(status, 200)
    assert.ok(
      text.includes(`${service.config.baseUrl}/api/mcp`) &&
        text.includes('href="/docs"') &&
        text.includes('href="/sign-in"'),
    )
    const company = await createCompany(service, 'Alder Plumbing')
    await browser.signIn(company.owner.email)
    assert.equal((await browser.get('/')).location, `/${company.id}`)
  })
})

describe('the documentation pages', () => {
  it('are at the URL named by OAuth discovery, with client setup lines for this service', async () => {
    const discovered = (await (
      await fetch(`${service.config.baseUrl}/.well-known/oauth-protected-resource`)
    ).json()) as { resource_documentation: string }
    assert.equal(discovered.resource_documentation, `${service.config.baseUrl}/docs`)
    const { status, text } = await newBrowser(service).get('/docs')
    assert.equal(status, 200)
    for (const line of [
      `claude mcp add --transport http callout ${service.config.baseUrl}/api/mcp`,
      'mcpServers',
      'mcp_servers.callout',
    ])
      assert.ok(text.includes(line), line)
  })

  it('state publicly what is stored, where, for how long, and how to erase it', async () => {
    const { status, text } = await newBrowser(service).get('/privacy')
    assert.equal(status, 200)
    for (const head of ['What is stored', 'Where', 'How long', 'How to erase'])
      assert.ok(text.includes(`<h2>${head}</h2>`), head)
    for (const page of ['/', '/docs'])
      assert.ok((await newBrowser(service).get(page)).text.includes('href="/privacy"'), page)
  })

  it('name every tool and the read scope of its entity', async () => {
    for (const entity of entities) {
      const { status, text } = await newBrowser(service).get(`/docs/tools/${entity.name}`)
      assert.equal(status, 200)
      for (const { verb } of entity.tools)
        assert.ok(text.includes(`<h2>${entity.name}_${verb}</h2>`), `${entity.name}_${verb}`)
      assert.ok(text.includes(`read:${entity.subject}`))
    }
    assert.match((await newBrowser(service).get('/docs/tools/jobs')).text, /<code>scheduled_start<\/code>/)
    assert.equal((await newBrowser(service).get('/docs/tools/nothing')).status, 404)
  })

  it("name the error codes and this service's rate limit", async () => {
    const { text } = await newBrowser(service).get('/docs/limits')
    for (const code of [
      'invalid_input',
      'not_found',
      'conflict',
      'insufficient_scope',
      'internal',
      'wrong_tenant',
      'wrong_origin',
      'rate_limited',
    ])
      assert.ok(text.includes(code), code)
    assert.ok(
      text.includes(
        service.config.rateLimitPerCredential === 0
          ? 'no limit'
          : service.config.rateLimitPerCredential.toLocaleString('en-US'),
      ),
    )
  })
})

describe('the home page', () => {
  it('shows each section only to members with access', async () => {
    const company = await createCompany(service, 'Cedar Heating')
    const [owner, tech] = [newBrowser(service), newBrowser(service)]
    await owner.signIn(company.owner.email)
    await tech.signIn((await company.hire('tech')).email)
    const seen = (await owner.get(`/${company.id}`)).text
    for (const part of ['Visits', 'Needs attention']) assert.ok(seen.includes(`<h2>${part}</h2>`), part)
    assert.match(seen, /Nothing is waiting for you\./)
    assert.doesNotMatch(seen, /Overdue invoices|Quotes waiting|Unread messages|To schedule|Sales this month/)
    const less = (await tech.get(`/${company.id}`)).text
    assert.ok(less.includes('<h2>Visits</h2>') && !less.includes('Sales this month'))
  })

  it("lists and counts today's visits, but no visits of other days", async () => {
    const company = await createCompany(service, 'Birch Cooling')
    const owner = newBrowser(service)
    await owner.signIn(company.owner.email)
    const makeRecord = async (path: string, fields: Record<string, string>): Promise<string> =>
      /([0-9a-f-]{36})$/.exec((await owner.post(`/${company.id}/${path}/new`, fields)).location ?? '')![1]!
    const customer = await makeRecord('customers', {
      customer_type: 'individual',
      first_name: 'Ana',
      last_name: 'Ruiz',
    })
    const today = Temporal.Now.plainDateISO('America/New_York').toString()
    await makeRecord('jobs', { customer_id: customer, title: 'Furnace check', scheduled_start: `${today}T09:00` })
    await makeRecord('jobs', {
      customer_id: customer,
      title: 'Other day',
      scheduled_start: `${Temporal.Now.plainDateISO('America/New_York').add({ days: 40 }).toString()}T09:00`,
    })
    await owner.get(`/${company.id}`)
    const { text } = await owner.get(`/${company.id}`)
    assert.match(text, /9:00[\s\S]*Furnace check/)
    assert.doesNotMatch(text, /Other day/)
    assert.match(text, /<h3>Unassigned<span/)
    assert.match(text, /0 of 1 done/)
  })
})
