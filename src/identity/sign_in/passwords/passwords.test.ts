import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { hashPassword, newPassword, requirePassword, verifyPassword } from './passwords.ts'

const GOOD = 'correct horse battery'

describe('password hashing', () => {
  it('stores scrypt with its cost and a random salt, and verifies only the same password', async () => {
    const [one, other] = await Promise.all([hashPassword(GOOD), hashPassword(GOOD)])
    assert.match(one, /^\$scrypt\$ln=15,r=8,p=3\$[\w-]{22}\$[\w-]{43}$/)
    assert.notEqual(one, other)
    assert.ok(!one.includes(GOOD))
    assert.equal(await verifyPassword(GOOD, one), true)
    assert.equal(await verifyPassword(`${GOOD} `, one), false)
    assert.equal(await verifyPassword('Correct horse battery', one), false)
    assert.equal(await verifyPassword('', one), false)
  })

  it('verifies a hash that was stored with another cost', async () => {
    const salt = Buffer.from('0123456789abcdef')
    const hash = scryptSync(GOOD, salt, 32, { N: 16, r: 4, p: 2 })
    const stored = `$scrypt$ln=4,r=4,p=2$${salt.toString('base64url')}$${hash.toString('base64url')}`
    assert.equal(await verifyPassword(GOOD, stored), true)
    assert.equal(await verifyPassword('wrong horse battery', stored), false)
  })

  it('treats composed and decomposed Unicode as the same password', async () => {
    assert.equal(await verifyPassword('mu\u0308ller-und-so\u0308hne', await hashPassword('müller-und-söhne')), true)
  })

  it('never verifies a user without a password', async () => {
    assert.equal(await verifyPassword(GOOD, null), false)
    assert.equal(await verifyPassword('', null), false)
  })

  it('generates 200 different, readable passwords that meet the rules', () => {
    const made = Array.from({ length: 200 }, newPassword)
    assert.equal(new Set(made).size, 200)
    for (const password of made) {
      assert.match(password, /^([a-hj-km-np-z2-9]{4}-){3}[a-hj-km-np-z2-9]{4}$/)
      requirePassword(password)
    }
  })
})

describe('a password outside the rules', () => {
  const assertRefused = (password: string, message: RegExp) =>
    assert.throws(() => requirePassword(password), { code: 'invalid_input', message })

  it('is rejected below 12 and above 200 code points', () => {
    assertRefused('elevenchars', /12 to 200 characters \(got 11\)/)
    assertRefused('🔧🔩🪛🚿🚽🛁🧰🪠💧🔥❄', /\(got 11\)/)
    assertRefused('x'.repeat(201), /\(got 201\)/)
    requirePassword('🔧🔩🪛🚿🚽🛁🧰🪠💧🔥❄✓')
    requirePassword('x'.repeat(200))
  })

  it('is rejected when it has an unpaired surrogate', () => assertRefused(`${GOOD}\ud83d`, /well-formed/))

  it('is rejected by hashPassword', () => assert.rejects(hashPassword('short'), { code: 'invalid_input' }))
})

describe('a stored hash that is malformed', () => {
  it('throws "cannot be read"', async () => {
    for (const stored of ['', GOOD, '$scrypt$ln=15,r=8,p=3$c2FsdA$aGFzaA', '$argon2id$v=19$m=1,t=1,p=1$x$y']) {
      await assert.rejects(verifyPassword(GOOD, stored), /cannot be read/)
    }
  })
})
