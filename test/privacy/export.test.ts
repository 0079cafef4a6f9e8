import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant, sql } from '../../src/platform/db/tenant.ts'
import { COLLECTIONS } from '../../src/privacy/export/collections.ts'
import { RETENTION_RULES } from '../../src/privacy/erase/retention_rules.ts'
import { removeMember } from '../../src/identity/people/people.ts'
import { openOffice } from '../harness/identity/people_pages.ts'
import { PASSWORD, newBrowser } from '../harness/web_client.ts'
import { download, requireTwins, rowsIn, textOf, readZip } from './archives.ts'
import { ADA, BEN, openMarkedCustomers, type MarkedCustomers } from './marked_customers.ts'

let marked: MarkedCustomers
let { service, scene, ada, ben } = {} as MarkedCustomers
before(async () => {
  marked = await openMarkedCustomers()
  ;({ service, scene, ada, ben } = marked)
})
after(() => marked.stop())

const dataOf = (id: string): string => scene.office.at('customers', id, 'data')
const all = <T>(query: ReturnType<typeof sql>): Promise<T[]> =>
  readTenant(service.database, { tenant: scene.office.id }, (db) => db.all<T>(query))

describe("a customer's archive", () => {
  it('has all their records as JSON and CSV with files, and nothing of another customer', async () => {
    const { status, headers, bytes } = await download(service, scene.office.browser, dataOf(ada.id), 'POST')
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'application/zip')
    assert.equal(Number(headers.get('content-length')), bytes.length)
    assert.match(headers.get('content-disposition')!, /^attachment; filename="customer-\d{4}-\d\d-\d\d\.zip"$/)
    const files = await readZip(bytes)
    requireTwins(files)
    assert.ok(!textOf(files).includes(BEN))
    const counts = Object.fromEntries(
      [...files.keys()]
        .filter((name) => name.endsWith('.json') && name !== 'archive.json')
        .map((name) => [name.slice(0, -5), rowsIn(files, name.slice(0, -5)).length]),
    )
    const least = {
      customers: 2,
      contacts: 3,
      locations: 2,
      notes: 8,
      jobs: 3,
      job_media: 1,
      job_series: 1,
      plans: 1,
      quotes: 3,
      acceptances: 1,
      invoices: 4,
      payments: 2,
      payment_disputes: 1,
      messages: 5,
      attachments: 2,
      outbox: 1,
      customer_links: 3,
      audit: 20,
    }
    for (const [name, count] of Object.entries(least)) assert.ok(counts[name]! >= count, `${name}: ${counts[name]}`)
    const [media] = rowsIn(files, 'job_media')
    assert.equal(files.get(String(media!['file']))!.toString(), `Picture of ${ADA}`)
    const attached = rowsIn(files, 'attachments').find(({ file }) => file !== null)
    assert.equal(files.get(String(attached!['file']))!.toString(), `Inside of the file of ${ADA}`)
    const about = JSON.parse(files.get('archive.json')!.toString()) as {
      rows: object
      files: number
      missing: string[]
    }
    assert.deepEqual(about.rows, counts)
    assert.deepEqual([about.files, about.missing], [3, []])
  })

  it('includes every table that an erasure clears, aside from listed exceptions', async () => {
    const { bytes } = await download(service, scene.office.browser, dataOf(ada.id), 'POST')
    const files = await readZip(bytes)
    const exported = new Set(
      COLLECTIONS.filter(({ file }) => files.has(`${file}.json`)).map(({ file, table = file }) => table),
    )
    const inside: Record<string, string> = {
      attachment_spool: 'bytes of attachments on their way to storage',
      sent_messages: 'statuses of providers, which messages have',
      conversations: 'threads of messages',
      correspondents: 'threads of messages',
      quarantined_messages: 'messages that are not of a customer yet',
      customer_link_hashes: 'secrets',
      invoice_deliveries: 'nothing writes them',
      payment_events: "the provider's events, of which payments are made",
      job_titles: 'titles of jobs',
      search_entries: 'words of records',
      idempotency_keys: 'answers that agents got',
      reviews: 'decisions of operators',
      imports: 'files with many people',
      import_rows: 'which row of a file became which record',
      import_links: 'ids in other products, by which files are found again',
      proposals: 'calls of agents that wait, of which records are made',
      travel_times: 'drives between rounded places, which are computed again',
      assistant_conversations: 'what members and a model wrote, of which records are named',
      journal: 'what records were before each change of the last days',
    }
    const missing = [...new Set(RETENTION_RULES.map(({ table }) => table))].filter(
      (table) => !exported.has(table) && inside[table] === undefined,
    )
    assert.deepEqual(missing, [])
  })

  it('is limited to owners of the company and recorded in the audit log', async () => {
    for (const role of ['office', 'tech'] as const) {
      const { browser } = await scene.office.signInMember(role)
      assert.equal((await download(service, browser, dataOf(ada.id), 'POST')).status, 404)
    }
    const other = await openOffice(service, 'North Cleaning')
    assert.equal((await download(service, other.browser, dataOf(ada.id), 'POST')).status, 404)
    assert.equal((await download(service, other.browser, other.at('customers', ada.id, 'data'), 'POST')).status, 404)
    const [entry] = await all<{ user_id: string; changed: object }>(
      sql`select user_id, changed from audit where tool = 'customers.export' and record_id = ${ada.id} order by at limit 1`,
    )
    assert.deepEqual(entry, { user_id: scene.office.owner.user_id, changed: {} })
  })
})

