import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { bytes, newAuthenticator, text, type Forgery } from '../../../../test/harness/identity/authenticator.ts'
import { newId } from '../../../platform/validation/id.ts'
import { MAX_PASSKEY_CHARS, challengeIn, parseCreatedPasskey, parseUsedPasskey } from './passkey_answers.ts'
import { relyingPartyOf } from './relying_party.ts'
import { creationOptions, requestOptions, verifyRegistration, verifyAuthentication } from './webauthn.ts'

const RP = relyingPartyOf('https://callout.example')!
const OWNER = { handle: newId(), email: 'ana@example.com', name: 'Ana' }

/** Creates a valid new passkey as stored. */
async function makePasskey({ counts = true } = {}) {
  const authenticator = newAuthenticator(RP.origin, { counts })
  const challenge = randomBytes(32)
  const options = await creationOptions(RP, OWNER, challenge, [])
  const created = parseCreatedPasskey(authenticator.create(options))!
  const passkey = await verifyRegistration(RP, challengeIn(created)!, created)
  assert.ok(passkey)
  return { authenticator, record: { ...passkey, handle: OWNER.handle } }
}

async function registerPasskey(forged: Forgery = {}) {
  const authenticator = newAuthenticator(RP.origin)
  const challenge = randomBytes(32)
  const options = await creationOptions(RP, OWNER, challenge, [])
  const created = parseCreatedPasskey(authenticator.create(options, forged))
  return created && verifyRegistration(RP, challenge.toString('base64url'), created)
}

const object = (format: string, statement: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text(format),
    text('attStmt'),
    statement,
    text('authData'),
    bytes(randomBytes(120)),
  ])

describe('the WebAuthn relying party', () => {
  it('is the host of the base URL, and null where browsers allow no passkeys', () => {
    assert.deepEqual(relyingPartyOf('https://callout.example:8443/base'), {
      id: 'callout.example',
      origin: 'https://callout.example:8443',
      name: 'Callout',
    })
    assert.equal(relyingPartyOf('http://localhost:3000')?.id, 'localhost')
    for (const url of ['http://callout.example', 'https://192.0.2.1', 'https://[2001:db8::1]', 'http://127.0.0.1:3000'])
      assert.equal(relyingPartyOf(url), null, url)
  })
})

describe('passkey registration', () => {
  it('requests user verification, a resident key, no attestation and excludes known passkeys', async () => {
    const known = [{ id: Buffer.from('known'), transports: ['usb'] }]
    const options = await creationOptions(RP, OWNER, randomBytes(32), known)
    assert.deepEqual(
      [options.rp.id, options.attestation, options.authenticatorSelection?.userVerification],
      ['callout.example', 'none', 'required'],
    )
    assert.equal(options.authenticatorSelection?.residentKey, 'required')
    assert.deepEqual(
      options.excludeCredentials?.map(({ id }) => id),
      [Buffer.from('known').toString('base64url')],
    )
    assert.equal(Buffer.from(options.user.id, 'base64url').toString('hex'), OWNER.handle.replaceAll('-', ''))
  })

  it('stores the id, counter, transports and sync state', async () => {
    const { authenticator, record } = await makePasskey()
    assert.deepEqual(
      [record.id.toString('base64url'), record.counter, record.transports, record.isSynced],
      [authenticator.id, 1, ['internal'], false],
    )
  })

  const forgeries: Record<string, Forgery> = {
    'another origin': { origin: 'https://callout.example.evil.example' },
    'a port of our host': { origin: 'https://callout.example:8443' },
    'plain http': { origin: 'http://callout.example' },
    'another relying party': { rpId: 'evil.example' },
    'another challenge': { challenge: randomBytes(32).toString('base64url') },
    'a use instead': { type: 'webauthn.get' },
    'nobody verified': { isVerified: false },
    'nobody present': { isPresent: false },
    'certificates that lead somewhere': {
      format: object(
        'packed',
        Buffer.concat([Buffer.from([0xa1]), text('x5c'), Buffer.from([0x81]), bytes(randomBytes(90))]),
      ),
    },
    'a format that reads certificates': { format: object('fido-u2f', Buffer.from([0xa0])) },
    'an attestation that nests without end': { format: Buffer.alloc(7_000, 0x81) },
    'no attestation at all': { format: Buffer.from([0xff]) },
  }
  for (const [what, forged] of Object.entries(forgeries))
    it(`rejects a credential with ${what}`, async () => assert.equal(await registerPasskey(forged), null))
})

