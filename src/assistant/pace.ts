import type { Limits } from './conversations.ts'

/** Limits and times of answers, which tests shorten. */
export type Pace = {
  /** Requests to the model for one message. */
  maxSteps: number
  maxCallsAtOnce: number
  maxOutputTokens: number
  /** Milliseconds that the provider may send nothing. */
  maxSilence: number
  /** Milliseconds for a whole answer; shorter than the claim of its conversation. */
  maxDuration: number
  limits: Limits
}

/** Limits and times outside of tests. */
export const DEFAULT_PACE: Omit<Pace, 'limits'> = {
  maxSteps: 16,
  maxCallsAtOnce: 8,
  maxOutputTokens: 4_096,
  maxSilence: 60_000,
  maxDuration: 300_000,
}
