import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isId, newId } from './id.ts'

describe('a new id', () => {
  it('is a UUID of version 7 and sorts behind every earlier one, however many are made in a millisecond', () => {
    const ids = Array.from({ length: 50_000 }, newId)
    assert.ok(
      ids.every((id, i) => isId(id) && id[14] === '7' && '89ab'.includes(id[19]!) && (i === 0 || id > ids[i - 1]!)),
    )
  })

  it('holds the present time', () => {
    const before = Date.now()
    const at = Number.parseInt(newId().replace('-', '').slice(0, 12), 16)
    assert.ok(at >= before - 10 && at <= Date.now())
  })
})
