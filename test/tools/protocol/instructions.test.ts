import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { createKey, revokeKey } from '../../../src/identity/credentials/keys.ts'
import { DEFAULT_CEILINGS } from '../../../src/identity/permissions/areas.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { makeCompany, type Company, type TestService } from '../../harness/harness.ts'
import { openOffice } from '../../harness/identity/people_pages.ts'
import { newProtocolClient } from '../../harness/clients/protocol.ts'
import { startSite } from '../../harness/web_client.ts'

/** Tests the server instructions for models (docs/spec/tools.md#instructions). */
const MOST = 700

let service: TestService
before(async () => {
  service = await startSite()
})
after(() => service.stop())

const tokensOf = (text: string): number => encode(text).length

async function readInstructions(key: string): Promise<string> {
  const answer = await newProtocolClient(service.url, key).handshake('initialize', { protocolVersion: '2025-11-25' })
  assert.ok(answer.result !== undefined, JSON.stringify(answer))
  return answer.result['instructions']
}

const renameUser = (company: Company, user: string, name: string) =>
  writeTenant(service.database, { tenant: company.tenant }, (db) =>
    db.run(sql`update users set name = ${name} where id = ${user}`),
  )

async function crewOf(company: Company, names: readonly string[]): Promise<void> {
  for (const name of names) await renameUser(company, (await company.member('tech')).id, name)
}

