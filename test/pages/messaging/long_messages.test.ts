import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { sql, readTenant } from '../../../src/platform/db/tenant.ts'
import { MAILBOXES, addChannel } from '../../../src/messaging/inbox/directory.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { configurableTasks } from '../../../src/worker/configurable_tasks.ts'
import { enrollAll, runDue } from '../../../src/worker/worker.ts'
import type { TestService } from '../../harness/harness.ts'
import { freshId, messagesOf } from '../../harness/messaging/inbound.ts'
import { openOffice, pageTextOf, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, newBrowser } from '../../harness/web_client.ts'
import { WEBHOOK_ENV, providerOf } from '../../harness/clients/webhook_calls.ts'

const ADDRESS = 'jobs@in.example.com'

let service: TestService
let office: Office
let provider: ReturnType<typeof providerOf>
before(async () => {
  service = await startSite(WEBHOOK_ENV)
  provider = providerOf(service)
  office = await openOffice(service, 'Alder Plumbing')
  await addChannel(service.database, MAILBOXES, office.id, ADDRESS)
})
after(() => service.stop())

const MB = 2 ** 20
const mail = async (text: string, more: object = {}): Promise<string> => {
  const messageId = freshId('m')
  const { status } = await provider.email('/api/webhooks/email/inbound', {
    from: 'Ana <ana@example.com>',
    to: ADDRESS,
    messageId,
    text,
    ...more,
  })
  assert.equal(status, 200)
  return (await messagesOf(service.database, office.id)).find(
    ({ provider_message_id }) => provider_message_id === messageId,
  )!.id
}
const filesOf = (
  message: string,
): Promise<{ id: string; file_name: string; content_type: string; size_bytes: number; state: string }[]> =>
  readTenant(service.database, { tenant: office.id }, (db) =>
    db.all(
      sql`select id, file_name, content_type, size_bytes, state from attachments where tenant_id = ${office.id} and communication_id = ${message} order by position`,
    ),
  )
const bytesIn = async (message: string): Promise<number> =>
  (
    await readTenant(service.database, { tenant: office.id }, (db) =>
      db.one<{ n: number }>(
        sql`select octet_length(body) as n from communications where tenant_id = ${office.id} and id = ${message}`,
      ),
    )
  ).n
const textAt = (message: string): string => office.at('messages', message, 'text')

/** Runs the uploads like the worker. */
async function runUploads(): Promise<void> {
  const shop = {
    database: service.database,
    log: pino({ level: 'silent' }),
    clock: () => Temporal.Now.instant().add({ seconds: 5 }),
    stopping: new AbortController().signal,
  }
  const chores = configurableTasks(service.config, service.database)
  await enrollAll(shop, chores)
  await runDue(shop, chores)
}

