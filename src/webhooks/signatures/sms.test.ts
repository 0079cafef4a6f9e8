import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import twilio from 'twilio'
import { publicUrls } from './public_urls.ts'
import { makeSignedRequest } from './request.fake.ts'
import { smsScheme } from './sms.ts'

const TOKEN = '12345678901234567890123456789012'
const BASE = 'https://callout.example.com'
const TARGET = '/api/webhooks/sms/inbound-sms'

type Fields = Record<string, string | string[]>
type Given = {
  secrets?: string[]
  strict?: boolean
  target?: string
  peer?: string
  headers?: Record<string, string | string[]>
}

function accepts(
  signature: string | string[],
  body: string | Buffer,
  { secrets = [TOKEN], strict = false, target = TARGET, peer = '203.0.113.9', headers = {} }: Given = {},
): boolean {
  const request = makeSignedRequest(
    { host: 'internal:3000', 'x-sms-signature': signature, ...headers },
    { target, peer },
  )
  const check = smsScheme(secrets, strict, publicUrls(BASE, ['10.0.0.0/8'])).open(request, 0)
  return check !== undefined && check.accepts(Buffer.from(body))
}
const byProvider = (fields: Fields, url = BASE + TARGET, token = TOKEN): string =>
  twilio.getExpectedTwilioSignature(token, url, fields)
const encode = (fields: Fields): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  ).toString()
const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')

const MESSAGE = { MessageSid: 'SM1', From: '+14155550100', To: '+14155550101', Body: 'Grüße & 100% 😀 = a+b' }

describe('SMS webhook signatures: accepted', () => {
  const forms: [name: string, fields: Fields][] = [
    ['a message', MESSAGE],
    ['no fields', {}],
    ['names in another order than they are sent', { b: '1', B: '2', a: '3', _: '4', '': '5' }],
    ['an empty Body', { ...MESSAGE, Body: '' }],
    ['values of one name, sorted and each once', { Media: ['b', 'a', 'b'], Body: 'x' }],
    ['names of other scripts, by code unit', { '😀': '1', '\uffff': '2', é: '3' }],
  ]
  for (const [name, fields] of forms)
    it(name, () => assert.ok(accepts(byProvider(fields), encode(fields), { strict: true })))

  it('accepts an empty Body and a missing Body, each with its own signature', () => {
    const { Body, ...without } = MESSAGE
    const [empty, none] = [{ ...without, Body: '' }, without]
    assert.ok(Body !== '' && byProvider({ ...without, '': 'x' }) !== byProvider(none))
    for (const fields of [empty, none]) assert.ok(accepts(byProvider(fields), encode(fields)))
  })

  it('accepts forms in every encoding that browsers and providers use', () => {
    const signature = byProvider({ Body: "it's 5 o'clock ~*", To: '+1' })
    for (const body of [
      'Body=it%27s+5+o%27clock+~*&To=%2B1',
      "Body=it's%205%20o'clock%20%7e%2a&To=%2b1",
      '&&To=%2B1&&Body=it%27s+5+o%27clock+~*&',
    ])
      assert.ok(accepts(signature, body), body)
    assert.ok(accepts(byProvider({ '?a': 'b', c: '' }), '?a=b&c'))
    assert.ok(accepts(byProvider({ a: '\ufffd', b: '%zz' }), 'a=%ff&b=%zz'))
  })

  it('accepts either token of a rotation', () => {
    for (const secrets of [
      [TOKEN, 'another token of 32 characters!!'],
      ['another token of 32 characters!!', TOKEN],
      ['short', TOKEN],
    ]) {
      assert.ok(accepts(byProvider(MESSAGE), encode(MESSAGE), { secrets }))
    }
  })

  it('accepts hex in place of Base64 only when not strict', () => {
    const signature = hexOf(byProvider(MESSAGE))
    assert.ok(accepts(signature, encode(MESSAGE)) && accepts(signature.toUpperCase(), encode(MESSAGE)))
    assert.ok(!accepts(signature, encode(MESSAGE), { strict: true }))
  })
})