describe("a member's archive", () => {
  it("has the member's own data and no customer data", async () => {
    const leo = await scene.office.signInMember('office')
    const job = await scene.office.call('jobs_create', {
      customer_id: ben.id,
      title: `Secret ${BEN}`,
      assignees: [leo.user_id],
    })
    const mine = await download(service, leo.browser, scene.office.at('settings', 'you', 'data'), 'POST')
    const theirs = await download(
      service,
      scene.office.browser,
      scene.office.at('settings', 'members', leo.user_id, 'data'),
      'POST',
    )
    for (const { status, bytes } of [mine, theirs]) {
      assert.equal(status, 200)
      const files = await readZip(bytes)
      requireTwins(files)
      assert.deepEqual(
        rowsIn(files, 'profile').map(({ email, role }) => [email, role]),
        [[leo.email, 'office']],
      )
      assert.deepEqual(
        rowsIn(files, 'assignments').map(({ id }) => id),
        [job['id']],
      )
      assert.equal(rowsIn(files, 'sessions').length, 1)
      assert.ok(rowsIn(files, 'security_log').some(({ kind }) => kind === 'signed_in'))
      assert.ok(!textOf(files).includes(BEN))
    }
    const other = await scene.office.signInMember('office')
    const path = scene.office.at('settings', 'members', leo.user_id, 'data')
    assert.equal((await download(service, other.browser, path, 'POST')).status, 404)
    assert.equal(
      (
        await download(
          service,
          scene.office.browser,
          scene.office.at('settings', 'members', crypto.randomUUID(), 'data'),
          'POST',
        )
      ).status,
      404,
    )
  })
})

describe('the archive of a member of two companies', () => {
  it("has the networks and devices of this company's sessions only", async () => {
    const ida = await scene.office.signInMember('office')
    const other = await openOffice(service, 'West Plumbing')
    await other.join('office', { email: ida.email })
    const from = (network: string, agent: string) => async (path: string, fields?: Record<string, string>) => {
      const headers = { 'x-forwarded-for': network, 'user-agent': agent }
      return fields === undefined
        ? away.send(path, { headers })
        : away.post(path, fields, { ...headers, origin: service.config.baseUrl })
    }
    const away = newBrowser(service)
    const elsewhere = from('198.51.100.7', 'Mozilla/5.0 (iPad) Safari/605')
    await elsewhere('/sign-in', { email: ida.email, password: PASSWORD, to: '/' })
    assert.equal((await elsewhere(other.at('jobs'))).status, 200)
    await ida.browser.get(scene.office.at('jobs'))
    const copy = async (owner: typeof other) =>
      readZip(
        (await download(service, owner.browser, owner.at('settings', 'members', ida.user_id, 'data'), 'POST')).bytes,
      )
    const here = await copy(scene.office)
    assert.doesNotMatch(textOf(here), /198\.51\.100|iPad/)
    assert.equal(rowsIn(here, 'sessions').length, 1)
    assert.deepEqual(
      new Set(rowsIn(here, 'security_log').map(({ network }) => network)),
      new Set([null, rowsIn(here, 'sessions')[0]!['network']]),
      'what happened is told, where it happened is not',
    )
    assert.deepEqual(
      rowsIn(await copy(other), 'sessions').map(({ network, device }) => [network, device]),
      [['198.51.100.0/24', 'Safari on iPad']],
    )
    await elsewhere(scene.office.at('jobs'))
    assert.equal(rowsIn(await copy(scene.office), 'sessions').length, 2)
  })
})

describe('the archive of a removed member', () => {
  it('has a profile but no sessions or security log', async () => {
    const mia = await scene.office.signInMember('office')
    const pack = async () =>
      readZip(
        (
          await download(
            service,
            scene.office.browser,
            scene.office.at('settings', 'members', mia.user_id, 'data'),
            'POST',
          )
        ).bytes,
      )
    await mia.browser.get(scene.office.at('jobs'))
    assert.equal(rowsIn(await pack(), 'sessions').length, 1)
    await removeMember(service.database, { tenant: scene.office.id }, mia.user_id, { user: scene.office.owner.user_id })
    const files = await pack()
    assert.deepEqual([rowsIn(files, 'sessions'), rowsIn(files, 'security_log')], [[], []])
    assert.equal(rowsIn(files, 'profile').length, 1)
  })
})
