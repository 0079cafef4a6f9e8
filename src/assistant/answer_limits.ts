import type { Limits } from './conversations.ts'

/** Limits and times of answers; tests shorten them. */
export type AnswerLimits = {
  /** Maximum requests to the model for one message. */
  maxSteps: number
  maxCallsAtOnce: number
  maxOutputTokens: number
  /** Maximum milliseconds of silence from the provider. */
  maxSilence: number
  /** Maximum milliseconds of a whole answer; less than the claim of its conversation. */
  maxDuration: number
  limits: Limits
}

/** Limits and times in production. */
export const DEFAULT_ANSWER_LIMITS: Omit<AnswerLimits, 'limits'> = {
  maxSteps: 16,
  maxCallsAtOnce: 8,
  maxOutputTokens: 4_096,
  maxSilence: 60_000,
  maxDuration: 300_000,
}