describe('the signed URL of an SMS webhook', () => {
  const isAcceptedFor = (url: string, given: Given = {}): boolean =>
    accepts(byProvider(MESSAGE, url), encode(MESSAGE), given)
  const behind = (headers: Record<string, string | string[]>, peer = '10.1.2.3'): Given => ({ headers, peer })
  const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'public.example.org' }

  it('may use BASE_URL, with or without the port', () => {
    assert.ok(isAcceptedFor(`${BASE}${TARGET}`) && isAcceptedFor(`${BASE}:443${TARGET}`))
    assert.ok(!isAcceptedFor(`${BASE}:444${TARGET}`) && !isAcceptedFor(`http://callout.example.com${TARGET}`))
  })

  it('may use the Host header, with or without the port', () => {
    for (const origin of [
      'https://internal:3000',
      'http://internal:3000',
      'http://internal',
      'http://internal:80',
      'https://internal',
    ])
      assert.ok(isAcceptedFor(origin + TARGET), origin)
    assert.ok(!isAcceptedFor(`http://elsewhere${TARGET}`))
    assert.ok(!isAcceptedFor(`http://internal:3000${TARGET}`, behind({ host: ['internal:3000', 'internal:3000'] })))
  })

  it('may use the headers of a trusted proxy, first value first', () => {
    assert.ok(isAcceptedFor(`https://public.example.org${TARGET}`, behind(proxied)))
    assert.ok(isAcceptedFor(`https://public.example.org:443${TARGET}`, behind(proxied)))
    assert.ok(
      isAcceptedFor(
        `https://public.example.org${TARGET}`,
        behind({ 'x-forwarded-proto': 'https, http', 'x-forwarded-host': 'public.example.org, inner' }),
      ),
    )
    assert.ok(
      isAcceptedFor(`https://public.example.org:8443${TARGET}`, behind({ ...proxied, 'x-forwarded-port': '8443' })),
    )
    assert.ok(
      isAcceptedFor(
        `https://public.example.org:8443${TARGET}`,
        behind({ ...proxied, 'x-forwarded-host': 'public.example.org:8443' }),
      ),
    )
    assert.ok(isAcceptedFor(`https://public.example.org${TARGET}`, behind(proxied, '::ffff:10.1.2.3')))
    assert.ok(isAcceptedFor(`https://internal:3000${TARGET}`, behind({ 'x-forwarded-proto': 'https' })))
  })

  it('has the scheme named by a trusted proxy, apart from BASE_URL', () => {
    for (const [proto, other] of [
      ['https', 'http'],
      ['http', 'https'],
    ] as const) {
      const named = behind({ 'x-forwarded-proto': proto, 'x-forwarded-host': 'public.example.org' })
      for (const host of ['public.example.org', 'internal:3000'])
        assert.deepEqual(
          [isAcceptedFor(`${proto}://${host}${TARGET}`, named), isAcceptedFor(`${other}://${host}${TARGET}`, named)],
          [true, false],
          `${proto} ${host}`,
        )
    }
    assert.ok(isAcceptedFor(`${BASE}${TARGET}`, behind({ 'x-forwarded-proto': 'http' })))
    assert.ok(isAcceptedFor(`http://internal:3000${TARGET}`, behind({ 'x-forwarded-proto': 'https' }, '203.0.113.9')))
  })

  it('ignores forwarded headers of other senders and malformed ones', () => {
    assert.ok(!isAcceptedFor(`https://public.example.org${TARGET}`, behind(proxied, '203.0.113.9')))
    assert.ok(
      !isAcceptedFor(
        `https://inner${TARGET}`,
        behind({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'public.example.org, inner' }),
      ),
    )
    for (const host of ['user@evil', 'evil/path', 'evil?x', 'evil#x', 'a b', 'evil:', 'evil:123456', '-evil', '']) {
      assert.ok(!isAcceptedFor(`https://${host}${TARGET}`, behind({ ...proxied, 'x-forwarded-host': host })), host)
    }
    for (const scheme of ['ftp', 'constructor', 'https:']) {
      assert.ok(
        !isAcceptedFor(`${scheme}://public.example.org${TARGET}`, behind({ ...proxied, 'x-forwarded-proto': scheme })),
        scheme,
      )
    }
  })

  it('prepends the path of BASE_URL to the request path', () => {
    const urls = publicUrls('https://example.com:8443/office', [])(makeSignedRequest({}, { target: '/api/x?y' }))
    assert.deepEqual(urls, [
      'https://example.com:8443/office/api/x?y',
      'https://example.com/office/api/x?y',
      'https://example.com:443/office/api/x?y',
    ])
  })

  it('keeps path and query as received', () => {
    for (const query of ["?a=it's%20b&&c=%zz", '?', '?q=a+b%2B/../x', '?x=é']) {
      const target = TARGET + query
      assert.ok(isAcceptedFor(BASE + target, { target }), query)
      assert.ok(!isAcceptedFor(BASE + TARGET, { target }), query)
    }
    assert.ok(isAcceptedFor(`${BASE}/a/../b%2f/./c`, { target: '/a/../b%2f/./c' }))
  })
})

