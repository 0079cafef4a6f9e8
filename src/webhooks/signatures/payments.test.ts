import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Stripe } from 'stripe'
import { makeSignedRequest } from './request.fake.ts'
import { paymentsScheme } from './payments.ts'
import { anyText } from '../../../test/harness/any_text.ts'

const stripe = new Stripe('sk_test_not_used')
const SECRET = 'whsec_0123456789abcdef'
const NOW = 1_800_000_000
const BODY = '{"id":"evt_1","object":"event"}'

const hex = (message: string | Buffer, secret = SECRET, algorithm = 'sha256'): string =>
  createHmac(algorithm, secret).update(message).digest('hex')
const byProvider = (payload: string, { timestamp = NOW, secret = SECRET } = {}): string =>
  stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })

function accepts(
  header: string | string[],
  body: string | Buffer = BODY,
  { strict = false, secret = SECRET, now = NOW } = {},
): boolean {
  const check = paymentsScheme(secret, strict).open(makeSignedRequest({ 'payments-signature': header }), now)
  if (check === undefined) return false
  const bytes = Buffer.from(body)
  for (let at = 0; at < bytes.length; at += 7) check.update(bytes.subarray(at, at + 7))
  return check.accepts(bytes)
}
const timed = hex(`${NOW}.${BODY}`)
const bare = hex(BODY)

describe('payment webhook signatures: accepted', () => {
  const own: [name: string, header: string][] = [
    ["the provider's header", byProvider(BODY)],
    ['several v1, one of which holds', `t=${NOW},v1=${'0'.repeat(64)},v1=${timed}`],
    ['v0 beside v1', `t=${NOW},v1=${timed},v0=${'0'.repeat(64)}`],
    ['the time last', `v1=${timed},t=${NOW}`],
    ['32 signatures', `t=${NOW},${`v1=${'0'.repeat(64)},`.repeat(31)}v1=${timed}`],
  ]
  for (const [name, header] of own) {
    it(name, () => assert.ok(accepts(header)))
    it(`accepts ${name} when strict`, () => assert.ok(accepts(header, BODY, { strict: true })))
  }

  const literal: [name: string, header: string][] = [
    ['bare hex', bare],
    ['sha256=<hex>', `sha256=${bare}`],
    ['v1=<hex>', `v1=${bare}`],
    ['v1=<hex> twice', `v1=${timed},v1=${bare}`],
    ['a time and the body alone', `t=${NOW},v1=${bare}`],
    ['hex in capitals', bare.toUpperCase()],
  ]
  for (const [name, header] of literal) {
    it(`accepts ${name} when not strict`, () => assert.ok(accepts(header)))
    it(`rejects ${name} when strict`, () => assert.ok(!accepts(header, BODY, { strict: true })))
    it(`rejects ${name} for a body that is no JSON object`, () => {
      for (const body of ['', '[]', '"x"', '7', 'null', '{', 'a=b'])
        assert.ok(!accepts(header.replaceAll(bare, hex(body)), body), body)
    })
  }

  it("accepts the provider's header for any body", () => {
    for (const body of ['', '[]', 'a=b', '{']) assert.ok(accepts(byProvider(body), body, { strict: true }), body)
  })

  it('accepts a time 300 seconds off in either direction', () => {
    for (const now of [NOW - 300, NOW + 300]) assert.ok(accepts(byProvider(BODY), BODY, { now }))
  })
})

describe('payment webhook signatures: refused', () => {
  const headers: [name: string, header: string | string[]][] = [
    ['nothing', ''],
    ['two headers', [byProvider(BODY), byProvider(BODY)]],
    ['two times', `t=${NOW},t=${NOW},v1=${timed}`],
    ['two times of which one is empty', `t=,t=${NOW},v1=${timed}`],
    ['an empty time', `t=,v1=${timed}`],
    ['a time that is no digits', `t=${NOW}x,v1=${timed}`],
    ['a time with a sign', `t=+${NOW},v1=${timed}`],
    ['a fractional time', `t=${NOW}.0,v1=${timed}`],
    ['a time in another notation', `t=0x${NOW.toString(16)},v1=${bare}`],
    ['33 signatures', `t=${NOW},${`v1=${'0'.repeat(64)},`.repeat(32)}v1=${timed}`],
    ['v0 alone', `t=${NOW},v0=${timed}`],
    ['v2 alone', `t=${NOW},v2=${timed}`],
    ['SHA-1', `sha1=${hex(BODY, SECRET, 'sha1')}`],
    ['SHA-1 as v1', `v1=${hex(BODY, SECRET, 'sha1')}`],
    ['SHA-1 as hex', hex(BODY, SECRET, 'sha1')],
    ['SHA-512', `v1=${hex(BODY, SECRET, 'sha512')}`],
    ['base64', createHmac('sha256', SECRET).update(BODY).digest('base64')],
    ['sha256 beside a time', `t=${NOW},sha256=${timed}`],
    ['bare hex beside a time', `t=${NOW},${bare}`],
    ['the signed payload of a time that is not sent', timed],
    ['half a signature', bare.slice(0, 32)],
    ['a signature and more', `${bare}00`],
    ['white space', ` ${bare}`],
    ['no signature', `t=${NOW}`],
    ['a name in capitals', `t=${NOW},V1=${timed}`],
  ]
  for (const [name, header] of headers) it(name, () => assert.ok(!accepts(header)))

  it('rejects a time more than 300 seconds off in both forms', () => {
    for (const now of [NOW - 301, NOW + 301]) {
      assert.ok(!accepts(byProvider(BODY), BODY, { now }))
      assert.ok(!accepts(`t=${NOW},v1=${bare}`, BODY, { now }))
    }
  })

  it('rejects another key: the secret without its prefix or decoded', () => {
    const payload = `${NOW}.${BODY}`
    assert.ok(!accepts(`t=${NOW},v1=${hex(payload, SECRET.replace('whsec_', ''))}`))
    assert.ok(
      !accepts(
        `t=${NOW},v1=${createHmac('sha256', Buffer.from(SECRET.slice(6), 'base64'))
          .update(payload)
          .digest('hex')}`,
      ),
    )
  })
})

