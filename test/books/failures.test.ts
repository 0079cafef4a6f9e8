import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openDataKeys } from '../../src/identity/data_keys.ts'
import { openTokens, sealBooksTokens, sealTokens, unsealTokens } from '../../src/books/connection/tokens.ts'
import { readConnection } from '../../src/books/books.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import type { ProgramRequest } from '../harness/books/program_server.ts'
import { openBooksScene, type BooksScene } from './scene.ts'

let scene: BooksScene
before(async () => {
  scene = await openBooksScene()
  await scene.connect()
  await scene.setAccounts()
  await scene.start()
})
after(() => scene.stop())
beforeEach(() => {
  scene.program.state.instead = undefined
  scene.program.books.surcharge = 0
})

const bill = async (more: object = {}): Promise<{ id: string; number: string }> => {
  const made = await scene.invoice({
    issue_date: '2026-02-01',
    due_date: '2026-03-01',
    line_items: [{ name: 'Repair', unit_price_cents: 10_000 }],
    ...more,
  })
  return { id: String(made['id']), number: String(made['display_number']) }
}
const stateOf = async (id: string) => (await scene.rows()).find(({ record }) => record === id)
const sheet = async (): Promise<string> => pageTextOf(await scene.office.browser.get(scene.page))
const isMaking = (entity: string) => (request: ProgramRequest) =>
  request.method === 'POST' && request.path.endsWith(`/${entity}`)
const tryAgain = (kind: string, record: string) => scene.office.browser.post(scene.page, { act: 'retry', kind, record })

describe('an error response from the accounting program', () => {
  it('429 with Retry-After pauses the sync until that time', async () => {
    const { id } = await bill()
    let asked = 0
    scene.program.state.instead = () => {
      asked++
      return { status: 429, body: {}, headers: { 'retry-after': '1800' } }
    }
    await scene.work(2)
    assert.equal(asked, 1)
    assert.match(await sheet(), /The program asked to wait/)
    scene.program.state.instead = undefined
    await scene.work(4)
    assert.equal((await stateOf(id))?.state, 'sent')
  })

  it("500 for one record doesn't block the others", async () => {
    const broken = await bill({ line_items: [{ name: 'Breaks', unit_price_cents: 1_000 }] })
    const after = await bill()
    scene.program.state.instead = (request) =>
      isMaking('invoice')(request) && JSON.stringify(request.body).includes('Breaks')
        ? { status: 500, body: {} }
        : undefined
    await scene.work(6)
    assert.equal((await stateOf(broken.id))?.state, 'failed')
    assert.equal((await stateOf(after.id))?.state, 'sent')
    scene.program.state.instead = undefined
    assert.equal((await tryAgain('invoice', broken.id)).status, 303)
    await scene.work()
    assert.equal((await stateOf(broken.id))?.state, 'sent')
  })
})

describe('a record that the accounting program rejects', () => {
  it("waits for a manual retry, shows the program's message and blocks no other record", async () => {
    const { id, number } = await bill()
    scene.program.state.instead = (request) =>
      isMaking('invoice')(request)
        ? { status: 400, body: { Fault: { Error: [{ code: '6200', Message: 'The period is closed' }] } } }
        : undefined
    await scene.work(2)
    assert.equal((await stateOf(id))?.state, 'failed')
    assert.match(await sheet(), new RegExp(`${number}.*The period is closed.*Try again`))
    assert.match(
      pageTextOf(await scene.office.browser.get(scene.office.at())),
      /Records that aren’t in QuickBooks Online/,
    )
    scene.program.state.instead = undefined
    await scene.work()
    assert.equal((await stateOf(id))?.state, 'failed')
    await tryAgain('invoice', id)
    await scene.work()
    assert.equal((await stateOf(id))?.state, 'sent')
  })

  it('is voided and held if the program computes another total', async () => {
    scene.program.books.surcharge = 7
    const { id, number } = await bill()
    await scene.work()
    const row = await stateOf(id)
    assert.deepEqual([row?.state, row?.reason, row?.remote], ['held', 'total', null])
    assert.deepEqual(
      scene.program
        .all('Invoice')
        .filter(({ DocNumber }) => DocNumber === number)
        .map(({ TotalAmt }) => TotalAmt),
      [0],
    )
    scene.program.books.surcharge = 0
    await tryAgain('invoice', id)
    await scene.work()
    assert.deepEqual(
      scene.program
        .all('Invoice')
        .filter(({ DocNumber }) => DocNumber === number)
        .map(({ TotalAmt }) => TotalAmt),
      [0, 100],
    )
  })

  it('is held if the invoice number already exists in the program', async () => {
    const next = await bill()
    const customer = scene.program.all('Customer')[0]?.Id
    scene.program.enter('Invoice', { DocNumber: next.number, TotalAmt: 55, CustomerRef: { value: customer }, Line: [] })
    await scene.work()
    assert.deepEqual([(await stateOf(next.id))?.state, (await stateOf(next.id))?.reason], ['held', 'number_taken'])
    assert.equal(scene.program.all('Invoice').filter(({ DocNumber }) => DocNumber === next.number).length, 1)
  })
})

