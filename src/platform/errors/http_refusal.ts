/** Describes a whole HTTP answer. */
export type HttpAnswer = { status: number; headers?: Readonly<Record<string, string>>; body?: string }

/** Holds what the log says of a refusal beside its status. */
type RefusalLog = { errorCode?: string; credential?: string; tenant?: string }

/** Ends a request with this answer. The edge of each floor (tools, webhooks, pages) catches and sends it once. */
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
