import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withIds, isId, newId } from './id.ts'

describe('a new id', () => {
  it('is a UUIDv7 that sorts after all earlier ones, also within a millisecond', () => {
    const ids = Array.from({ length: 50_000 }, newId)
    assert.ok(
      ids.every((id, i) => isId(id) && id[14] === '7' && '89ab'.includes(id[19]!) && (i === 0 || id > ids[i - 1]!)),
    )
  })

  it('contains the current time', () => {
    const before = Date.now()
    const at = Number.parseInt(newId().replace('-', '').slice(0, 12), 16)
    assert.ok(at >= before - 10 && at <= Date.now())
  })
})

describe('withIds', () => {
  it('repeats the given ids, then makes new ones, and returns all of them', async () => {
    const three = async (): Promise<string[]> => {
      const first = newId()
      await Promise.resolve()
      return [first, newId(), newId()]
    }
    const once = await withIds([], three)
    assert.deepEqual(once.result, once.ids)
    assert.ok(once.ids.every(isId))
    const again = await withIds(once.ids.slice(0, 2), three)
    assert.deepEqual(again.ids.slice(0, 2), once.ids.slice(0, 2))
    assert.notEqual(again.ids[2], once.ids[2])
  })

  it('affects only its own work', async () => {
    const { ids } = await withIds([], async () => newId())
    assert.notEqual(newId(), ids[0])
    const [a, b] = await Promise.all([withIds(ids, async () => newId()), withIds([], async () => newId())])
    assert.deepEqual([a.result, b.result === a.result], [ids[0], false])
  })
})
