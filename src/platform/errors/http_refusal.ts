/** Complete HTTP response. */
export type HttpAnswer = { status: number; headers?: Readonly<Record<string, string>>; body?: string }

/** Log fields of a refusal besides its status. */
type RefusalLog = { errorCode?: string; credential?: string; tenant?: string }

/** Thrown to end a request with this response. The outermost layer (tools, webhooks, pages) catches and sends it. */
export class HttpRefusal extends Error {
  readonly answer: HttpAnswer
  readonly logged: RefusalLog

  constructor(answer: HttpAnswer, logged: RefusalLog = {}) {
    super(`HTTP ${answer.status}`)
    this.answer = answer
    this.logged = logged
  }
}

export const jsonAnswer = (
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer => ({ status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) })
