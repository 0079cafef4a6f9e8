import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { emailScheme } from './email.ts'
import { makeSignedRequest } from './request.fake.ts'
import { anyText } from '../../../test/harness/any_text.ts'

const KEY = Buffer.from('0123456789abcdef01234567')
const SECRET = `whsec_${KEY.toString('base64')}`
const NOW = 1_800_000_000
const ID = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W'
const BODY = '{"type":"email.sent"}'

const sign = (message: string, key: string | Buffer = KEY): string =>
  createHmac('sha256', key).update(message).digest('base64')
const byProvider = (body: string, { secret = SECRET, id = ID, time = NOW } = {}): string =>
  new Webhook(secret).sign(id, new Date(time * 1000), body)

type Given = { id?: string | string[]; time?: string; secrets?: string[]; strict?: boolean; now?: number }
function accepts(
  signature: string | string[],
  body: string | Buffer = BODY,
  { id = ID, time = String(NOW), secrets = [SECRET], strict = false, now = NOW }: Given = {},
): boolean {
  const check = emailScheme(secrets, strict).open(
    makeSignedRequest({ 'msgsig-id': id, 'msgsig-timestamp': time, 'msgsig-signature': signature }),
    now,
  )
  if (check === undefined) return false
  const bytes = Buffer.from(body)
  for (let at = 0; at < bytes.length; at += 65_521) check.update(bytes.subarray(at, at + 65_521))
  return check.accepts(bytes)
}
const own = byProvider(BODY)
const ofBody = `v1,${sign(BODY)}`

describe('email webhook signatures: accepted', () => {
  const headers: [name: string, header: string][] = [
    ["the provider's header", own],
    ['several, one of which holds', `v1,${sign('x')} ${own}`],
    ['another version beside it', `v1a,${sign('x')} ${own} v2,x`],
    ['32 signatures', `${`v1,${sign('x')} `.repeat(31)}${own}`],
  ]
  for (const [name, header] of headers)
    it(name, () => assert.ok(accepts(header) && accepts(header, BODY, { strict: true })))

  it('accepts a secret without its prefix', () =>
    assert.ok(accepts(own, BODY, { secrets: [SECRET.slice(6)], strict: true })))

  it('accepts either secret of a rotation', () => {
    const other = `whsec_${Buffer.from('another secret of 24 byt').toString('base64')}`
    for (const secrets of [
      [SECRET, other],
      [other, SECRET],
      ['whsec_c2hvcnQ=', SECRET],
    ])
      assert.ok(accepts(own, BODY, { secrets, strict: true }))
  })

  const literal: [name: string, header: string, secrets: string[]][] = [
    ['over the body alone', ofBody, [SECRET]],
    ['with the secret itself as key', `v1,${sign(`${ID}.${NOW}.${BODY}`, SECRET)}`, [SECRET]],
    [
      'with a secret that is no base64',
      `v1,${sign(`${ID}.${NOW}.${BODY}`, 'not-base64-at-all!')}`,
      ['not-base64-at-all!'],
    ],
    ['with such a secret over the body alone', `v1,${sign(BODY, 'not-base64-at-all!')}`, ['not-base64-at-all!']],
  ]
  for (const [name, header, secrets] of literal) {
    it(`accepts a signature ${name} when not strict`, () => assert.ok(accepts(header, BODY, { secrets })))
    it(`rejects a signature ${name} when strict`, () => assert.ok(!accepts(header, BODY, { secrets, strict: true })))
  }

  it('accepts a time 300 seconds off in either direction', () =>
    assert.ok([NOW - 300, NOW + 300].every((now) => accepts(own, BODY, { now }))))

  it("accepts a large body only in the provider's form", () => {
    const body = `{"x":"${'y'.repeat(2 ** 20)}"}`
    assert.ok(accepts(byProvider(body), body))
    assert.ok(!accepts(`v1,${sign(body)}`, body))
  })
})

