import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { FILES, makeAttachment } from '../harness/files/files.ts'
import type { TestService } from '../harness/harness.ts'
import { asOwner, quarantinedUnder, type Receiver } from '../harness/messaging/inbound.ts'
import { EMAIL_SECRET, emailHeaders } from '../harness/clients/webhook_calls.ts'
import { PATH, freshMail, openInboundScene, type InboundScene } from './inbound_scene.ts'

let service: TestService
let company: Receiver
let provider: InboundScene['provider']
let mail: InboundScene['mail']
before(async () => {
  ;({ service, company, provider, mail } = await openInboundScene())
})
after(() => service.stop())

describe('a redelivered inbound email', () => {
  it('is accepted and not stored twice, nor are its attachments', async () => {
    const attachments = [makeAttachment('a.pdf', 'application/pdf', FILES['application/pdf']!)]
    const id = await mail({ attachments })
    for (let i = 0; i < 2; i++) await mail({ attachments, dmarc: 'none' }, id)
    assert.equal((await company.messages()).filter(({ provider_message_id }) => provider_message_id === id).length, 1)
    assert.equal((await company.attachments((await company.message(id)).id)).length, 1)
    assert.deepEqual(await quarantinedUnder(service.database, id), [])
  })

  it('goes to quarantine if any content differs, and the first one stays', async () => {
    const id = await mail()
    for (const given of [
      { text: 'Pay here.' },
      { subject: 'Other' },
      { from: 'eve@example.com' },
      { html: '<p>x</p>' },
      { inReplyTo: '<x@y>' },
      { attachments: [makeAttachment('a.txt', 'text/plain', Buffer.from('a'))] },
    ])
      await mail(given, id)
    assert.deepEqual(
      await quarantinedUnder(service.database, id).then((rows) =>
        rows.map(({ reason, tenant_id }) => [reason, tenant_id]),
      ),
      Array.from({ length: 6 }, () => ['other_content', company.tenant]),
    )
    assert.equal((await company.message(id)).body, 'It leaks.')
  })
})

describe('an invalid inbound email', () => {
  it('returns accepted false and stores nothing', async () => {
    const whole = { from: 'a@b.example', to: company.address, messageId: freshMail(), text: 'x' }
    const before = (await company.messages()).length
    const cases = [
      {},
      [],
      'text',
      'null',
      '1',
      '{',
      '',
      JSON.stringify([whole]),
      { ...whole, from: undefined },
      { ...whole, from: 1 },
      { ...whole, to: undefined },
      { ...whole, to: {} },
      { ...whole, to: [1] },
      { ...whole, messageId: undefined },
      { ...whole, messageId: ' ' },
      { ...whole, messageId: 5 },
      { ...whole, messageId: 'x'.repeat(999) },
      { ...whole, text: 1 },
      { ...whole, html: [] },
      { ...whole, dmarc: true },
      { ...whole, attachments: {} },
      { ...whole, attachments: [{}] },
      { ...whole, attachments: [null] },
      { ...whole, attachments: [{ filename: 1, contentType: 'text/plain', content: '' }] },
      { ...whole, attachments: [{ filename: 'a', contentType: 'text/plain', content: 1 }] },
      `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    ]
    for (const body of cases) {
      const { status, text } = await provider.email(PATH, body)
      assert.deepEqual([status, text], [200, '{"accepted":false}'], JSON.stringify(body)?.slice(0, 100))
    }
    assert.equal((await company.messages()).length, before)
    assert.deepEqual(await quarantinedUnder(service.database, whole.messageId), [])
  })
})

describe('an inbound email with a bad signature', () => {
  it('returns 401 if it is wrong, expired or missing, and stores nothing', async () => {
    const id = freshMail()
    const body = JSON.stringify({ from: 'a@b.example', to: company.address, messageId: id, text: 'x' })
    const good = emailHeaders(body)
    const { 'msgsig-id': _, ...without } = good
    const cases = [
      emailHeaders(body, { secret: `whsec_${Buffer.from('another secret of 24 byte').toString('base64')}` }),
      emailHeaders(`${body} `),
      emailHeaders(body, { at: new Date(Date.now() - 400_000) }),
      emailHeaders(body, { at: new Date(Date.now() + 400_000) }),
      { ...good, 'msgsig-id': 'msg_2' },
      without,
      { ...good, 'msgsig-signature': good['msgsig-signature']!.replace('v1,', 'v2,') },
      {},
    ]
    for (const headers of cases)
      assert.equal((await provider.email(PATH, body, headers)).status, 401, JSON.stringify(headers))
    assert.equal(await company.message(id), undefined)
    assert.equal((await provider.email(PATH, body, emailHeaders(body, { secret: EMAIL_SECRET }))).status, 200)
  })
})

describe('an inbound email over the size limit', () => {
  it('returns 413 above 40 MiB', async () => {
    const { status } = await provider.email(PATH, JSON.stringify({ text: 'x'.repeat(41 * 2 ** 20) }))
    assert.equal(status, 413)
  })
})

describe('an inbound email during a database failure', () => {
  it('returns 503 if a table is missing, and is stored once on redelivery', async () => {
    const id = freshMail()
    const body = {
      from: 'a@b.example',
      to: company.address,
      messageId: id,
      text: 'x',
      attachments: [makeAttachment('a.txt', 'text/plain', Buffer.from('a'))],
    }
    for (const table of ['communications', 'attachments', 'attachment_spool', 'chore_leases']) {
      await asOwner(service, `alter table ${table} rename to away`)
      const { status } = await provider
        .email(PATH, body)
        .finally(() => asOwner(service, `alter table away rename to ${table}`))
      assert.equal(status, 503, table)
      assert.equal(await company.message(id), undefined, table)
    }
    assert.equal((await provider.email(PATH, body)).status, 200)
    assert.equal((await company.attachments((await company.message(id)).id)).length, 1)
  })

  it('returns 503 while a table is locked', async () => {
    const holder = new Client(service.owner)
    await holder.connect()
    await holder.query('begin; lock table mailboxes in access exclusive mode')
    const { status } = await provider.email(PATH, {
      from: 'a@b.example',
      to: company.address,
      messageId: freshMail(),
      text: 'x',
    })
    await holder.query('rollback')
    await holder.end()
    assert.equal(status, 503)
  })
})
