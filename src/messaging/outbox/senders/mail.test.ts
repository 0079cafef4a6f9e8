import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { simpleParser } from 'mailparser'
import { mailBytes } from './mail.ts'
import { anyText } from '../../../../test/harness/any_text.ts'

const INJECTED = 'x\r\nBcc: eve@example.com\r\n\r\nBody'
const anything = fc.oneof(
  anyText({ maxLength: 80 }),
  fc.constantFrom(
    INJECTED,
    'x\nBcc: eve@example.com',
    'x\rTo: eve@example.com',
    '"a" <eve@example.com>, ',
    'a\0b',
    '=?utf-8?q?=0ABcc:_eve?=',
  ),
)

/** Allowed header fields of a mail. */
const HEADS = new Set([
  'from',
  'reply-to',
  'to',
  'subject',
  'message-id',
  'in-reply-to',
  'references',
  'date',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
])

describe('an outgoing mail', () => {
  it('has one recipient and no injected header, for any names, subject and text', async () => {
    await fc.assert(
      fc.asyncProperty(anything, anything, anything, anything, anything, async (from, to, reply, subject, text) => {
        const bytes = await mailBytes({
          messageId: '<1@example.com>',
          from: { name: from, address: 'office@example.com' },
          replyTo: { name: reply, address: 'answers@example.com' },
          to: { name: to, address: 'ana@example.com' },
          subject,
          text,
          inReplyTo: '<2@example.com>',
          references: ['<2@example.com>'],
          look: {
            language: 'en',
            company: { name: from, address: to, phone: null },
            logo: null,
            facts: [],
            action: 'Open',
            unsubscribeLabel: 'Stop',
          },
          unsubscribe: null,
          isAutomatic: false,
          files: [{ name: `${subject}.pdf`, type: 'application/pdf', content: new Uint8Array([1]) }],
        })
        const mail = await simpleParser(bytes)
        const recipients = Array.isArray(mail.to) ? mail.to : [mail.to]
        assert.deepEqual(
          recipients.flatMap((one) => one?.value.map(({ address }) => address)),
          ['ana@example.com'],
        )
        assert.deepEqual(
          mail.from?.value.map(({ address }) => address),
          ['office@example.com'],
        )
        assert.deepEqual([mail.cc, mail.bcc], [undefined, undefined])
        assert.deepEqual(
          mail.headerLines.map(({ key }) => key).filter((key) => !HEADS.has(key)),
          [],
        )
        assert.equal(mail.attachments.length, 1)
      }),
      { numRuns: 60 },
    )
  })
})
