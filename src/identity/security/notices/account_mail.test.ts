import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newId } from '../../../platform/validation/id.ts'
import { queueMail } from './account_mail.ts'

describe('a queued account mail', () => {
  it('uses the language of its user, and looks up no user when none is known', () => {
    const to = 'bo@a.example'
    assert.match(queueMail({ user: newId(), to, kind: 'prove' }).text, /select language from users/)
    assert.doesNotMatch(queueMail({ user: null, to, kind: 'reset' }).text, /from users/)
  })
})
