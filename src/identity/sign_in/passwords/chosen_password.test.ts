import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { describe, it } from 'node:test'
import { hashChosenPassword } from './chosen_password.ts'
import { newPassword, verifyPassword } from './passwords.ts'

const ABOUT = {
  email: 'dana.whitfield@bartonridge.example',
  name: 'Dana Whitfield',
  companies: ['Barton Ridge Plumbing & Air', 'Globex'],
}

const refusalOf = (password: string): Promise<string> =>
  hashChosenPassword(password, ABOUT).then(
    () => assert.fail(`${password} was taken`),
    (error: Error) => error.message,
  )

describe('a chosen password', () => {
  it('is accepted when it is hard to guess, in any script and Unicode normalization form', async () => {
    for (const password of [
      'correct horse battery',
      'ein langes Passwort',
      '🔧🔩🪛🚿🚽🛁🧰🪠💧🔥❄✓',
      newPassword(),
      'vier Rohre, drei Muffen',
      'mu\u0308ller-und-so\u0308hne',
    ]) {
      assert.ok(await verifyPassword(password, await hashChosenPassword(password, ABOUT)), password)
    }
  })

  it('is rejected when it is a common password with other case, digits or symbols', async () => {
    for (const password of [
      'password1234',
      'Password1234!',
      'P@ssw0rd1234',
      '!!password!!',
      'qwerty123456',
      'iloveyou2024',
      'welcome12345',
      'letmein12345',
      'changeme1234',
      'administrator',
      'football2024',
      'Summer2026!!',
      '1q2w3e4r5t6y',
      'passwordpassword',
      'abc123abc123',
    ]) {
      assert.match(
        await refusalOf(password),
        /^password is too easy to guess: it (is a common password|repeats itself)/,
        password,
      )
    }
  })

  it('is rejected when it repeats itself or follows a sequence', async () => {
    for (const password of [
      'aaaaaaaaaaaa',
      '123456789012',
      '111111222222',
      'abcdefghijklmnop',
      'qwertyuiop[]',
      'asdfghjkl;12',
      '098765432109',
      'x'.repeat(200),
    ]) {
      assert.match(await refusalOf(password), /too easy to guess/, password)
    }
    assert.match(await refusalOf('abcdefghijklmnop'), /follows the alphabet/)
  })

  it("is rejected when it is the user's email address, name or company, plain or disguised", async () => {
    for (const password of [
      'dana.whitfield@bartonridge.example',
      'Dana Whitfield',
      'danawhitfield1',
      'DanaWhitfield!!',
      'whitfieldwhitfield',
      'BartonRidge2026',
      'Barton Ridge Plumbing & Air',
      'globexglobex1',
      'Globex2026!!',
      'dleiftihwanad',
    ]) {
      assert.match(await refusalOf(password), /too easy to guess/, password)
    }
    assert.match(await refusalOf('Dana Whitfield'), /your email address, your name or your company's name/)
  })

  it('is checked off the event loop in bounded time', async () => {
    await hashChosenPassword('correct horse battery', ABOUT)
    const before = performance.eventLoopUtilization()
    await Promise.all(Array.from({ length: 20 }, () => refusalOf('p@55w0rd1'.repeat(22))))
    const { active } = performance.eventLoopUtilization(before)
    assert.ok(active < 500, `${active} ms of the loop for twenty`)
  })
})