describe('customers with the same name', () => {
  it('are matched to the existing one once, and the next one gets a suffix', async () => {
    const known = scene.program.enter('Customer', { DisplayName: 'Juan Perez' })
    const [one, two] = [
      await scene.office.customer('Juan', { last_name: 'Perez' }),
      await scene.office.customer('Juan', { last_name: 'Perez' }),
    ]
    for (const { id } of [one, two]) await bill({ customer_id: id })
    await scene.work()
    assert.equal((await stateOf(String(one['id'])))?.remote, known.Id)
    const names = scene.program.all('Customer').map(({ DisplayName }) => String(DisplayName))
    assert.deepEqual(
      names.filter((name) => name.startsWith('Juan')),
      ['Juan Perez', `Juan Perez (${String(two['id']).slice(-6)})`],
    )
  })
})

describe('the access token of the accounting program', () => {
  it('is renewed once for concurrent requests, and stored encrypted', async () => {
    const keys = openDataKeys(scene.service.config.dataKey)
    const connection = await readConnection(scene.service.database, scene.office.id)
    assert.ok(connection)
    scene.program.endAccess()
    const renewals = scene.program.state.renewals
    await Promise.all(Array.from({ length: 8 }, () => scene.open().open(scene.office.id, connection).listAccounts()))
    assert.equal(scene.program.state.renewals, renewals + 1)
    const [row] = await scene.all<{ tokens: Buffer }>(sql`select tokens from books_connections`)
    const { refresh, access } = unsealTokens(keys, scene.office.id, row!.tokens)
    assert.ok(refresh.startsWith('refresh-') && !row!.tokens.includes('refresh-') && !row!.tokens.includes(access))
    assert.deepEqual(await sealBooksTokens(scene.service.database, keys, [scene.office.id]), {
      sealed: 0,
      before: 1,
      unopened: 0,
    })
  })

  it("isn't overwritten by a renewal if the owner reconnects during it", async () => {
    const keys = openDataKeys(scene.service.config.dataKey)
    const tenant = scene.office.id
    const theirs = sealTokens(keys, tenant, { access: 'theirs', refresh: 'later', expires_at: Date.now() + 3_600_000 })
    const connectAgain = () =>
      scene.all(sql`update books_connections set tokens = ${theirs}, tokens_version = tokens_version + 1`)
    const answer = { access_token: 'of before', refresh_token: 'of before', token_type: 'bearer', expires_in: 3_600 }
    const vendor = {
      authorizeUrl: '',
      tokenUrl: 'http://127.0.0.1/token',
      revokeUrl: '',
      scope: '',
      hasPkce: false,
      apiHosts: [],
      app: { clientId: 'client', clientSecret: 'secret', apiUrl: 'http://127.0.0.1/' },
      fetchFor: () => () => connectAgain().then(() => Response.json(answer)),
    }
    const tokens = openTokens(scene.service.database, keys, vendor, tenant)
    const { version } = await tokens.current()
    assert.deepEqual(await tokens.renew(version), { access: 'theirs', version: version + 1 })
    await scene.connect()
  })

  it('pauses the sync when the program revokes it, until an owner reconnects', async () => {
    scene.program.endAccess(true)
    const { id } = await bill()
    const lines = await scene.work()
    assert.ok(!lines.join().includes('refresh-'))
    assert.match(await sheet(), /Access ended.*Connect again/)
    assert.match(pageTextOf(await scene.office.browser.get(scene.office.at())), /QuickBooks Online revoked access/)
    assert.notEqual((await stateOf(id))?.state, 'sent')
    assert.equal((await scene.connect()).status, 303)
    await scene.work()
    assert.equal((await stateOf(id))?.state, 'sent')
  })

  it('is revoked on disconnect, and reconnecting sends nothing twice', async () => {
    const invoices = scene.program.all('Invoice').length
    assert.equal((await scene.office.browser.post(scene.page, { act: 'disconnect' })).status, 303)
    assert.equal(scene.program.state.revoked.length, 1)
    assert.match(await sheet(), /Connect QuickBooks Online/)
    assert.equal((await scene.connect()).status, 303)
    await scene.setAccounts()
    await scene.start()
    await scene.work()
    assert.equal(scene.program.all('Invoice').length, invoices)
  })
})

