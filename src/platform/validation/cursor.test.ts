import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { Refusal } from '../errors/refusal.ts'
import { formatCursor, parseCursor } from './cursor.ts'
import { newId } from './id.ts'
import { anyText } from '../../../test/harness/any_text.ts'

const at = '2027-03-01T09:00:00.000Z'
const id = newId()
const anything = () => true

/** Returns a cursor with forged keys under the fingerprint of a real one. */
function forgeCursor(filters: object, ...keys: unknown[]): string {
  const made: unknown = JSON.parse(Buffer.from(formatCursor(filters, [0, at, id]), 'base64url').toString())
  assert.ok(Array.isArray(made))
  return Buffer.from(JSON.stringify([made[0], ...keys])).toString('base64url')
}

describe('a page cursor', () => {
  it('returns the keys it was made of', () => {
    fc.assert(
      fc.property(
        fc.float({ noNaN: true, noDefaultInfinity: true, min: Math.fround(-1e30), max: Math.fround(1e30) }),
        fc.string({ maxLength: 30 }),
        (rank, name) => {
          assert.deepEqual(parseCursor(formatCursor({}, [rank, name, id]), {}, anything), [
            Object.is(rank, -0) ? 0 : rank,
            name,
            id,
          ])
        },
      ),
    )
  })

  it('ignores the order of filters and absent ones', () => {
    assert.deepEqual(parseCursor(formatCursor({ a: 1, b: 'x' }, [1, at, id]), { b: 'x', a: 1, c: undefined }), [
      1,
      at,
      id,
    ])
  })

  it('has at most 512 characters for the longest name', () => {
    assert.ok(formatCursor({ query: 'x'.repeat(200) }, [1, '😀'.repeat(80), id]).length <= 512)
    assert.ok(formatCursor({}, [1, '"'.repeat(80), id]).length <= 512)
  })
})

describe('a page cursor: invalid_input', () => {
  const assertRefused = (cursor: string, filters: object, message: RegExp) =>
    assert.throws(
      () => parseCursor(cursor, filters),
      (error) => error instanceof Refusal && error.code === 'invalid_input' && message.test(error.message),
    )

  it('is thrown for other filters', () => {
    const cursor = formatCursor({ status: 'active' }, [0, at, id])
    for (const filters of [{}, { status: 'lead' }, { status: 'active', tag: 'vip' }, { tag: 'active' }]) {
      assertRefused(cursor, filters, /^cursor belongs to a list with other filters; start again without it$/)
    }
  })

  it('is thrown for text that is no cursor', () => {
    for (const cursor of [
      'x',
      '',
      '!!!',
      'bnVsbA',
      Buffer.from('{}').toString('base64url'),
      Buffer.from('[[[').toString('base64url'),
    ]) {
      assertRefused(cursor, {}, /^cursor must be the nextCursor of an earlier response, unchanged$/)
    }
  })

  it('is thrown for a cursor with any changed byte', () => {
    const cursor = formatCursor({}, [0, at, id])
    for (const other of [
      `${cursor}A`,
      `${cursor}=`,
      ` ${cursor}`,
      `${cursor}\n`,
      `${cursor}!`,
      cursor.slice(0, -1),
      Buffer.from(cursor, 'base64url')
        .toString('base64')
        .padEnd(cursor.length + 4, '='),
    ]) {
      assertRefused(other, {}, /^cursor must be the nextCursor of an earlier response, unchanged$/)
    }
  })

  it('is thrown for keys that no row can have', () => {
    for (const keys of [
      [0, 'yesterday', id],
      [0, '2027-02-30T00:00:00Z', id],
      [0, '0000-01-01T00:00:00Z', id],
      [0, at, 'x'],
      [0, at, `${id}'`],
      ['0', at, id],
      [null, at, id],
      [1e300, at, id],
      [1e-300, at, id],
      [0, 5, id],
      [0, at],
      [0, at, id, 1],
      [],
      [0, `${at}\u0000`, id],
    ])
      assertRefused(forgeCursor({}, ...keys), {}, /^cursor must be/)
    for (const name of ['a\u0000b', 'a\ud800']) {
      assert.throws(() => parseCursor(forgeCursor({}, 1, name, id), {}, anything), /cursor must be/)
    }
  })

  it('is thrown for any text, without another error', () => {
    fc.assert(
      fc.property(anyText(), (cursor) => {
        assert.throws(() => parseCursor(cursor, {}), Refusal)
      }),
    )
  })
})
