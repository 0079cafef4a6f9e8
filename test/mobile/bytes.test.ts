import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { findUser } from '../../src/identity/people/users.ts'
import { emailOf } from '../../src/cli/demo/people.ts'
import { makeDemo } from '../../src/cli/installation/demo_company.ts'
import { writeTenant } from '../../src/platform/db/tenant.ts'
import { addTemplate } from '../../src/mobile/checklists/template.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { openOffice } from '../harness/identity/people_pages.ts'
import { ZONE, fieldEvent, phoneOf, today, type Phone } from '../harness/messaging/phones.ts'
import { givePassword, startSite, newBrowser } from '../harness/web_client.ts'

const MOST = 200_000

/** Number of times to repeat each event on each visit of a day. */
const ACTS = 3

let service: TestService
let serial = 0

/** Random words, so that they compress no better than real text. */
const words = (count: number): string =>
  Array.from({ length: count }, () => `${(serial += 7919).toString(36)}${'aeiou'[serial % 5]}n`).join(' ')

/** Sends a request as a browser does. Returns the number of bytes received, with headers, and the content. */
async function weigh({ browser }: Phone, path: string, { etag, body }: { etag?: string; body?: object } = {}) {
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    host: new URL(service.config.baseUrl).host,
    cookie: [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; '),
    origin: service.config.baseUrl,
    accept: 'application/json',
    'sec-fetch-site': 'same-origin',
    'accept-encoding': 'gzip, deflate, br',
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(sent !== undefined && { 'content-type': 'application/json' }),
  }
  const method = sent === undefined ? 'GET' : 'POST'
  const asked = request(new URL(path, service.origin), { method, headers }).end(sent)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const bytes = await buffer(answer)
  return {
    status: answer.statusCode!,
    etag: answer.headers.etag ?? '',
    bytes: bytes.length + answer.rawHeaders.join().length + (sent?.length ?? 0) + path.length,
    said: bytes.length === 0 ? {} : (JSON.parse(decompressBody(bytes, answer).toString()) as Result),
  }
}

function decompressBody(bytes: Buffer, { headers }: IncomingMessage): Buffer {
  const packing = headers['content-encoding']
  return packing === 'br' ? brotliDecompressSync(bytes) : packing === 'gzip' ? gunzipSync(bytes) : bytes
}

/** Returns the request path for what a phone does not have yet. */
const lacking = ({ catalog_version, visits }: Result, path: string): string =>
  `${path}?has=${[catalog_version, ...(visits as Result[]).map(({ version }) => version)].join('.')}`

/** Creates a company whose technician has twelve visits with many details each. */
async function openHeavy(): Promise<Phone> {
  const office = await openOffice(service, 'Alder Plumbing', ZONE)
  const { user_id, browser } = await office.signInMember('tech')
  const { id: tenant, owner } = office
  const checks = (): { text: string; kind: 'check'; is_required: boolean }[] =>
    Array.from({ length: 8 }, () => ({ text: words(6), kind: 'check', is_required: false }))
  await writeTenant(service.database, { tenant }, async (db) => {
    for (let list = 0; list < 10; list++)
      await addTemplate(
        db,
        { name: `List ${list}`, applies: 'every', words: '', items: checks() },
        { user: owner.user_id },
      )
  })
  const items = await Promise.all(
    Array.from({ length: 30 }, () =>
      office.call('catalog_items_create', { kind: 'product', name: words(5), unit_price_cents: 900 }),
    ),
  )
  await Promise.all(
    Array.from({ length: 12 }, async (_, at) => {
      const { id: customer_id } = await office.customer(words(1), {
        last_name: words(1),
        phone: `(512) 555-01${at + 10}`,
        locations: [{ address_line1: `${at} Elm St`, city: 'Austin', access_notes: words(10) }],
      })
      const book = (more: object): Promise<Result> =>
        office.call('jobs_create', { customer_id, title: words(4), assignees: [user_id], ...more })
      for (let before = 0; before < 5; before++) {
        const { id } = await book({ scheduled_start: '2026-05-01T09:00' })
        await office.call('jobs_update', { id, status: 'done' })
        await office.call('notes_create', { body: words(60), subject_type: 'job', subject_id: id })
      }
      await book({
        description: words(60),
        instructions: words(30),
        scheduled_start: `${today()}T${10 + (at % 10)}:00`,
        line_items: items.slice(at, at + 8).map(({ id }) => ({ catalog_item_id: id, quantity: 2 })),
      })
    }),
  )
  return phoneOf(service, office, user_id, browser)
}

