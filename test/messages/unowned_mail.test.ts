import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { sql, readTenant } from '../../src/platform/db/tenant.ts'
import { findSpooledBytes } from '../../src/files/attachment.ts'
import { COMMAND_LINE } from '../../src/identity/people/review_scope.ts'
import { MAILBOXES, addChannel } from '../../src/messaging/inbox/directory.ts'
import {
  assignQuarantined,
  discardManyQuarantined,
  openQuarantined,
  replayQuarantined,
} from '../../src/messaging/inbox/quarantine/quarantine_review.ts'
import { startTestService, type TestService } from '../harness/harness.ts'
import { freshId, makeReceiver, quarantinedUnder, type Receiver } from '../harness/messaging/inbound.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'

const MB = 2 ** 20

let service: TestService
let company: Receiver
let provider: ReturnType<typeof providerOf>
before(async () => {
  service = await startTestService(WEBHOOK_ENV)
  provider = providerOf(service)
  company = await makeReceiver(service)
})
after(() => service.stop())

async function receiveMail(more: object, to = 'nobody@in.example.com', messageId = freshId('m')) {
  const { status } = await provider.email('/api/webhooks/email/inbound', {
    from: 'Ana <Ana@Example.com>',
    to,
    messageId,
    text: 'Hello',
    ...more,
  })
  assert.equal(status, 200)
  const [row] = await quarantinedUnder(service.database, messageId)
  return { messageId, id: String(row?.['id']), raw: row?.['raw'] as Buffer }
}
const pdf = (size: number) => {
  const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(size)])
  return { bytes, sent: { filename: 'plan.pdf', contentType: 'application/pdf', content: bytes.toString('base64') } }
}

describe('email to an unknown address', () => {
  it('is kept up to 2 MiB, with its text and the attachments that fit', async () => {
    const [large, small] = [pdf(9 * MB), pdf(500_000)]
    const { id, raw, messageId } = await receiveMail({
      subject: 'Plans',
      text: 'See below',
      html: 'x'.repeat(5 * MB),
      attachments: [large.sent, small.sent],
    })
    assert.ok(raw.length <= 2 * MB && raw.length > 500_000, `${raw.length} bytes`)
    const shown = await openQuarantined(service.database, COMMAND_LINE, id)
    assert.deepEqual(
      [shown.subject, shown.body, shown.attachments.map(({ file_name, reason }) => [file_name, reason])],
      [
        'Plans',
        'See below',
        [
          ['plan.pdf', 'left_out'],
          ['plan.pdf', null],
        ],
      ],
    )
    await assignQuarantined(service.database, COMMAND_LINE, id, company.tenant)
    const kept = await company.attachments((await company.message(messageId)).id)
    assert.deepEqual(
      kept.map(({ state, reason }) => [state, reason]),
      [
        ['rejected', 'left_out'],
        ['pending', null],
      ],
    )
    assert.ok(
      (await readTenant(service.database, company, (db) => findSpooledBytes(db, kept[1]!.id)))?.equals(small.bytes),
    )
  })

  it('is limited to 2 MiB, whatever its content', async () => {
    const name = '"'.repeat(3_000)
    for (const more of [
      { text: '\u0001'.repeat(6 * MB) },
      { text: 'é'.repeat(4 * MB) },
      { text: '', html: `<p>${'"'.repeat(8 * MB)}</p>` },
      { from: `${name.repeat(300)} <a@example.com>`, subject: name.repeat(500), text: 'x'.repeat(MB) },
      {
        text: 'x',
        attachments: Array.from({ length: 2_000 }, () => ({ filename: name, contentType: name, content: 'YQ==' })),
      },
    ]) {
      const { raw } = await receiveMail(more)
      assert.ok(raw.length <= 2 * MB, `${raw.length} bytes`)
      JSON.parse(raw.toString())
    }
  })

  it("isn't truncated if small, and email to a company never is", async () => {
    const { raw, messageId } = await receiveMail({ attachments: [pdf(MB).sent] })
    assert.equal(JSON.parse(raw.toString()).messageId, messageId)
    assert.ok(raw.length > 1.3 * MB)
    const { messageId: ours } = await receiveMail({ attachments: [pdf(5 * MB).sent] }, company.address)
    assert.equal((await company.attachments((await company.message(ours)).id))[0]!.state, 'pending')
  })

  it('is recognized as the same message when redelivered to its owner', async () => {
    const [address, body] = [
      `${freshId('late')}@in.example.com`.toLowerCase(),
      { text: 'Big', attachments: [pdf(4 * MB).sent] },
    ]
    const { id, messageId } = await receiveMail(body, address)
    await addChannel(service.database, MAILBOXES, company.tenant, address)
    await replayQuarantined(service.database, COMMAND_LINE, id)
    const before = (await quarantinedUnder(service.database, messageId)).length
    await receiveMail(body, address, messageId)
    assert.equal((await quarantinedUnder(service.database, messageId)).length, before)
  })
})

describe('discarding many quarantined messages', () => {
  const waiting = async (ids: readonly string[]): Promise<boolean[]> => {
    const rows = (
      await service.database.send([
        sql`select id from quarantined_messages where id = any(${[...ids]}) and state = 'open'`,
      ])
    )[0]!.rows
    return ids.map((id) => rows.some((row) => row['id'] === id))
  }
  const discard = (given: { sender?: string; domain?: string; days?: string }, scope = COMMAND_LINE) =>
    discardManyQuarantined(service.database, scope, { sender: '', domain: '', days: '', ...given })

  it('matches sender, domain and age together, and writes an audit entry for each call that discards', async () => {
    const mails = await Promise.all(
      ['Spam <Spam@bulk.example>', 'other@bulk.example', 'x@notbulk.example', 'x@sub.bulk.example'].map((from) =>
        receiveMail({ from }),
      ),
    )
    const ids = mails.map(({ id }) => id)
    assert.equal(await discard({ sender: ' SPAM@bulk.example ' }), 1)
    assert.deepEqual(await waiting(ids), [false, true, true, true])
    assert.equal(await discard({ domain: '@Bulk.example', days: '1' }), 0)
    await service.database.send([
      sql`update quarantined_messages set received_at = moment() - interval '3 days' where id = ${ids[1]}`,
    ])
    assert.equal(await discard({ domain: 'bulk.example', days: '4' }), 0)
    assert.equal(await discard({ domain: 'bulk.example', days: '2' }), 1)
    assert.deepEqual(await waiting(ids), [false, false, true, true])
    const rows = (
      await service.database.send([
        sql`select user_id, changed from reviews where act = 'quarantine.discard_many' order by id`,
      ])
    )[0]!.rows
    assert.deepEqual(rows[0], { user_id: null, changed: { sender: 'spam@bulk.example', messages: 1 } })
    assert.equal(rows.length, 2)
    const gone = (await service.database.send([sql`select raw from quarantined_messages where id = ${ids[0]}`]))[0]!
      .rows
    assert.deepEqual(gone, [{ raw: null }])
  })

  it('requires a valid filter and stays within the review scope', async () => {
    const { id } = await receiveMail({ from: 'desk@bulk.example' })
    for (const odd of [{}, { days: 'x' }, { days: '-1' }, { days: '1e3' }])
      await assert.rejects(discard(odd), /days must|to select messages/)
    assert.equal(
      await discard({ domain: 'bulk.example' }, { by: { user: company.owner.id }, tenant: company.tenant }),
      0,
    )
    assert.deepEqual(await waiting([id]), [true])
  })
})
