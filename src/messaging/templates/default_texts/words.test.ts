import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countSegments } from '../../outbox/segments.ts'
import { MESSAGE_KINDS } from '../kinds.ts'
import { en } from './en.ts'
import { es } from './es.ts'

describe('the default SMS templates', () => {
  for (const kind of MESSAGE_KINDS)
    it(`for ${kind} fit one segment in both languages, without costly characters`, () => {
      for (const { sms } of [en[kind], es[kind]])
        assert.deepEqual(countSegments(sms.body), { count: 1, costly: [] }, sms.body)
    })
})
