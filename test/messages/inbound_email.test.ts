import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { MAILBOXES, addChannel } from '../../src/messaging/inbox/directory.ts'
import { makeAttachment } from '../harness/files/files.ts'
import type { TestService } from '../harness/harness.ts'
import { makeReceiver, quarantinedUnder, type Receiver } from '../harness/messaging/inbound.ts'
import { freshMail, openInboundScene, type InboundScene } from './inbound_scene.ts'

let service: TestService
let company: Receiver
let mail: InboundScene['mail']
before(async () => {
  ;({ service, company, mail } = await openInboundScene())
})
after(() => service.stop())

describe('an inbound email', () => {
  it('is stored unchanged', async () => {
    const id = await mail({
      html: '<p>It <b>leaks</b></p><script>x</script>',
      dmarc: 'PASS',
      inReplyTo: '<none@example.com>',
      more: { fields: 1 },
    })
    const { channel, direction, status, sender, sender_address, recipients, subject, body, html, dmarc, in_reply_to } =
      await company.message(id)
    assert.deepEqual(
      { channel, direction, status, sender, sender_address, recipients, subject, body, html, dmarc, in_reply_to },
      {
        channel: 'email',
        direction: 'inbound',
        status: 'received',
        sender: 'Ana <ana@example.com>',
        sender_address: 'ana@example.com',
        recipients: [company.address],
        subject: 'Boiler',
        body: 'It leaks.',
        html: '<p>It <b>leaks</b></p><script>x</script>',
        dmarc: 'pass',
        in_reply_to: '<none@example.com>',
      },
    )
  })

  it('gets its text from the HTML part if it has none', async () => {
    for (const text of [undefined, null, '', ' \n']) {
      const id = await mail({
        text,
        html: '<style>a{}</style><p>Hi <a href="https://x.example">there</a></p><script>alert(1)</script>',
      })
      assert.equal((await company.message(id)).body, 'Hi there')
    }
    assert.equal((await company.message(await mail({ text: undefined }))).body, '')
  })

  it('is stored without characters that PostgreSQL rejects', async () => {
    const id = await mail({
      text: 'a\0b\ud800c',
      subject: 's\0\udfff',
      html: '<p>\0\ud800</p>',
      from: '"\0" <ana@example.com>',
      attachments: [makeAttachment('\0\ud800.txt', 'text/plain', Buffer.from('a'))],
    })
    const { body, subject } = await company.message(id)
    assert.deepEqual([body, subject], ['ab\uFFFDc', 's\uFFFD'])
    await mail({}, `${freshMail()}\0`)
  })

  it('accepts DMARC results in any case, and treats unknown ones as none', async () => {
    const cases = [
      ['pass', 'pass'],
      ['Fail', 'fail'],
      [' NEUTRAL ', 'neutral'],
      ['none', 'none'],
      ['softfail', 'none'],
      ['', 'none'],
      [null, 'none'],
      [undefined, 'none'],
    ] as const
    for (const [given, kept] of cases) assert.equal((await company.message(await mail({ dmarc: given }))).dmarc, kept)
  })
})

describe('the company of an inbound email', () => {
  it('is found by address in any case, with a display name, plus tag, comment or in a list', async () => {
    const [local, domain] = company.address.split('@') as [string, string]
    const spellings = [
      company.address.toUpperCase(),
      `"Jobs, all" <${company.address}>`,
      `${local}+boiler@${domain}`,
      [`x@y.example`, `Jobs <${company.address}>`],
      `a@b.example, ${company.address}`,
      `${company.address} (jobs)`,
      [company.address, company.address],
    ]
    for (const to of spellings) assert.ok(await company.message(await mail({ to })), String(to))
  })

  it('is the mailbox with the plus tag if there is one', async () => {
    const other = await makeReceiver(service)
    const tagged = company.address.replace('@', '+other@')
    await addChannel(service.database, MAILBOXES, other.tenant, tagged)
    const id = await mail({ to: tagged })
    assert.ok(await other.message(id))
    assert.equal(await company.message(id), undefined)
  })

  it('is each of two recipients, with one message each', async () => {
    const other = await makeReceiver(service)
    const id = await mail({ to: [company.address, other.address] })
    await mail({ to: [company.address, other.address] }, id)
    assert.equal((await company.messages()).filter(({ provider_message_id }) => provider_message_id === id).length, 1)
    assert.equal((await other.messages()).length, 1)
  })

  it('is none for an unknown address, and the email goes to quarantine once', async () => {
    const id = await mail({ to: `elsewhere@in.example.com, x${company.address}` })
    await mail({ to: `elsewhere@in.example.com, x${company.address}` }, id)
    assert.equal(await company.message(id), undefined)
    assert.deepEqual(
      (await quarantinedUnder(service.database, id)).map(({ reason, tenant_id, excerpt }) => [
        reason,
        tenant_id,
        excerpt,
      ]),
      [['no_tenant', null, 'It leaks.']],
    )
    for (const to of ['', [], ['not an address']])
      assert.equal((await quarantinedUnder(service.database, await mail({ to, from: '' }))).length, 1)
  })
})

