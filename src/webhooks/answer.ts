/** A whole HTTP answer. */
export type WebhookAnswer = { status: number; type?: string; body?: string; headers?: Readonly<Record<string, string>> }

/** A request that ends before its effect, with its answer. */
export class Refused extends Error {
  readonly answer: WebhookAnswer

  constructor(answer: WebhookAnswer) {
    super(`HTTP ${answer.status}`)
    this.answer = answer
  }
}

export const json = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): WebhookAnswer =>
  ({ status, type: 'application/json', body: JSON.stringify(body), headers })

/** Nothing to say. */
export const EMPTY: WebhookAnswer = { status: 200 }

/** There is no secret to check a signature with (docs/spec/webhooks.md#webhook-answers). */
export const MISCONFIGURED = json(500, { error: 'misconfigured' })