describe('email webhook signatures: refused', () => {
  const cases: [name: string, signature: string | string[], given?: Given][] = [
    ['no signature', ''],
    ['no version', sign(`${ID}.${NOW}.${BODY}`)],
    ['other versions alone', own.replace('v1,', 'v1a,')],
    ['v2', own.replace('v1,', 'v2,')],
    ['a version in capitals', own.replace('v1,', 'V1,')],
    ['hex', `v1,${createHmac('sha256', KEY).update(BODY).digest('hex')}`],
    ['33 signatures', `${'v1,x '.repeat(32)}${own}`],
    ['a list with commas', `v1,x,${own}`],
    ['two signature headers', [own, own]],
    ['two ids', own, { id: [ID, ID] }],
    ['another id', own, { id: 'msg_other' }],
    ['no id', own, { id: '' }],
    ['another time', own, { time: String(NOW + 1) }],
    ['no time', own, { time: '' }],
    ['a time that is no digits', own, { time: `${NOW}.0` }],
    ['a time with white space', own, { time: ` ${NOW}` }],
    ['more than 300 s ago', own, { now: NOW + 301 }],
    ['more than 300 s ahead', own, { now: NOW - 301 }],
    ['literally, more than 300 s ago', ofBody, { now: NOW + 301 }],
    ['literally, no id', ofBody, { id: '' }],
    ['literally, no time', ofBody, { time: '' }],
    ['without padding', own.slice(0, -1)],
  ]
  for (const [name, signature, given] of cases) it(name, () => assert.ok(!accepts(signature, BODY, given)))

  it('rejects the literal form for a body that is no JSON object', () => {
    for (const body of ['', '[]', '7', 'null', '{']) {
      assert.ok(!accepts(`v1,${sign(body)}`, body), body)
      assert.ok(accepts(byProvider(body), body), body)
    }
  })
})

describe('email webhook secrets', () => {
  const of = (...secrets: string[]): boolean => emailScheme(secrets, false).isConfigured
  const strictly = (...secrets: string[]): boolean => emailScheme(secrets, true).isConfigured

  it('need 16 bytes after decoding', () => {
    assert.deepEqual(
      [of(), of(''), of('whsec_'), of('whsec_MDEyMzQ1Njc4OWFiY2Rl'), of('short')],
      [false, false, false, false, false],
    )
    assert.deepEqual(
      [of('whsec_MDEyMzQ1Njc4OWFiY2RlZg=='), of('whsec_MDEyMzQ1Njc4OWFiY2RlZg'), of('sixteen!bytes!ok')],
      [true, true, true],
    )
  })

  it('must be Base64 when strict', () => {
    assert.deepEqual(
      [strictly('not-base64-at-all!'), strictly(SECRET), strictly('not-base64-at-all!', SECRET)],
      [false, true, true],
    )
  })
})

describe('email webhook signatures: any payload', () => {
  const text = anyText({ maxLength: 300 })
  const id = fc.stringMatching(/^msg_[A-Za-z0-9]{1,30}$/)
  const key = fc.uint8Array({ minLength: 16, maxLength: 64 })

  it("accepts the provider's signature and rejects a changed body, id, time or signature", () => {
    fc.assert(
      fc.property(text, id, key, fc.nat(), fc.nat(7), (body, id, key, where, bit) => {
        const secret = `whsec_${Buffer.from(key).toString('base64')}`
        const given = { id, secrets: [secret] }
        const signature = byProvider(body, { secret, id })
        assert.ok(accepts(signature, body, { ...given, strict: true }))
        const bytes = Buffer.from(body)
        if (bytes.length > 0) {
          bytes[where % bytes.length]! ^= 1 << bit
          assert.ok(!accepts(signature, bytes, given))
        }
        assert.ok(!accepts(signature, body, { ...given, id: `${id}x` }))
        assert.ok(!accepts(signature, body, { ...given, time: String(NOW + 1 + (where % 300)) }))
        const at = 3 + (where % 43)
        assert.ok(
          !accepts(
            `${signature.slice(0, at)}${signature[at] === 'A' ? 'B' : 'A'}${signature.slice(at + 1)}`,
            body,
            given,
          ),
        )
      }),
    )
  })

  it("accepts an edited header when strict only if the provider's library does", () => {
    const now = Math.floor(Date.now() / 1000)
    const edits = fc.array(
      fc.record({ at: fc.nat(50), cut: fc.nat(3), put: fc.constantFrom('', ',', ' ', 'v1,', 'A', '=', 'v1,A ') }),
      { maxLength: 3 },
    )
    fc.assert(
      fc.property(text, edits, (body, edits) => {
        const header = edits.reduce(
          (header, { at, cut, put }) => header.slice(0, at) + put + header.slice(at + cut),
          byProvider(body, { time: now }),
        )
        if (!accepts(header, body, { strict: true, time: String(now), now })) return
        const headers = { 'webhook-id': ID, 'webhook-timestamp': String(now), 'webhook-signature': header }
        assert.doesNotThrow(() => new Webhook(SECRET).verify(body, headers, { jsonParse: false }))
      }),
      { numRuns: 500 },
    )
  })
})