describe('the sender of an inbound email', () => {
  const customerOf = async (given: object): Promise<string | null> =>
    (await company.message(await mail(given))).customer_id

  it('is linked to the customer with the address, unless DMARC failed', async () => {
    const customer = await company.customer({ email: 'Bea@Example.com' })
    const message = await company.message(await mail({ from: '"Bea, B." <BEA@example.COM>' }))
    assert.deepEqual([message.customer_id, message.contact_id], [customer['id'], customer['contacts'][0].id])
    for (const dmarc of ['pass', 'neutral', 'none', undefined, 'odd'])
      assert.equal(await customerOf({ from: 'bea@example.com', dmarc }), customer['id'])
    assert.equal(await customerOf({ from: 'bea@example.com', dmarc: 'FAIL' }), null)
  })

  it("isn't linked if two customers have the address or it is invalid", async () => {
    await company.customer({ email: 'two@example.com' })
    await company.customer({ email: 'two@example.com' })
    assert.equal(await customerOf({ from: 'two@example.com' }), null)
    assert.equal(await customerOf({ from: 'nobody at all' }), null)
  })

  it('is matched by a Unicode or Punycode domain', async () => {
    const customer = await company.customer({ email: 'cy@bücher.example' })
    assert.equal(await customerOf({ from: 'cy@xn--bcher-kva.example' }), customer['id'])
    assert.equal(await customerOf({ from: 'cy@bücher.example' }), customer['id'])
  })
})

describe('the conversation of an inbound email', () => {
  const threadOf = async (id: string): Promise<string> => (await company.message(id)).conversation_id

  it('is that of the message it answers, with or without angle brackets', async () => {
    const first = await mail()
    const bare = first.slice(1, -1)
    for (const inReplyTo of [first, bare, ` ${first} `, `<unknown@x> ${first}`])
      assert.equal(await threadOf(await mail({ inReplyTo })), await threadOf(first), inReplyTo)
    assert.notEqual(await threadOf(await mail({ inReplyTo: '<unknown@x>' })), await threadOf(first))
  })

  it("is never another company's", async () => {
    const other = await makeReceiver(service)
    const theirs = await mail({ to: other.address })
    const ours = await mail({ inReplyTo: theirs })
    assert.notEqual(await threadOf(ours), (await other.message(theirs)).conversation_id)
    assert.ok(await threadOf(ours))
  })

  it('handles messages that answer themselves or each other', async () => {
    const self = freshMail()
    await mail({ inReplyTo: self }, self)
    assert.ok(await threadOf(self))
    const [a, b] = [freshMail(), freshMail()]
    await mail({ inReplyTo: b }, a)
    await mail({ inReplyTo: a }, b)
    assert.equal(await threadOf(a), await threadOf(b))
    assert.equal(await threadOf(await mail({ inReplyTo: b })), await threadOf(a))
  })

  it("of a customer isn't joined by an email that failed DMARC", async () => {
    await company.customer({ email: 'dee@example.com' })
    const first = await mail({ from: 'dee@example.com', dmarc: 'pass' })
    assert.notEqual(
      await threadOf(await mail({ from: 'dee@example.com', dmarc: 'fail', inReplyTo: first })),
      await threadOf(first),
    )
    const unlinked = await mail({ from: 'who@example.com' })
    assert.equal(await threadOf(await mail({ dmarc: 'fail', inReplyTo: unlinked })), await threadOf(unlinked))
  })
})
