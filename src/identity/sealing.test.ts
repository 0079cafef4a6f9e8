import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { openDataKeys, existingKeys } from './data_keys.ts'
import { dataKeyOf, seal, sealKeyId, unseal, MIN_SEALED_BYTES } from './sealing.ts'

const bytes = (size: { minLength: number; maxLength: number }) => fc.uint8Array(size).map((given) => Buffer.from(given))
const aKey = bytes({ minLength: 32, maxLength: 32 }).map(dataKeyOf)
const aValue = bytes({ minLength: 0, maxLength: 64 })
const aPlace = fc.record({ table: fc.string({ maxLength: 20 }), row: fc.string({ maxLength: 40 }) })

describe('a sealed value', () => {
  it('decrypts with its key among others, and each sealing gives new bytes', () =>
    fc.assert(
      fc.property(aKey, aKey, aPlace, aValue, (key, other, place, value) => {
        const [sealed, again] = [seal(key, place, value), seal(key, place, value)]
        assert.deepEqual(unseal([other, key], place, sealed), value)
        assert.notDeepEqual(sealed, again)
        assert.equal(sealKeyId(sealed), key.id)
        assert.equal(sealed.length, value.length + MIN_SEALED_BYTES)
      }),
    ))

  it('does not decrypt for another table or row', () =>
    fc.assert(
      fc.property(aKey, aPlace, aPlace, aValue, (key, place, other, value) => {
        fc.pre(place.table !== other.table || place.row !== other.row)
        assert.equal(unseal([key], other, seal(key, place, value)), null)
      }),
    ))

  it('does not decrypt with another key, even under the same key id', () =>
    fc.assert(
      fc.property(aKey, aKey, aPlace, aValue, (key, other, place, value) => {
        fc.pre(key.id !== other.id)
        const sealed = seal(key, place, value)
        assert.equal(unseal([other], place, sealed), null)
        assert.equal(unseal([{ ...other, id: key.id }], place, sealed), null)
        assert.equal(unseal([], place, sealed), null)
      }),
    ))

  it('does not decrypt when any single bit is flipped', () => {
    const [key, place] = [dataKeyOf(Buffer.alloc(32, 7)), { table: 'totp_secrets', row: 'a' }]
    const sealed = seal(key, place, Buffer.from('a secret of 20 bytes'))
    for (let bit = 0; bit < 8 * sealed.length; bit++) {
      const changed = Buffer.from(sealed)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      assert.equal(unseal([key], place, changed), null, `bit ${bit}`)
    }
  })

  it('does not decrypt when truncated or extended', () =>
    fc.assert(
      fc.property(aKey, aPlace, aValue, fc.nat(), (key, place, value, cut) => {
        const sealed = seal(key, place, value)
        assert.equal(unseal([key], place, sealed.subarray(0, cut % sealed.length)), null)
        assert.equal(unseal([key], place, Buffer.concat([sealed, Buffer.of(0)])), null)
      }),
    ))
})

describe('the data key file', () => {
  const inFolder = async (use: (file: string) => Promise<void>): Promise<void> => {
    const folder = await mkdtemp(join(tmpdir(), 'callout-key-'))
    await use(join(folder, 'data', 'data.key')).finally(() => rm(folder, { recursive: true }))
  }

  it('is created on first use, once, readable by its owner only', () =>
    inFolder(async (file) => {
      const source = { current: null, previous: null, file }
      const keys = openDataKeys(source)
      assert.deepEqual(existingKeys(source), [], 'looking makes none')
      const made = keys.sealingKey()
      assert.deepEqual(openDataKeys(source).sealingKey(), made)
      assert.deepEqual(keys.openingKeys(), [made])
      assert.equal(Buffer.from(await readFile(file, 'utf8'), 'base64').length, 32)
      if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600)
    }))

  it('still decrypts after DATA_KEY is set', () =>
    inFolder(async (file) => {
      const made = openDataKeys({ current: null, previous: null, file }).sealingKey()!
      const [current, previous] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
      const keys = openDataKeys({ current, previous, file })
      assert.deepEqual(keys.openingKeys(), [dataKeyOf(current), dataKeyOf(previous), made])
      assert.deepEqual(keys.sealingKey(), dataKeyOf(current))
    }))

  it('throws when it has invalid content, and is not overwritten', () =>
    inFolder(async (file) => {
      openDataKeys({ current: null, previous: null, file }).sealingKey()
      await writeFile(file, 'short')
      assert.throws(
        () => openDataKeys({ current: null, previous: null, file }).sealingKey(),
        /must hold 32 bytes in base64/,
      )
      assert.equal(await readFile(file, 'utf8'), 'short')
    }))

  it('is not created when no path is set', () =>
    assert.equal(openDataKeys({ current: null, previous: null, file: null }).sealingKey(), null))
})
