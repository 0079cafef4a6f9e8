import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { pino } from 'pino'
import { isPublic } from '../../src/identity/public_addresses.ts'
import type { Network } from '../../src/identity/public_request.ts'
import { ConfigError, readConfig } from '../../src/platform/config/config.ts'
import { readTenant, sql } from '../../src/platform/db/tenant.ts'
import { NUMBERS, addChannel } from '../../src/messaging/inbox/directory.ts'
import { configurableTasks } from '../../src/worker/configurable_tasks.ts'
import { enrollAll, runDue } from '../../src/worker/worker.ts'
import { certificate, privateKey } from '../harness/identity/client_certificate.ts'
import { FILES } from '../harness/files/files.ts'
import type { TestService } from '../harness/harness.ts'
import { freshId, messagesOf } from '../harness/messaging/inbound.ts'
import { conversationsOf, openOffice, pageTextOf, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'

const NUMBER = '+16175550100'
const MB = 2 ** 20
const PNG = FILES['image/png']!

type Answer = (req: IncomingMessage, res: ServerResponse) => unknown

let service: TestService
let office: Office
let provider: ReturnType<typeof providerOf>
let answer: Answer
let asked: [host: string, path: string, authorization: string | undefined][]
let port: number
const server = createServer({ cert: certificate, key: privateKey }, (req, res) => {
  asked.push([req.headers.host!.split(':')[0]!, req.url!, req.headers.authorization])
  answer(req, res)
})
before(async () => {
  service = await startSite(WEBHOOK_ENV)
  provider = providerOf(service)
  office = await openOffice(service, 'Alder Plumbing')
  await addChannel(service.database, NUMBERS, office.id, NUMBER)
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  port = (server.address() as AddressInfo).port
})
after(async () => {
  server.closeAllConnections()
  server.close()
  await service.stop()
})
beforeEach(() => {
  asked = []
  answer = picture
})

const picture: Answer = (_req, res) => res.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
const at = (path: string, host = 'client.test'): string => `https://${host}:${port}${path}`

/** Receives an SMS with one picture and returns the message id. */
async function text(url: string, type = 'image/png'): Promise<string> {
  const MessageSid = freshId()
  const given = {
    MessageSid,
    From: '+16175550301',
    To: NUMBER,
    Body: 'Look',
    NumMedia: '1',
    MediaUrl0: url,
    MediaContentType0: type,
  }
  assert.equal((await provider.sms('/api/webhooks/sms/inbound-sms', given)).status, 200)
  return (await messagesOf(service.database, office.id)).find(
    ({ provider_message_id }) => provider_message_id === MessageSid,
  )!.id
}

type File = { id: string; state: string; reason: string | null; size_bytes: number | null }
const fileOf = (message: string): Promise<File> =>
  readTenant(service.database, { tenant: office.id }, (db) =>
    db.one<File>(
      sql`select id, state, reason, size_bytes from attachments where tenant_id = ${office.id} and communication_id = ${message}`,
    ),
  )

const nearby: Network = {
  resolve: async () => ['127.0.0.1'],
  isAllowed: (address) => address === '127.0.0.1',
  ca: certificate,
}

/** Runs the attachment tasks some minutes later, with or without an SMS account. */
async function runTasks({ minutes = 1, network = nearby, account = true } = {}): Promise<void> {
  const shop = {
    database: service.database,
    log: pino({ level: 'silent' }),
    clock: () => Temporal.Now.instant().add({ minutes }),
    stopping: new AbortController().signal,
  }
  const smsAccount = account ? { id: 'AC1', token: 'secret', apiUrl: at('') } : null
  const chores = configurableTasks({ ...service.config, smsAccount }, service.database, { network }).filter(
    ({ name }) => name.startsWith('attachment'),
  )
  await enrollAll(shop, chores)
  await runDue(shop, chores)
}

describe('fetching a picture of an SMS', () => {
  it("uses the account's token, and stores the picture for members to open", async () => {
    const message = await text(at('/Media/ME1'))
    await runTasks()
    assert.deepEqual(asked, [['client.test', '/Media/ME1', `Basic ${Buffer.from('AC1:secret').toString('base64')}`]])
    const { id, state, size_bytes } = await fileOf(message)
    assert.deepEqual([state, size_bytes], ['stored', PNG.length])
    const page = await conversationsOf(office.browser, office.at('messages'))
    assert.ok(pageTextOf(page).includes('picture 1.png') && !pageTextOf(page).includes('not fetched'))
    assert.equal((await office.browser.get(office.at('attachments', id))).status, 200)
    await runTasks({ minutes: 2 })
    assert.equal(asked.length, 1)
  })

  it('follows redirects to other hosts without sending them the token', async () => {
    answer = (req, res) =>
      req.headers.host!.startsWith('client')
        ? res.writeHead(307, { location: at('/cdn/1', 'other.test') }).end()
        : picture(req, res)
    const message = await text(at('/Media/ME2'))
    await runTasks()
    assert.equal((await fileOf(message)).state, 'stored')
    assert.deepEqual(asked.at(-1), ['other.test', '/cdn/1', undefined])
  })

  it("sends no token to a host other than the provider's", async () => {
    const message = await text(at('/Media/ME3', 'other.test'))
    await runTasks()
    assert.deepEqual([asked[0]![2], (await fileOf(message)).state], [undefined, 'stored'])
  })

  it('rejects a wrong type, too many bytes and a missing file', async () => {
    const cases: [Answer, string, string][] = [
      [(_req, res) => res.end('<html>'), 'image/png', 'type_mismatch'],
      [(_req, res) => res.writeHead(200, { 'content-length': 10 * MB + 1 }).write(PNG), 'image/png', 'too_large'],
      [
        (_req, res) => {
          for (let i = 0; i < 11; i++) res.write(Buffer.alloc(MB))
          res.end()
        },
        'image/png',
        'too_large',
      ],
      [picture, 'application/x-msdownload', 'type_not_allowed'],
      [(_req, res) => res.writeHead(404).end(), 'image/png', 'gone'],
      [(_req, res) => res.writeHead(410).end(), 'image/png', 'gone'],
    ]
    for (const [given, type, reason] of cases) {
      answer = given
      const message = await text(at('/Media/ME4'), type)
      await runTasks()
      assert.deepEqual([(await fileOf(message)).state, (await fileOf(message)).reason], ['rejected', reason])
    }
    assert.ok(
      pageTextOf(await conversationsOf(office.browser, office.at('messages'))).includes('no longer with the provider'),
    )
  })

  it('retries a failed download later, without blocking others', async () => {
    const wrong: Answer[] = [
      (_req, res) => res.writeHead(500).end(),
      (_req, res) => res.writeHead(401).end(),
      (_req, res) => res.writeHead(302, { location: 'http://client.test/plain' }).end(),
      (_req, res) => res.writeHead(302).end(),
      (_req, res) => res.writeHead(302, { location: at('/again') }).end(),
      (_req, res) => res.destroy(),
    ]
    const messages: string[] = []
    for (const [i] of wrong.entries()) messages.push(await text(at(`/wrong/${i}`)))
    const good = await text(at('/good'))
    answer = (req, res) =>
      (wrong[Number(/^\/wrong\/(\d)/.exec(req.url!)?.[1] ?? (req.url === '/again' ? 4 : NaN))] ?? picture)(req, res)
    await runTasks()
    for (const message of messages) assert.equal((await fileOf(message)).state, 'elsewhere', message)
    assert.equal((await fileOf(good)).state, 'stored')
    answer = picture
    await runTasks({ minutes: 30 * 60 })
    for (const message of messages) assert.equal((await fileOf(message)).state, 'stored', message)
  })

  it('never connects to a private address', async () => {
    const message = await text(at('/Media/ME5'))
    for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1']) {
      await runTasks({ minutes: 30 * 60, network: { ...nearby, resolve: async () => [address], isAllowed: isPublic } })
    }
    assert.deepEqual([asked, (await fileOf(message)).state], [[], 'elsewhere'])
    await runTasks({ minutes: 60 * 60 })
    assert.equal((await fileOf(message)).state, 'stored')
  })

  it('is skipped if no SMS account is configured', async () => {
    const message = await text(at('/Media/ME6'))
    await runTasks({ account: false })
    assert.deepEqual([asked, (await fileOf(message)).state], [[], 'elsewhere'])
    assert.ok(
      pageTextOf(await conversationsOf(office.browser, office.at('messages'))).includes('1 picture, not fetched'),
    )
  })
})

describe('the SMS account configuration', () => {
  it('requires a SID and a token together', () => {
    assert.equal(readConfig({}).smsAccount, null)
    assert.deepEqual(readConfig({ SMS_ACCOUNT_SID: 'AC1', SMS_AUTH_TOKEN: 't' }).smsAccount, {
      id: 'AC1',
      token: 't',
      apiUrl: 'https://api.twilio.com',
    })
    for (const half of [{ SMS_ACCOUNT_SID: 'AC1' }, { SMS_AUTH_TOKEN: 't' }])
      assert.throws(() => readConfig(half), ConfigError)
  })
})