describe('email with megabytes of text', () => {
  it('shows its first 4,000 characters on Messages, customer and link pages, and keeps pages small', async () => {
    const { id } = await office.customer('Ana', { email: 'ana@example.com' })
    const long = 'word '.repeat(600_000)
    for (let i = 0; i < 14; i++) await mail(`${i} ${long}`)
    const stranger = await mail(long, { from: 'bo@example.com' })
    const { conversation_id } = (await messagesOf(service.database, office.id)).find((one) => one.id === stranger)!
    for (const path of [
      office.at('messages'),
      office.at('customers', id),
      office.at('messages', 'with', id),
      office.at('messages', conversation_id, 'link'),
      office.at(),
    ]) {
      const page = await office.browser.get(path)
      assert.equal(page.status, 200)
      assert.ok(page.text.length < 300_000, `${path} has ${page.text.length} bytes`)
    }
    const { text } = await office.browser.get(office.at('messages', 'with', id))
    const [, first] = /<p class="written">(0 word[^<]*)<\/p>/.exec(text)!
    assert.equal(first, `0 ${long.slice(0, 3_998)}…`)
    assert.equal([...text.matchAll(/\/text">Show more of this message<\/a>/g)].length, 14)
  })

  it('is stored in full as a text file, with its beginning in the message row', async () => {
    const text = 'é'.repeat(MB / 2) + '!'
    const id = await mail(text, {
      attachments: [
        { filename: 'note.txt', content: Buffer.from('a note').toString('base64'), contentType: 'text/plain' },
      ],
    })
    assert.deepEqual(
      (await filesOf(id)).map(({ file_name, content_type, size_bytes }) => [file_name, content_type, size_bytes]),
      [
        ['message.txt', 'text/plain', MB + 1],
        ['note.txt', 'text/plain', 6],
      ],
    )
    assert.equal(await bytesIn(id), 200_000)
    const [file] = await filesOf(id)
    const path = office.at('attachments', file!.id)
    assert.equal((await office.browser.get(path)).text, text)
    await runUploads()
    assert.equal((await filesOf(id))[0]!.state, 'stored')
    const { text: again, headers } = await office.browser.get(path)
    assert.deepEqual(
      [again === text, headers.get('content-type'), headers.get('content-disposition')?.startsWith('attachment;')],
      [true, 'text/plain; charset=utf-8', true],
    )
  })

  it('of exactly 1 MiB stays in its row', async () => {
    const id = await mail('a'.repeat(MB))
    assert.deepEqual([await filesOf(id), await bytesIn(id)], [[], MB])
  })

  it('is stored once when delivered twice', async () => {
    const [messageId, text] = [freshId('m'), 'b'.repeat(MB + 1)]
    for (let i = 0; i < 2; i++)
      await provider.email('/api/webhooks/email/inbound', { from: 'ana@example.com', to: ADDRESS, messageId, text })
    assert.equal(
      (await messagesOf(service.database, office.id)).filter(
        ({ provider_message_id }) => provider_message_id === messageId,
      ).length,
      1,
    )
  })
})

describe('the page of one message', () => {
  it('shows up to 200 kB of text, escaped, with its files', async () => {
    const id = await mail(`<b>bold</b> ${'é'.repeat(150_000)}`, { subject: 'Long & wide' })
    const { text, status } = await office.browser.get(textAt(id))
    assert.equal(status, 200)
    const [, body] = /<p class="written">([^<]*)<\/p>/.exec(text)!
    const shown = `&lt;b&gt;bold&lt;/b&gt; ${'é'.repeat(99_994)}`
    assert.deepEqual(
      [body === shown, /<h1>([^<]*)</.exec(text)![1], text.includes('It is longer than this page shows')],
      [true, 'Long &amp; wide', true],
    )
    const whole = await mail(`start ${'x'.repeat(5_000)} end`)
    const page = pageTextOf(await office.browser.get(textAt(whole)))
    assert.ok(page.includes(`${'x'.repeat(5_000)} end`) && !page.includes('It is longer than this page shows'))
    const megabytes = await mail('y'.repeat(3 * MB))
    assert.match((await office.browser.get(textAt(megabytes))).text, /href="[^"]+\/attachments\/[^"]+">message\.txt/)
  })

  it("isn't linked when the message has at most 4,000 characters and is shown in full", async () => {
    const customer = await office.customer('Uma', { email: 'uma@example.com' })
    const id = await mail('é'.repeat(4_000), { from: 'uma@example.com' })
    const longer = await mail('é'.repeat(4_001), { from: 'uma@example.com' })
    const { text } = await office.browser.get(office.at('messages', 'with', customer.id))
    assert.deepEqual([text.includes(textAt(id)), text.includes(textAt(longer))], [false, true])
  })

  it('returns 404 without access to customers, and to other companies', async () => {
    const id = await mail('z'.repeat(5_000))
    const blind = await office.signInMember('office', { 'Customers & contacts': 'none' })
    const stranger = await openOffice(service, 'North Cleaning')
    assert.equal((await blind.browser.get(textAt(id))).status, 404)
    assert.equal((await stranger.browser.get(textAt(id))).status, 404)
    assert.equal((await stranger.browser.get(textAt(id).replace(office.id, stranger.id))).status, 404)
    assert.equal((await newBrowser(service).get(textAt(id))).status, 303)
    for (const odd of [newId(), '-'.repeat(36)]) assert.equal((await office.browser.get(textAt(odd))).status, 404)
    assert.equal((await office.browser.post(textAt(id), {})).status, 405)
  })
})
