import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { registerClient } from '../../src/identity/credentials/clients/clients.ts'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { addMember, removeMember } from '../../src/identity/people/people.ts'
import { writeTenant } from '../../src/platform/db/tenant.ts'
import { addExceptions } from '../../src/scheduling/hours.ts'
import type { TestService } from '../harness/harness.ts'
import { openOffice, pageTextOf, submit, type Office } from '../harness/identity/people_pages.ts'
import { askConsent, givePassword, pressConsent, startSite, newBrowser } from '../harness/web_client.ts'
import { tablesWith } from './searching.ts'

let service: TestService
let directory: string
let office: Office
let other: Office
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'callout-member-'))
  service = await startSite({ DATA_DIR: directory })
  office = await openOffice(service, 'Alder Plumbing')
  other = await openOffice(service, 'North Cleaning')
})
after(async () => {
  await service.stop()
  await rm(directory, { recursive: true, force: true })
})

const pageOf = (id: string): string => office.at('settings', 'members', id, 'data')
const erase = (id: string, name: string) => submit(office.browser, pageOf(id), { name }, `${pageOf(id)}/erase`)
const end = (id: string) => removeMember(service.database, { tenant: office.id }, id, { user: office.owner.user_id })

/** Adds a member whose name, email and records all contain a mark. */
async function hire(mark: string) {
  const email = `${mark}@example.com`
  const { user_id } = await addMember(
    service.database,
    { tenant: office.id },
    { email, name: `${mark} Park`, role: 'office', password: 'none' },
  )
  const { key } = await createKey(
    service.database,
    { tenant: office.id },
    { user: user_id, name: `Laptop of ${mark}`, scopes: ['read:customers'], expires_at: null },
  )
  const customer = await office.customer('Dora')
  const job = await office.call('jobs_create', {
    customer_id: customer['id'],
    title: 'Leak',
    assignees: [user_id],
    idempotency_key: `job-of-${mark}`,
  })
  await writeTenant(service.database, { tenant: office.id }, (db) =>
    addExceptions(
      db,
      user_id,
      { from: '2027-01-04', to: '2027-01-04', hours: [], note: `Day of ${mark}` },
      { user: office.owner.user_id },
    ),
  )
  return { user_id, email, key, customer, job, mark, name: `${mark} Park` }
}

describe('erasing a member', () => {
  it('removes an account of this company only from every table', async () => {
    const leo = await hire('zqleoqz')
    await end(leo.user_id)
    const page = pageTextOf(await office.browser.get(pageOf(leo.user_id)))
    assert.match(page, /Cleared: name, address and password/)
    assert.equal((await erase(leo.user_id, 'Somebody')).status, 422)
    const { status, location } = await erase(leo.user_id, leo.name)
    assert.deepEqual([status, location], [303, office.at('settings', 'members')])
    assert.deepEqual(await tablesWith(service.owner, [leo.mark]), [])
    const job = await office.call('jobs_get', { id: leo.job['id'] })
    assert.deepEqual(job['assignments'], [{ user_id: leo.user_id, name: 'Former member' }])
    assert.match(pageTextOf(await office.browser.get(location!)), /Former member/)
  })

  it("removes the name and email from mails and notices, and keeps a namesake's", async () => {
    const [mark, namesake] = ['zqmiaqz', 'zqtheaqz']
    const email = `${mark}@example.com`
    for (const to of [email, `${namesake}@example.com`])
      await office.browser.post(office.at('settings', 'members'), { email: to, name: '', role: 'office', way: 'mail' })
    for (const one of [mark, namesake]) {
      const { user_id, name } = await hire(one)
      await givePassword(service.database, office.id, user_id)
      const browser = newBrowser(service)
      await browser.signIn(`${one}@example.com`)
      const callback = 'https://assistant.example/callback'
      const client = await registerClient(service.database, { name: 'Fieldhand', redirect_uris: [callback], about: {} })
      await pressConsent(browser, (await askConsent(service, browser, client.id, callback)).path, 'view')
      if (one === namesake) continue
      const told = await tablesWith(service.owner, [mark], "t::text ~ 'member_app|invitation'")
      assert.ok(told.some((row) => row.startsWith('notices')) && told.some((row) => row.startsWith('account_mails')))
      await end(user_id)
      assert.equal((await erase(user_id, name)).status, 303)
    }
    assert.deepEqual(await tablesWith(service.owner, [mark]), [])
    assert.match(pageTextOf(await office.browser.get(office.at('settings'))), /Former member connected a new app/)
    assert.ok((await tablesWith(service.owner, [namesake])).some((row) => row.startsWith('notices')))
  })

  it("keeps the account for the member's other companies and erases it from this one", async () => {
    const ida = await hire('zqidaqz')
    await addMember(
      service.database,
      { tenant: other.id },
      { email: ida.email, name: ida.name, role: 'tech', password: 'none' },
    ).catch(() => {})
    const there = await other.browser.get(other.at('settings', 'members'))
    if (!pageTextOf(there).includes(ida.email)) return assert.fail('the account is not in both companies')
    await end(ida.user_id)
    assert.match(pageTextOf(await office.browser.get(pageOf(ida.user_id))), /Kept for their other companies/)
    assert.equal((await erase(ida.user_id, ida.name)).status, 303)
    const ours = `to_jsonb(t) ->> 'tenant_id' = '${office.id}'`
    assert.deepEqual(await tablesWith(service.owner, [ida.mark], ours), [])
    const left = (await tablesWith(service.owner, [ida.user_id], ours)).filter((row) => !/^(erasures|audit)/.test(row))
    assert.deepEqual(left, [])
    assert.ok(pageTextOf(await other.browser.get(other.at('settings', 'members'))).includes(ida.email))
    const job = await office.call('jobs_get', { id: ida.job['id'] })
    assert.deepEqual(
      job['assignments'].map(({ name }: { name: string }) => name),
      ['Former member'],
    )
  })

  it('is refused for active members, oneself, strangers and non-owners', async () => {
    const kim = await hire('zqkimqz')
    assert.match(pageTextOf(await office.browser.get(pageOf(kim.user_id))), /Remove them first/)
    const here = await office.browser.post(`${pageOf(kim.user_id)}/erase`, { name: kim.name })
    assert.equal(here.status, 409)
    const own = await office.browser.post(`${pageOf(office.owner.user_id)}/erase`, { name: 'Ana Ruiz' })
    assert.equal(own.status, 409)
    assert.equal((await office.browser.get(pageOf(other.owner.user_id))).status, 404)
    assert.equal((await office.browser.post(`${pageOf(other.owner.user_id)}/erase`, { name: 'Ana Ruiz' })).status, 404)
    await end(kim.user_id)
    const { browser } = await office.signInMember('office')
    assert.equal((await browser.get(pageOf(kim.user_id))).status, 404)
    assert.equal((await browser.post(`${pageOf(kim.user_id)}/erase`, { name: kim.name })).status, 404)
    assert.ok((await tablesWith(service.owner, [kim.mark])).length > 1)
  })
})
