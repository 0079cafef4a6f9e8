import { jsonAnswer, type HttpAnswer } from '../platform/errors/http_refusal.ts'

export const EMPTY: HttpAnswer = { status: 200 }

/** Answer if there is no secret to verify a signature with (docs/spec/webhooks.md#webhook-responses). */
export const MISCONFIGURED = jsonAnswer(500, { error: 'misconfigured' })
