import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import { invalid } from '../../src/platform/errors/refusal.ts'
import { smtpSender } from '../../src/messaging/outbox/senders/smtp.ts'
import { plainLook } from '../../src/messaging/outbox/senders/mail_html.ts'
import type { MailToSend } from '../../src/messaging/outbox/senders/sender.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { certificate, privateKey } from '../harness/identity/client_certificate.ts'
import { startMailServer } from '../harness/messaging/mail_server.ts'
import { openOutboxScene, type OutboxScene } from '../harness/messaging/outbox_scene.ts'

let server: Awaited<ReturnType<typeof startMailServer>>
let office: OutboxScene
before(async () => {
  server = await startMailServer()
  office = await openOutboxScene({ mailServer: server.config }, { attemptTimeoutMs: 1_000 })
})
after(async () => {
  await office.stop()
  await server.stop()
})
beforeEach(async () => {
  server.taken.length = 0
  Object.assign(server.how, { atRecipient: undefined, atEnd: undefined })
  office.shop.setClock('2083-03-01T12:00:00Z')
  await office.write(sql`update outbox set state = 'cancelled' where state = 'queued'`)
})

describe('an email', () => {
  it('is sent from the company with a Message-ID of its own, as text and HTML', async () => {
    const id = await office.queue({
      toName: 'Ana "A." Núñez, Ltd',
      subject: 'Invoice INV-7 — 100 %',
      body: 'Hello <b>Ana</b>,\n\nsee https://callout.test/c/abc.\nThank you.',
      by: newId(),
    })
    await office.run()
    const { from, to, mail, raw } = server.taken[0]!
    assert.deepEqual([from, to], ['office@alder.example', ['ana@example.com']])
    assert.deepEqual(mail.from!.value, [{ name: 'Test company', address: 'office@alder.example' }])
    assert.deepEqual((mail.to as { value: unknown }).value, [
      { name: 'Ana "A." Núñez, Ltd', address: 'ana@example.com' },
    ])
    assert.equal(mail.subject, 'Invoice INV-7 — 100 %')
    assert.equal(mail.text!.trim(), 'Hello <b>Ana</b>,\n\nsee https://callout.test/c/abc.\nThank you.')
    assert.match(mail.html as string, /<p>Hello &lt;b&gt;Ana&lt;\/b&gt;,<\/p>/)
    assert.match(
      mail.html as string,
      /<a href="https:\/\/callout\.test\/c\/abc">https:\/\/callout\.test\/c\/abc<\/a>\./,
    )
    assert.doesNotMatch(raw, /^Auto-Submitted/im)
    const row = await office.row(id)
    assert.equal(mail.messageId, `<${id}@alder.example>`)
    assert.deepEqual([row.state, row.status, row.provider_message_id], ['handed_over', 'sending', mail.messageId])
    assert.match(row.reply!, /^250 .*queued as 4F2A/)
  })

  it('has Auto-Submitted if no person sent it, and threads under the email it answers', async () => {
    const first = await office.queue({ by: newId() })
    await office.run()
    await office.queue({ by: null, cause: 'reminder', inReplyTo: first })
    await office.run()
    const { mail } = server.taken[1]!
    assert.equal(mail.headers.get('auto-submitted'), 'auto-generated')
    assert.deepEqual([mail.inReplyTo, mail.references], [`<${first}@alder.example>`, `<${first}@alder.example>`])
  })

  it('lists the newest 21 ids of its thread in References, oldest first', async () => {
    const ids = [await office.queue({ by: newId(), about: null })]
    await office.run()
    const chain = (): string[] => ids.map((id) => `<${id}@alder.example>`)
    for (let i = 1; i < 25; i++) {
      ids.push(await office.queue({ by: newId(), inReplyTo: ids.at(-1)! }))
      await office.run()
      const { mail } = server.taken.at(-1)!
      assert.equal(mail.inReplyTo, chain().at(-2))
      assert.deepEqual([mail.references].flat(), chain().slice(0, -1).slice(-21))
    }
  })

  it('attaches its documents as rendered at sending time', async () => {
    const attachment = { document: 'invoices', id: newId() } as const
    await office.queue({ attachments: [attachment] })
    const process = await office.shop.process(
      office.chores(office.senders, (_, { id }) =>
        Promise.resolve(() =>
          Promise.resolve({ name: 'INV-é7.pdf', type: 'application/pdf', content: Buffer.from(`%PDF ${id}`) }),
        ),
      ),
    )
    await process.runDue()
    const [file] = server.taken[0]!.mail.attachments
    assert.deepEqual(
      [file!.filename, file!.contentType, file!.content.toString()],
      ['INV-é7.pdf', 'application/pdf', `%PDF ${attachment.id}`],
    )
  })

  it("fails if its document can't be rendered, without blocking others", async () => {
    const id = await office.queue({ attachments: [{ document: 'invoices', id: newId() }] })
    const other = await office.queue({ to: 'ben@example.com' })
    const process = await office.shop.process(office.chores(office.senders, () => Promise.reject(invalid('is gone'))))
    await process.runDue()
    const row = await office.row(id)
    assert.deepEqual([row.state, row.reason, row.error_message], ['failed', 'unreadable', 'is gone'])
    assert.equal((await office.row(other)).state, 'handed_over')
  })
})

