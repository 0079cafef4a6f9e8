import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newId } from '../../../platform/validation/id.ts'
import { queueMail } from './account_mail.ts'

describe('a mail that is queued', () => {
  it("is in its person's language, and looks nobody up where nobody is known", () => {
    const to = 'bo@a.example'
    assert.match(queueMail({ user: newId(), to, kind: 'prove' }).text, /select language from users/)
    assert.doesNotMatch(queueMail({ user: null, to, kind: 'reset' }).text, /from users/)
  })
})