describe('SMS webhook signatures: refused', () => {
  const own = byProvider(MESSAGE)
  const body = encode(MESSAGE)
  const cases: [name: string, signature: string | string[], body: string][] = [
    ['no signature', '', body],
    ['two', [own, own], body],
    ['an added field', own, `${body}&x=`],
    ['a missing field', own, body.slice(0, body.lastIndexOf('&'))],
    [
      'URL and raw body',
      createHmac('sha1', TOKEN)
        .update(BASE + TARGET + body)
        .digest('base64'),
      body,
    ],
    [
      'SHA-256',
      createHmac('sha256', TOKEN)
        .update(BASE + TARGET)
        .digest('base64'),
      '',
    ],
    ['without padding', own.slice(0, -1), body],
    ['white space', `${own} `, body],
    ['a list', `${own},${own}`, body],
    ['Body= for no Body', byProvider({}), 'Body='],
  ]
  for (const [name, signature, body] of cases) it(name, () => assert.ok(!accepts(signature, body)))
})

describe('SMS webhook tokens', () => {
  it('need 16 bytes', () => {
    const of = (...secrets: string[]): boolean => smsScheme(secrets, false, () => []).isConfigured
    assert.deepEqual(
      [of(), of(''), of('fifteen bytes!!'), of('sixteen bytes!!!'), of('short', TOKEN)],
      [false, false, false, true, true],
    )
  })
})

describe('SMS webhook signatures: any form', () => {
  const text = fc
    .string({
      unit: fc.oneof(
        fc.constantFrom('+', '&', '=', '%', ' ', "'", 'a', 'é', '😀', '\0', '\n'),
        fc.string({ minLength: 1, maxLength: 1 }),
      ),
      maxLength: 12,
    })
    .map((text) => text.toWellFormed())
  const fields = fc
    .dictionary(
      text.filter((name) => name !== '__proto__'),
      fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 })),
      { maxKeys: 6 },
    )
    .map((made) => ({ ...made }))
  const query = fc.stringMatching(/^(\?[!$&-;=?-Z_a-z~]{0,20})?$/)

  it("accepts the provider's signature and rejects a changed body, URL, signature or token", () => {
    fc.assert(
      fc.property(fields, query, fc.nat(26), (fields, query, where) => {
        const given = { target: TARGET + query, strict: true }
        const signature = byProvider(fields, BASE + TARGET + query)
        const body = encode(fields)
        assert.ok(accepts(signature, body, given))
        assert.ok(!accepts(signature, `${body}&tampered=1`, given))
        assert.ok(!accepts(signature, body, { ...given, target: `${given.target}x` }))
        assert.ok(
          !accepts(
            `${signature.slice(0, where)}${signature[where] === 'A' ? 'B' : 'A'}${signature.slice(where + 1)}`,
            body,
            given,
          ),
        )
        assert.ok(!accepts(signature, body, { ...given, secrets: [`${TOKEN}x`] }))
      }),
      { numRuns: 500 },
    )
  })

  it("parses the form as the provider's library does", () => {
    fc.assert(
      fc.property(fields, text, fc.boolean(), (fields, other, own) => {
        const body = own ? encode(fields) : other
        const signature = byProvider(fields)
        const read = Object.create(null) as Record<string, string[]>
        for (const [name, value] of new URLSearchParams(`&${body}`)) (read[name] ??= []).push(value)
        assert.equal(accepts(signature, body), twilio.validateRequest(TOKEN, signature, BASE + TARGET, read))
      }),
      { numRuns: 500 },
    )
  })
})
