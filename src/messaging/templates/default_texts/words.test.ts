import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countSegments } from '../../outbox/segments.ts'
import { MESSAGE_KINDS } from '../kinds.ts'
import { en } from './en.ts'
import { es } from './es.ts'

describe('the default words of a text', () => {
  for (const kind of MESSAGE_KINDS)
    it(`of ${kind} are in the alphabet of phones in both languages, and no longer than one text before they are filled`, () => {
      for (const { sms } of [en[kind], es[kind]])
        assert.deepEqual(countSegments(sms.body), { count: 1, costly: [] }, sms.body)
    })
})