describe('the server instructions', () => {
  it('contain the company, its time zone, the local date, the caller with their rights, and the crew', async () => {
    const company = await makeCompany(service, { timezone: 'Pacific/Auckland', currency: 'NZD' })
    const mia = await company.member('office')
    await renameUser(company, mia.id, 'Mia Chen')
    const tomas = await company.member('tech')
    await renameUser(company, tomas.id, 'Tomas Reed')
    const before = Temporal.Now.zonedDateTimeISO('Pacific/Auckland').toPlainDate().toString()
    const text = await readInstructions(mia.key)
    const after = Temporal.Now.zonedDateTimeISO('Pacific/Auckland').toPlainDate().toString()
    assert.match(text, /^You are the back-office assistant of Test company, a field-service company\. /)
    const [, day, date = ''] = text.match(
      /^Now: (\w+) (\d{4}-\d\d-\d\d) \d\d:\d\d, Pacific\/Auckland\. .* minor units of NZD\.$/m,
    )!
    assert.ok(date === before || date === after, date)
    assert.equal(day, Temporal.PlainDate.from(date).toLocaleString('en-US', { weekday: 'long' }))
    assert.ok(
      text.includes(`You act for Mia Chen (office, ${mia.id}). You may only edit Customers & contacts, Notes, `),
    )
    assert.ok(text.includes('Plans; view Tax rates.'))
    assert.ok(text.includes(`Other members, for assignees: Tomas Reed ${tomas.id}, Test owner ${company.owner.id}.`))
    assert.ok(tokensOf(text) <= MOST, `${tokensOf(text)} tokens`)
  })

  it('are the same in the handshake and the stateless protocol, apart from the time', async () => {
    const company = await makeCompany(service)
    const { handshake, stateless } = newProtocolClient(service.url, company.owner.key)
    const withoutTime = (text: string) => text.replace(/^Now: .*$/m, '')
    const [opened, discovered] = [
      await handshake('initialize', { protocolVersion: '2025-11-25' }),
      await stateless('server/discover'),
    ]
    assert.equal(withoutTime(opened.result!['instructions']), withoutTime(discovered.result!['instructions']))
    assert.equal(discovered.result!['cacheScope'], 'private')
  })

  it("follow the caller's current rights, and name no person for a tenant key", async () => {
    const company = await makeCompany(service)
    const key = await company.tenantKey(['read:customers', 'write:customers'])
    const text = await readInstructions(key.key)
    assert.ok(text.includes('You use a tenant key, which has no user: '))
    assert.ok(text.includes('You may only edit Customers & contacts.'))
    assert.ok(!text.includes('Other members'), text)
    assert.ok(!text.includes(company.owner.id))

    const tech = await company.member('tech')
    assert.ok((await readInstructions(tech.key)).includes('(tech, '))
    const lowered = { ...DEFAULT_CEILINGS.tech, 'Jobs & scheduling': 'none', Notes: 'view' }
    await writeTenant(service.database, { tenant: company.tenant }, async (db) => {
      await db.run(
        sql`update members set ceiling = ${lowered} where tenant_id = ${company.tenant} and user_id = ${tech.id}`,
      )
      await db.run(
        sql`update credentials set access_version = access_version + 1 where tenant_id = ${company.tenant} and user_id = ${tech.id}`,
      )
    })
    assert.ok(
      (await readInstructions(tech.key)).includes(
        'You may only view Customers & contacts, Notes, Recurring jobs, Quotes, Catalog & pricing.',
      ),
    )
    assert.ok(
      (await readInstructions((await company.tenantKey(['read:settings'])).key)).includes(
        'You have no access to any area.',
      ),
    )
    assert.ok((await readInstructions(company.owner.key)).includes('You may edit every area.'))
  })

  it('are refused with 401 for a revoked key', async () => {
    const company = await makeCompany(service)
    const { key, credential } = await company.member('office')
    await readInstructions(key)
    await revokeKey(service.database, { tenant: company.tenant }, credential)
    const { handshake, stateless } = newProtocolClient(service.url, key)
    for (const { status } of [
      await handshake('initialize', { protocolVersion: '2025-11-25' }),
      await handshake('initialize', {}),
      await stateless('server/discover'),
    ])
      assert.equal(status, 401)
  })

  it('list at most twelve crew members and count the rest', async () => {
    const company = await makeCompany(service)
    await crewOf(
      company,
      Array.from({ length: 14 }, (_, i) => `Lena Novak ${String.fromCharCode(65 + i)}`),
    )
    const text = await readInstructions(company.owner.key)
    const [, crew, more] = text.match(
      /^Other members, for assignees: (.*); and (\d+) more \(exact names also work\)\.$/m,
    )!
    const size = crew!.split(', ').length
    assert.ok(size >= 9 && size <= 12, `${size}`)
    assert.equal(size + Number(more), 14)
    assert.ok(tokensOf(text) <= MOST, `${tokensOf(text)} tokens`)
  })

  it('stay within 700 tokens with any names', async () => {
    for (const name of [
      '🪠🧰'.repeat(40),
      'ẍ̶̢'.repeat(20),
      '山田 太郎 管理責任者 営業部'.repeat(5),
      'bQzxKjVwXqZ'.repeat(9),
      '#{"&}%~^\\|<>;'.repeat(7),
    ]) {
      const company = await makeCompany(service)
      await renameUser(company, company.owner.id, name)
      await crewOf(company, Array<string>(12).fill(name))
      await writeTenant(service.database, { tenant: company.tenant }, (db) =>
        db.run(sql`update tenants set name = ${name.slice(0, 80)} where id = ${company.tenant}`),
      )
      const text = await readInstructions(company.owner.key)
      assert.ok(tokensOf(text) <= MOST, `${name}: ${tokensOf(text)} tokens`)
    }
  })

  it('list only pages that exist', async () => {
    const office = await openOffice(service, 'Alder Plumbing')
    const { key } = await createKey(
      service.database,
      { tenant: office.id },
      { user: office.owner.user_id, name: newId(), scopes: ['read:customers'], expires_at: null },
    )
    const { id: customer_id } = await office.customer('Ana', { email: 'ana@example.com' })
    const lines = { line_items: [{ name: 'Visit', unit_price_cents: 1000 }] }
    const ids: Record<string, string> = {
      customers: customer_id,
      invoices: (await office.call('invoices_create', { customer_id, ...lines }))['id'],
      quotes: (await office.call('quotes_create', { customer_id, title: 'Roof', ...lines }))['id'],
      notes: (await office.call('notes_create', { body: 'Gate' }))['id'],
    }
    const text = await readInstructions(key)
    const [, base, listed] = text.match(/the page under (\S+)\/: (.*)\.$/m)!
    assert.equal(base, `${service.config.baseUrl}/${office.id}`)
    const pages = listed!.split('; ').flatMap((each) => each.split(': ')[1]!.split(', '))
    assert.equal(pages.length, 10)
    for (const page of pages) {
      const path = page.replace('{id}', ids[page.split('/')[0]!] ?? '')
      const { status } = await office.browser.get(office.at(path))
      assert.equal(status, 200, page)
    }
  })
})
