import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { nearestName } from './nearest.ts'

const FIELDS = ['first_name', 'last_name', 'company_name', 'status', 'email', 'phone', 'query', 'limit']

describe('nearestName', () => {
  it('returns the name that was probably meant', () => {
    for (const [given, meant] of [
      ['fist_name', 'first_name'],
      ['LastName', 'last_name'],
      ['lastname', 'last_name'],
      ['compnay_name', 'company_name'],
      ['e_mail', 'email'],
      ['querry', 'query'],
      ['limits', 'limit'],
      ['qurey', 'query'],
      ['emial', 'email'],
    ] as const)
      assert.equal(nearestName(given, FIELDS), meant)
  })

  it('returns the nearer of two', () => {
    assert.equal(nearestName('jobs_lst', ['jobs_get', 'jobs_list']), 'jobs_list')
  })

  it('returns undefined when nothing is near', () => {
    for (const given of ['', 'zzzzzz', 'notes', 'x'.repeat(5_000)]) assert.equal(nearestName(given, FIELDS), undefined)
    assert.equal(nearestName('name', []), undefined)
    assert.equal(nearestName('name', ['page', 'type']), undefined)
    assert.equal(nearestName('kye', ['key', 'kit']), 'key')
  })

  it('finds a name with one letter removed or replaced by up to two', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FIELDS), fc.nat(), fc.constantFrom('', 'z', 'zz'), (name, position, instead) => {
        const cut = position % name.length
        assert.equal(nearestName(name.slice(0, cut) + instead + name.slice(cut + 1), [name]), name)
      }),
    )
  })
})