describe('passkey authentication', () => {
  it('requests user verification, for known passkeys or for any passkey', async () => {
    const { record } = await makePasskey()
    const challenge = randomBytes(32)
    assert.equal((await requestOptions(RP, challenge, [])).allowCredentials, undefined)
    const options = await requestOptions(RP, challenge, [record])
    assert.deepEqual(
      [options.userVerification, options.rpId, options.allowCredentials?.map(({ id }) => id)],
      ['required', 'callout.example', [record.id.toString('base64url')]],
    )
  })

  it('verifies a valid assertion and increments the counter where the authenticator has one', async () => {
    for (const counts of [true, false]) {
      const { authenticator, record } = await makePasskey({ counts })
      const options = await requestOptions(RP, randomBytes(32), [])
      const used = parseUsedPasskey(authenticator.use(options))!
      assert.deepEqual(await verifyAuthentication(RP, options.challenge, used, record), {
        counter: counts ? 2 : 0,
        isSynced: false,
      })
    }
  })

  const { privateKey: strange } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const forgeries: Record<string, Forgery> = {
    'another origin': { origin: 'https://evil.example' },
    'another relying party': { rpId: 'evil.example' },
    'another challenge': { challenge: randomBytes(32).toString('base64url') },
    'a new passkey instead': { type: 'webauthn.create' },
    'nobody verified': { isVerified: false },
    'nobody present': { isPresent: false },
    'a counter that went back': { counter: 1 },
    'another key': { key: strange },
    "another person's handle": { handle: Buffer.from(newId().replaceAll('-', ''), 'hex').toString('base64url') },
    'data that was not signed': { changes: (data) => Buffer.concat([data.subarray(0, 33), Buffer.from([0, 0, 9, 9])]) },
  }
  for (const [what, forged] of Object.entries(forgeries))
    it(`rejects an assertion with ${what}`, async () => {
      const { authenticator, record } = await makePasskey()
      const options = await requestOptions(RP, randomBytes(32), [])
      const used = parseUsedPasskey(authenticator.use(options, forged))!
      assert.equal(await verifyAuthentication(RP, options.challenge, used, record), null)
    })
})

describe('a passkey response from the browser', () => {
  it('is rejected when malformed or too long', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (sent) => {
        assert.equal(parseCreatedPasskey(sent), null)
        assert.equal(parseUsedPasskey(sent), null)
      }),
    )
    const right = newAuthenticator(RP.origin).use({ challenge: 'x'.repeat(43), rpId: RP.id }, { handle: 'aGFuZGxl' })
    assert.ok(parseUsedPasskey(right))
    assert.equal(parseUsedPasskey(`${right}${' '.repeat(MAX_PASSKEY_CHARS)}`), null)
    assert.equal(parseUsedPasskey(right.replace('"public-key"', '"password"')), null)
    assert.equal(parseUsedPasskey(right.replace(/"signature":"/, '"signature":"+')), null)
  })

  it('returns its challenge, or null when there is none', () => {
    const use = (client: string): string | null =>
      challengeIn({
        id: 'a',
        rawId: 'a',
        type: 'public-key',
        response: {
          clientDataJSON: Buffer.from(client).toString('base64url'),
          authenticatorData: 'a',
          signature: 'a',
          userHandle: undefined,
        },
      })
    assert.equal(use('{"challenge":"abc"}'), 'abc')
    for (const client of [
      '',
      '{}',
      '[]',
      '{"challenge":1}',
      '{"challenge":"a b"}',
      '[[[[',
      `{"challenge":"${'a'.repeat(300)}"}`,
    ])
      assert.equal(use(client), null, client)
  })
})
