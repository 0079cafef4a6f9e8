import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { sql, withOptions, type Database } from '../../src/platform/db/database.ts'
import { readTenant } from '../../src/platform/db/tenant.ts'
import { findSpooledBytes } from '../../src/files/attachment.ts'
import { parseEmail, receiveEmail } from '../../src/messaging/inbox/inbound/inbound_email.ts'
import { startTestService, type TestService } from '../harness/harness.ts'
import { freshId, makeReceiver, quarantinedUnder, type Receiver } from '../harness/messaging/inbound.ts'
import { WEBHOOK_ENV, emailHeaders, post } from '../harness/clients/webhook_calls.ts'

const MB = 2 ** 20
/** Limit for tests that would hang. Their duration depends on the machine. */
const ENDLESS = { timeout: 900_000 }

let service: TestService
let company: Receiver
/** Database with long timeouts, because megabytes take long on a busy machine. */
let patient: Database
before(async () => {
  service = await startTestService(WEBHOOK_ENV)
  patient = withOptions(service.database, { patient: true })
  company = await makeReceiver(service)
})
after(() => service.stop())

const pdf = (size: number): Buffer => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(size)])
const bodyOf = (id: string, files: readonly Buffer[], more: object = {}): string =>
  JSON.stringify({
    from: 'Ana <ana@example.com>',
    to: company.address,
    messageId: id,
    subject: 'Plans',
    text: 'See the files.',
    attachments: files.map((file, i) => ({
      filename: `${i}.pdf`,
      content: file.toString('base64'),
      contentType: 'application/pdf',
    })),
    ...more,
  })
const send = (body: string, from: string) =>
  post(`${service.origin}/api/webhooks/email/inbound`, body, {
    'content-type': 'application/json',
    'x-forwarded-for': from,
    ...emailHeaders(body),
  })
const pieces = async (): Promise<number> =>
  await readTenant(
    service.database,
    company,
    async (db) => (await db.all(sql`select from incoming_pieces where tenant_id = ${company.tenant}`)).length,
  )

/** Returns the database, with a record of the largest round trip in bytes. */
function measureRoundTrips(database: Database) {
  const most = { bytes: 0, trips: 0 }
  const weighing =
    (send: Database['send']): Database['send'] =>
    (statements) => {
      most.trips++
      most.bytes = Math.max(
        most.bytes,
        statements
          .flatMap(({ values }) => values)
          .reduce<number>((sum, value) => sum + (Buffer.isBuffer(value) ? value.length : String(value).length), 0),
      )
      return send(statements)
    }
  const hold: Database['hold'] = (use, options) => database.hold((send) => use(weighing(send)), options)
  return { most, database: { ...database, hold, send: weighing(database.send) } satisfies Database }
}

describe('a large inbound email', () => {
  it('is written in round trips under 2.5 MB and stored completely', async () => {
    const [id, files, html] = [freshId('m'), [pdf(9 * MB), pdf(9 * MB), pdf(40_000)], `<p>é${'a'.repeat(5 * MB)}</p>`]
    const body = Buffer.from(bodyOf(id, files, { html }))
    const { most, database } = measureRoundTrips(patient)
    await receiveEmail(database, (await parseEmail(body))!, body)
    assert.ok(most.bytes < 2.5 * MB, `a round trip carried ${most.bytes} bytes`)
    const message = await company.message(id)
    assert.equal(message.html === html, true)
    const kept = await company.attachments(message.id)
    const bytes = await Promise.all(
      kept.map(({ id }) => readTenant(patient, company, (db) => findSpooledBytes(db, id))),
    )
    assert.deepEqual(
      bytes.map((one, i) => one?.equals(files[i]!)),
      [true, true, true],
    )
    assert.equal(await pieces(), 0)
  })

  it('with a known id and other content is quarantined the same way', async () => {
    const id = freshId('m')
    assert.equal((await send(bodyOf(id, []), '203.0.113.1')).status, 200)
    const body = Buffer.from(bodyOf(id, [pdf(6 * MB)]))
    const { most, database } = measureRoundTrips(patient)
    await receiveEmail(database, (await parseEmail(body))!, body)
    assert.ok(most.bytes < 2.5 * MB, `a round trip carried ${most.bytes} bytes`)
    const [held] = await quarantinedUnder(service.database, id)
    assert.deepEqual(
      [held!['reason'], (held!['raw'] as Buffer).equals(body), await pieces()],
      ['other_content', true, 0],
    )
  })

  it('is accepted or refused with 503, and finally accepted, when many arrive concurrently', ENDLESS, async () => {
    const mails = Array.from({ length: 12 }, (_, i) => ({ id: freshId('m'), from: `203.0.113.${i % 6}` })).map(
      ({ id, from }) => ({ id, from, body: bodyOf(id, [pdf(3 * MB), pdf(2 * MB)]) }),
    )
    const statuses = new Set<number>()
    for (let left = mails; left.length > 0;) {
      const answers = await Promise.all(
        left.map(async (mail) => ({ mail, status: (await send(mail.body, mail.from)).status })),
      )
      answers.forEach(({ status }) => statuses.add(status))
      left = answers.filter(({ status }) => status !== 200).map(({ mail }) => mail)
    }
    assert.deepEqual(
      [...statuses].sort().filter((status) => status !== 503),
      [200],
    )
    const stored = await company.messages()
    assert.deepEqual(
      mails.map(({ id }) => stored.find((one) => one.provider_message_id === id)?.subject),
      mails.map(() => 'Plans'),
    )
  })
})