/**
 * Works through a day as the page does: sends each event and requests the day. Returns the bytes, and the final day.
 */
async function workedThrough(phone: Phone, first: Result) {
  let [bytes, day] = [0, first]
  for (const visit of first['visits'] as Result[])
    for (let done = 0; done < ACTS; done++) {
      const acts = [fieldEvent('note', visit, { body: words(4) })]
      const body = { user_id: phone.user, sent_at: Temporal.Now.instant().toString(), acts }
      bytes += (await weigh(phone, phone.at('acts'), { body })).bytes
      const { said, bytes: asked } = await weigh(phone, lacking(day, phone.at('day.json')), {
        etag: `"${day['version']}"`,
      })
      bytes += asked
      day = mergeAnswer(day, said)
    }
  return { bytes, day }
}

/** Merges an answer into the phone's stored day. */
const mergeAnswer = (had: Result, sent: Result): Result => ({
  ...sent,
  catalog: sent['catalog'] ?? had['catalog'],
  templates: sent['templates'] ?? had['templates'],
  visits: (sent['visits'] as Result[]).map((visit) =>
    visit['title'] === undefined ? had['visits'].find(({ version }: Result) => version === visit['version']) : visit,
  ),
})

describe("the download size of a phone's day", () => {
  before(async () => {
    service = await startSite()
  })
  after(() => service.stop())

  it('is under 10 kB for the demo company, and under 1 kB when nothing changed', async () => {
    const demo = await makeDemo(service.database, service.config)
    const { id } = await findUser(service.database, emailOf('luis', 1))
    await givePassword(service.database, demo.tenant.id, id)
    const browser = newBrowser(service)
    await browser.signIn(emailOf('luis', 1))
    const luis = phoneOf(service, demo.tenant, id, browser)
    const { bytes, etag } = await weigh(luis, luis.at('day.json'))
    assert.ok(bytes < 10_000, `${bytes} bytes`)
    const again = await weigh(luis, luis.at('day.json'), { etag })
    assert.deepEqual([again.status, again.bytes < 1_000], [304, true])
  })

  it('is under 200 kB for twelve visits with ten checklists, and under a third of that per event', async (t) => {
    const luis = await openHeavy()
    const { said, bytes } = await weigh(luis, luis.at('day.json'))
    assert.deepEqual(
      (said['visits'] as Result[]).map(({ before, checklist, bring }) => [
        before.length,
        checklist.length,
        bring.length,
      ]),
      Array.from({ length: 12 }, () => [3, 80, 8]),
    )
    const worked = await workedThrough(luis, said)
    const each = Math.round(worked.bytes / (12 * ACTS))
    t.diagnostic(`${bytes} bytes, ${each} for an act and what is asked after it`)
    assert.ok(bytes < MOST && each < bytes / 3, `${bytes} bytes first, ${each} for each act`)
    const { now: _, ...whole } = await luis.day()
    assert.deepEqual({ ...worked.day, now: undefined }, { ...whole, now: undefined })
  })

  it('covers all visits when the phone sends an unknown or oversized has parameter', async () => {
    const office = await openOffice(service, 'Birch Heating', ZONE)
    const { user_id, browser } = await office.signInMember('tech')
    const { id: customer_id } = await office.customer('Ann')
    await office.call('jobs_create', {
      customer_id,
      title: 'Leak',
      scheduled_start: `${today()}T09:00`,
      assignees: [user_id],
    })
    const luis = phoneOf(service, office, user_id, browser)
    const whole = await luis.day()
    assert.equal((whole['visits'] as Result[]).length, 1)
    for (const has of ['', 'nothing', `${whole['catalog_version']}.`.repeat(80), '%00'])
      assert.equal(
        JSON.stringify((await luis.ask(`day.json?has=${has}`)).body['visits']),
        JSON.stringify(whole['visits']),
      )
  })
})