describe('the accounting sync page', () => {
  it('returns 404 to anyone but owners', async () => {
    const { browser } = await scene.office.signInMember('office')
    assert.equal((await browser.get(scene.page)).status, 404)
    assert.equal((await browser.post(scene.page, { act: 'pause' })).status, 404)
    assert.equal((await browser.get(`${scene.page}/callback?code=1&state=${scene.office.id}.x`)).status, 404)
  })

  it('rejects an OAuth callback that was not started or has another state', async () => {
    const bare = await scene.office.browser.get(`${scene.page}/callback?code=1&state=${scene.office.id}.x&realmId=1`)
    assert.equal(bare.status, 409)
    await scene.office.browser.post(scene.page, { connect: 'quickbooks' })
    const forged = await scene.office.browser.get(`${scene.page}/callback?code=1&state=${scene.office.id}.x&realmId=1`)
    assert.equal(forged.status, 409)
    assert.equal((await scene.office.browser.get('/books/callback?state=nowhere')).status, 404)
  })

  it('pauses and resumes the sync', async () => {
    await scene.office.browser.post(scene.page, { act: 'pause' })
    const { id } = await bill()
    await scene.work()
    assert.equal(await stateOf(id), undefined)
    await scene.office.browser.post(scene.page, { act: 'resume' })
    await scene.work()
    assert.equal((await stateOf(id))?.state, 'sent')
  })

  it('rejects a start without a reviewed dry run, and accounts of the wrong type', async () => {
    await scene.office.browser.post(scene.page, { act: 'disconnect' })
    await scene.connect()
    const early = await scene.office.browser.post(scene.page, { act: 'start', tried: '' })
    assert.equal(early.status, 409)
    const wrong = { income: '2', tax: '1', deposits: '3', undeposited: '4', clearing: '5', bad_debts: '6' }
    assert.equal(
      (await scene.office.browser.post(scene.page, { act: 'accounts', from_day: '2026-01-01', ...wrong })).status,
      422,
    )
  })
})

describe('the accounting sync', () => {
  it('finds existing records after a database restore, and sends nothing twice', async () => {
    await scene.setAccounts()
    await scene.start()
    const { id } = await bill()
    await scene.pay(id, '40')
    await scene.charge(id, -1_500)
    await scene.work()
    const count = () => Object.values<unknown[]>(scene.program.facts()).map((list) => list.length)
    const before = count()
    await scene.run(sql`delete from books_records where tenant_id = ${scene.office.id} and kind <> 'reversal'
      and record in (select i.id from invoices i where i.id = ${id} union select p.id from payments p
        where p.invoice_id = ${id})`)
    await scene.work()
    assert.deepEqual(count(), before)
    assert.equal((await stateOf(id))?.state, 'sent')
  })

  it("fails its run if the program can't be reached, without logging tokens", async () => {
    await bill()
    scene.program.state.around = () => Promise.reject(new Error('away'))
    const lines = await scene.work()
    scene.program.state.around = undefined
    assert.match(lines.join(), /task failed/)
    assert.doesNotMatch(lines.join(), /refresh-|access-/)
  })
})