describe('payment webhook secrets', () => {
  it('need 16 bytes', () => {
    assert.deepEqual(
      [null, '', 'whsec_123456789', '0123456789abcdef', 'é'.repeat(8)].map(
        (secret) => paymentsScheme(secret, false).isConfigured,
      ),
      [false, false, false, true, true],
    )
  })
})

describe('payment signature parameters', () => {
  it('may be separated by a comma and spaces', () => {
    for (const comma of [', ', ',   ']) {
      for (const header of [byProvider(BODY), `t=${NOW},v0=00,v1=${timed}`, `t=${NOW},v1=${bare}`])
        assert.ok(accepts(header.replaceAll(',', comma)), header)
    }
    for (const header of [
      `t=${NOW}; v1=${timed}`,
      `t=${NOW} v1=${timed}`,
      `t=${NOW},\tv1=${timed}`,
      `t= ${NOW}, v1=${timed}`,
      `t=${NOW}, v1= ${timed}`,
    ])
      assert.ok(!accepts(header), header)
  })

  it('are rejected when the header is sent twice', () => assert.ok(!accepts([byProvider(BODY), byProvider(BODY)])))
})

describe('payment webhook signatures: any payload', () => {
  const text = anyText({ maxLength: 300 })
  const secret = fc.stringMatching(/^whsec_[a-z0-9]{10,40}$/)

  it("accepts the provider's header and rejects one changed bit of body, signature or time", () => {
    fc.assert(
      fc.property(text, secret, fc.nat(), fc.nat(7), (payload, secret, where, bit) => {
        const header = byProvider(payload, { secret })
        assert.ok(accepts(header, payload, { strict: true, secret }))
        const body = Buffer.from(payload)
        if (body.length > 0) {
          body[where % body.length]! ^= 1 << bit
          assert.ok(!accepts(header, body, { secret }))
        }
        const at = header.indexOf('v1=') + 3 + (where % 64)
        assert.ok(
          !accepts(`${header.slice(0, at)}${header[at] === '0' ? '1' : '0'}${header.slice(at + 1)}`, payload, {
            secret,
          }),
        )
        assert.ok(!accepts(header.replace(`t=${NOW}`, `t=${NOW + 1 + (where % 299)}`), payload, { secret }))
      }),
    )
  })

  it('rejects an empty time or signature only when strict', () => {
    for (const odd of [',v1=', ',v1', ',t']) {
      const header = byProvider('{}') + odd
      assert.equal(accepts(header, '{}', { strict: true }), false, odd)
      assert.equal(accepts(header, '{}'), true, odd)
    }
  })

  it("accepts an edited header when strict only if the provider's library does, spaces after commas aside", () => {
    const edits = fc.array(
      fc.record({
        at: fc.nat(90),
        cut: fc.nat(3),
        put: fc.constantFrom('', ',', '=', 't', 'v1=', '0', ' ', `t=${NOW}`, ',v0=00'),
      }),
      { maxLength: 3 },
    )
    fc.assert(
      fc.property(
        text.filter((payload) => payload !== ''),
        edits,
        (payload, edits) => {
          const header = edits.reduce(
            (header, { at, cut, put }) => header.slice(0, at) + put + header.slice(at + cut),
            byProvider(payload),
          )
          if (!accepts(header, payload, { strict: true })) return
          assert.ok(
            stripe.webhooks.signature!.verifyHeader(
              payload,
              header.replaceAll(/, +/g, ','),
              SECRET,
              300,
              undefined,
              NOW * 1000,
            ),
          )
        },
      ),
      { numRuns: 500 },
    )
  })
})