describe('a mail server that', () => {
  it('greylists gets retries after 30 s, doubling to one hour, for 24 h', async () => {
    server.how.atRecipient = () => '450 4.2.0 Greylisted, try again later'
    const id = await office.queue()
    await office.run()
    const pauses: number[] = []
    for (let row = await office.row(id); row.state === 'queued'; row = await office.row(id)) {
      assert.match(row.reply!, /Greylisted/)
      assert.equal(row.reason, 'retry')
      const pause = (Date.parse(row.next_at) - office.shop.clock().epochMilliseconds) / 1_000
      pauses.push(pause)
      if (pauses.length < 3) {
        office.shop.pass({ seconds: pause - 1 })
        await office.run()
        assert.equal((await office.row(id)).attempts, pauses.length)
        office.shop.pass({ seconds: 1 })
      } else office.shop.pass({ seconds: pause })
      await office.run()
    }
    assert.deepEqual(pauses.slice(0, 8), [30, 60, 120, 240, 480, 960, 1_920, 3_600])
    const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3_600
    assert.ok(hours > 23 && hours <= 24, String(hours))
    const row = await office.row(id)
    assert.deepEqual([row.state, row.reason, row.status], ['failed', 'gave_up', 'failed'])
    assert.equal(server.taken.length, 0)
  })

  it('accepts a retry gets the email once', async () => {
    let tries = 0
    server.how.atRecipient = () => (tries++ === 0 ? '451 Busy' : undefined)
    const id = await office.queue()
    await office.run()
    office.shop.pass({ seconds: 30 })
    await office.run()
    assert.equal((await office.row(id)).state, 'handed_over')
    assert.equal(server.taken.length, 1)
  })

  it('rejects one of two recipients fails that email at once, with its reply', async () => {
    server.how.atRecipient = (address) => (address === 'gone@example.com' ? '550 5.1.1 No such user' : undefined)
    const [gone, here] = [
      await office.queue({ to: 'gone@example.com' }),
      await office.queue({ to: 'here@example.com' }),
    ]
    await office.run()
    const row = await office.row(gone)
    assert.deepEqual([row.state, row.reason, row.status, row.attempts], ['failed', 'refused', 'failed', 1])
    assert.match(row.error_message!, /No such user/)
    assert.equal((await office.row(here)).state, 'handed_over')
    assert.deepEqual(
      server.taken.map(({ to }) => to[0]),
      ['here@example.com'],
    )
  })

  for (const [said, state] of [
    ['421 4.3.2 Shutting down', 'queued'],
    ['452 Out of space', 'queued'],
    ['554 5.7.1 Looks like spam', 'failed'],
  ] as const)
    it(`answers the message with ${said.slice(0, 3)} leaves it ${state}`, async () => {
      server.how.atEnd = () => said
      const id = await office.queue()
      await office.run()
      assert.equal((await office.row(id)).state, state)
    })

  it('never replies after DATA leaves the email uncertain, without a retry', async () => {
    server.how.atEnd = () => null
    const id = await office.queue()
    await office.run()
    const row = await office.row(id)
    assert.deepEqual([row.state, row.reason, row.status], ['uncertain', 'no_answer', 'queued'])
    office.shop.pass({ hours: 48 })
    await office.run()
    assert.deepEqual([server.taken.length, (await office.row(id)).state], [1, 'uncertain'])
  })

  it('never replies to RCPT TO gets a retry', async () => {
    server.how.atRecipient = () => new Promise(() => {})
    const id = await office.queue()
    await office.run()
    assert.equal((await office.row(id)).state, 'queued')
  })

  it('rejects the password gets a retry, and its reply is stored', async () => {
    const process = await office.shop.process(
      office.chores({
        ...office.senders,
        email: { ...office.senders.email!, send: smtpSender({ ...server.config, password: 'x' }) },
      }),
    )
    const id = await office.queue()
    await process.runDue()
    const row = await office.row(id)
    assert.equal(row.state, 'queued')
    assert.match(row.reply!, /^535/)
  })

  it('is down gets a retry', async () => {
    const gone = await startMailServer()
    await gone.stop()
    const process = await office.shop.process(
      office.chores({ ...office.senders, email: { ...office.senders.email!, send: smtpSender(gone.config) } }),
    )
    const id = await office.queue()
    await process.runDue()
    assert.deepEqual([(await office.row(id)).state, (await office.row(id)).reason], ['queued', 'retry'])
  })
})

describe('SMTP encryption', () => {
  const mail: MailToSend = {
    messageId: '<a@alder.example>',
    from: { name: 'Alder', address: 'office@alder.example' },
    replyTo: null,
    to: { name: null, address: 'ana@example.com' },
    subject: 'Hello',
    text: 'Hello',
    inReplyTo: null,
    references: [],
    look: plainLook('Alder'),
    unsubscribe: null,
    isAutomatic: false,
    files: [],
  }
  const signal = new AbortController().signal

  it('is required before anything is sent: a server without it gets nothing', async () => {
    const end = await smtpSender({ ...server.config, tls: 'required' })(mail, signal)
    assert.equal(end.end, 'later')
    assert.deepEqual(server.taken, [])
  })

  it('uses STARTTLS and verifies the certificate', async () => {
    const secure = await startMailServer({}, { key: privateKey, cert: certificate })
    try {
      const config = { ...secure.config, tls: 'required', host: 'localhost' } as const
      const unknown = await smtpSender(config)(mail, signal)
      assert.equal(unknown.end, 'later')
      assert.match(unknown.reply, /certificate/i)
      const other = await smtpSender(config, { ca: certificate })(mail, signal)
      assert.equal(other.end, 'later')
      assert.match(other.reply, /localhost|altnames/i)
      const { end } = await smtpSender(config, { ca: certificate, servername: 'client.test' })(mail, signal)
      assert.deepEqual([end, secure.taken.length], ['handed_over', 1])
    } finally {
      await secure.stop()
    }
  })
})
