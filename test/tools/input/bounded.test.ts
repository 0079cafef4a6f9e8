import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { formAt, openOffice, pageTextOf, sendForm, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, newBrowser, type BrowserResponse } from '../../harness/web_client.ts'
import type { TestService } from '../../harness/harness.ts'

let service: TestService
let office: Office
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Ash Plumbing')
})
after(() => service.stop())

/** Combining marks in descending order, the worst case (quadratic) for normalization. */
const crowd = (length: number): string => `a${'\u0315\u0300'.repeat(length / 2)}`
const many = (count: number, name: (i: number) => string = (i) => `f${i}`): [string, string][] =>
  Array.from({ length: count }, (_, i) => [name(i), ''])
const rows = (count: number): [string, string][] =>
  Array.from({ length: count }, (_, i): [string, string][] => [
    [`line_items.${i}.name`, `Line ${i}`],
    [`line_items.${i}.price`, '1'],
  ]).flat()

/** Returns the CPU time of this process, which includes the service, in milliseconds. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

describe('a text argument', () => {
  it('is refused for its length or its combining marks without costly normalization', async () => {
    const refusal = async (tool: string, given: object): Promise<string> => (await office.send(tool, given)).text
    const marks = 'must not have more than 30 combining marks in a row'
    assert.match(await refusal('tags_create', { name: crowd(40) }), new RegExp(`^invalid_input: name ${marks}`))
    assert.match(
      await refusal('customers_create', { customer_type: 'individual', first_name: crowd(60) }),
      new RegExp(`^invalid_input: first_name ${marks}`),
    )
    assert.match(await refusal('customers_search', { query: crowd(60) }), new RegExp(`^invalid_input: query ${marks}`))
    const long = crowd(100_000)
    for (const [tool, given] of [
      ['tags_create', { name: long }],
      ['customers_search', { query: long }],
      ['notes_create', { body: long }],
    ] as const) {
      let text = ''
      const cost = await costOf(async () => {
        text = await refusal(tool, given)
      })
      assert.match(text, /^invalid_input: (name|query|body) must be at most \d+ characters/)
      assert.ok(cost < 1_000, `${tool}: ${cost} ms`)
    }
  })

  it('accepts 30 combining marks in a row', async () => {
    const name = crowd(30)
    assert.equal((await office.call('tags_create', { name }))['name'], name.normalize('NFC'))
  })
})

describe('tool call arguments', () => {
  const fields = (count: number): object => Object.fromEntries(many(count))
  const customer = (more: object): object => ({ customer_type: 'individual', first_name: 'Ana', ...more })

  it('are refused by item count before their items are validated', async () => {
    assert.equal(
      (await office.send('customers_create', customer({ fields: fields(20_000) }))).text,
      'invalid_input: fields must have at most 50 keys (got 20000)',
    )
    assert.equal(
      (await office.send('customers_create', customer({ fields: fields(51) }))).text,
      'invalid_input: fields must have at most 50 keys (got 51)',
    )
    assert.equal(
      (await office.send('customers_create', customer({ contacts: Array.from({ length: 5_000 }, () => ({})) }))).text,
      'invalid_input: contacts must have at most 20 (got 5000 items)',
    )
    assert.match(
      (
        await office.send('jobs_create', {
          customer_id: 1,
          title: 'x',
          line_items: Array.from({ length: 201 }, () => ({})),
        })
      ).text,
      /^invalid_input: line_items must have at most 200 \(got 201 items\)$/,
    )
  })

  it("can be as large as the tool's fields allow, and 256 kB for a small tool", async () => {
    assert.match(
      (await office.send('tags_create', { name: 'x'.repeat(300_000) })).text,
      /^invalid_input: a call to tags_create can have at most 262144 bytes of JSON \(got 300\d\d\d\); send less at a time$/,
    )
    const ana = await office.customer('Ana')
    const line_items = Array.from({ length: 200 }, (_, i) => ({
      name: '名'.repeat(190) + i,
      description: '説'.repeat(2_000),
      quantity: 1,
      unit_price_cents: 100,
    }))
    assert.ok(Buffer.byteLength(JSON.stringify(line_items)) > 1_300_000)
    assert.equal(
      (await office.call('quotes_create', { customer_id: ana['id'], title: 'Full', line_items }))['line_items'].length,
      200,
    )
  })
})

describe('a web form', () => {
  const assertRefused = (seen: BrowserResponse, words: string): void => {
    assert.equal(seen.status, 413)
    assert.ok(pageTextOf(seen).includes('Too much data') && pageTextOf(seen).includes(words), pageTextOf(seen))
  }

  it('is refused with 413 above 3,000 fields, signed in or not', async () => {
    assertRefused(await sendForm(office.browser, office.at('tags', 'new'), many(3_001)), '3000 fields')
    assertRefused(await sendForm(newBrowser(service), office.at('tags', 'new'), many(3_001)), '3000 fields')
    assert.equal(
      (await sendForm(office.browser, office.at('tags', 'new'), [...many(2_999), ['name', 'Many fields']])).status,
      303,
    )
  })

  it('is refused with 413 at 301 rows, and redisplayed with all input at 201 lines', async () => {
    const ana = await office.customer('Ana')
    const page = office.at('jobs', 'new')
    const job: [string, string][] = [
      ['customer_id', String(ana['id'])],
      ['title', 'Rows'],
    ]
    assertRefused(await sendForm(office.browser, page, [...job, ...rows(301)]), '200 lines')
    const tooMany = await sendForm(office.browser, page, [...job, ...rows(201)])
    assert.equal(tooMany.status, 422)
    assert.equal(formAt(tooMany, page).find(([name]) => name === 'line_items.200.name')?.[1], 'Line 200')
    assert.equal((await sendForm(office.browser, page, [...job, ...rows(200)])).status, 303)
  })

  it('is refused with 413 above the file limit of an upload', async () => {
    const ana = await office.customer('Ana')
    const job = await office.call('jobs_create', { customer_id: ana['id'], title: 'Parts' })
    const page = office.at('jobs', String(job['id']), 'media')
    const body = `${'--abcabcabcabc\r\nContent-Disposition: form-data; name="f"\r\n\r\n\r\n'.repeat(3_500)}--abcabcabcabc--\r\n`
    assertRefused(
      await office.browser.send(page, {
        method: 'POST',
        body,
        headers: { 'content-type': 'multipart/form-data; boundary=abcabcabcabc', 'sec-fetch-site': 'same-origin' },
      }),
      '50 files',
    )
  })

  it('accepts at most 50 custom fields and parses 100,000 blanks within two seconds', async () => {
    const page = office.at('customers', 'new')
    const sendFields = (fields: string): Promise<BrowserResponse> =>
      sendForm(office.browser, page, [
        ['customer_type', 'individual'],
        ['first_name', 'Ana'],
        ['fields', fields],
      ])
    assert.ok(pageTextOf(await sendFields('a: 1\n'.repeat(51))).includes('Keep at most 50 custom fields.'))
    const cost = await costOf(async () => assert.equal((await sendFields(`${' '.repeat(100_000)}a`)).status, 422))
    assert.ok(cost < 2_000, `${cost} ms`)
  })
})

describe('the sign-in, join and sign-out forms', () => {
  it('are refused with 413 above their limits, and with 422 for wrong credentials', async () => {
    const away = newBrowser(service)
    for (const typed of [
      { email: crowd(6_000), password: 'x' },
      { email: 'a@example.com', password: 'x'.repeat(5_000) },
      { email: 'a@example.com', typed: '"'.repeat(5_000) },
    ]) {
      assert.equal((await away.post('/sign-in', typed as Record<string, string>)).status, 413)
    }
    assert.equal((await sendForm(away, '/sign-in', many(100_000))).status, 413)
    assert.equal((await away.post('/sign-in', { email: crowd(200), password: 'not the password' })).status, 422)
    assert.equal((await away.post('/sign-in', { email: office.owner.email, password: crowd(100) })).status, 422)
    assert.equal((await away.post('/join', { invitation: 'x', name: 'x'.repeat(60_000) })).status, 413)
    assert.equal((await away.post('/sign-out', { to: 'x'.repeat(5_000) })).status, 413)
  })

  it('keep a saved form through sign-in with little overhead', async () => {
    const quotes = '"'.repeat(200_000)
    const away = newBrowser(service)
    const body = `name=${quotes}`
    const kept = await away.send(office.at('tags', 'new'), {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    })
    assert.equal(kept.status, 401)
    assert.ok(kept.text.length < 1.4 * body.length + 5_000, String(kept.text.length))
    const back = await away.post('/sign-in', {
      ...Object.fromEntries(formAt(kept, '/sign-in')),
      email: office.owner.email,
      password: 'correct horse battery',
    })
    assert.equal(new Map(formAt(back, office.at('tags', 'new'))).get('name'), quotes)
  })
})
