import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { hashPassword, newPassword, requirePassword, verifyPassword } from './passwords.ts'

const GOOD = 'correct horse battery'

describe('ok', () => {
  it('stores a password as scrypt, its cost and a salt of its own, and knows it again', async () => {
    const [one, other] = await Promise.all([hashPassword(GOOD), hashPassword(GOOD)])
    assert.match(one, /^\$scrypt\$ln=15,r=8,p=3\$[\w-]{22}\$[\w-]{43}$/)
    assert.notEqual(one, other)
    assert.ok(!one.includes(GOOD))
    assert.equal(await verifyPassword(GOOD, one), true)
    assert.equal(await verifyPassword(`${GOOD} `, one), false)
    assert.equal(await verifyPassword('Correct horse battery', one), false)
    assert.equal(await verifyPassword('', one), false)
  })

  it('reads a text that was stored at another cost', async () => {
    const salt = Buffer.from('0123456789abcdef')
    const hash = scryptSync(GOOD, salt, 32, { N: 16, r: 4, p: 2 })
    const stored = `$scrypt$ln=4,r=4,p=2$${salt.toString('base64url')}$${hash.toString('base64url')}`
    assert.equal(await verifyPassword(GOOD, stored), true)
    assert.equal(await verifyPassword('wrong horse battery', stored), false)
  })

  it('is the same password whichever way its letters are composed', async () => {
    assert.equal(await verifyPassword('mu\u0308ller-und-so\u0308hne', await hashPassword('müller-und-söhne')), true)
  })

  it('never lets in a user without a password', async () => {
    assert.equal(await verifyPassword(GOOD, null), false)
    assert.equal(await verifyPassword('', null), false)
  })

  it('generates passwords that are acceptable, readable and never twice the same', () => {
    const made = Array.from({ length: 200 }, newPassword)
    assert.equal(new Set(made).size, 200)
    for (const password of made) {
      assert.match(password, /^([a-hj-km-np-z2-9]{4}-){3}[a-hj-km-np-z2-9]{4}$/)
      requirePassword(password)
    }
  })
})

describe('invalid_input', () => {
  const assertRefused = (password: string, message: RegExp) =>
    assert.throws(() => requirePassword(password), { code: 'invalid_input', message })

  it('is fewer than 12 or more than 200 code points', () => {
    assertRefused('elevenchars', /12 to 200 characters \(got 11\)/)
    assertRefused('🔧🔩🪛🚿🚽🛁🧰🪠💧🔥❄', /\(got 11\)/)
    assertRefused('x'.repeat(201), /\(got 201\)/)
    requirePassword('🔧🔩🪛🚿🚽🛁🧰🪠💧🔥❄✓')
    requirePassword('x'.repeat(200))
  })

  it('is half a character', () => assertRefused(`${GOOD}\ud83d`, /well-formed/))

  it('is refused before anything is hashed', () => assert.rejects(hashPassword('short'), { code: 'invalid_input' }))
})

describe('fault', () => {
  it('is a stored text that is none', async () => {
    for (const stored of ['', GOOD, '$scrypt$ln=15,r=8,p=3$c2FsdA$aGFzaA', '$argon2id$v=19$m=1,t=1,p=1$x$y']) {
      await assert.rejects(verifyPassword(GOOD, stored), /cannot be read/)
    }
  })
})
