import type { Code, Refusal } from '../platform/errors/refusal.ts'

const STATUSES: Readonly<Record<Code, number>> = {
  invalid_input: 422,
  not_found: 404,
  conflict: 409,
  insufficient_scope: 403,
  internal: 500,
}

/** Returns the HTTP status of a page that shows a refusal. */
export const statusOf = ({ code }: Pick<Refusal, 'code'>): number => STATUSES[code]
